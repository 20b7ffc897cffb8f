"""The words that count as a mention of a skill's resources."""

from typing import Final

from skillgauge.document.aces_view import terms

MENTIONED: Final = terms("template", "asset", "design", "style", "css", "html", "resource")
