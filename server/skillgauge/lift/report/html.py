"""A run as one page that opens anywhere: charts, cases, and both arms' trajectories side by side.

All text of a skill, an agent or a file is hostile: Jinja2 escapes it, and the page may load nothing
and run nothing but its own few lines of script, which the policy knows by their hash.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from skillgauge import __version__
from skillgauge.lift.report import _charts, _words
from skillgauge.lift.report._model import RunReport
from skillgauge.lift.report._page import page_of
from skillgauge.text import encodable

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES: Final = Path(__file__).parent / "templates"
_CONTROL: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""What no HTML text may hold."""


def render(report: RunReport) -> str:
    """Return the page."""
    from markupsafe import Markup

    style, script = (_read(name) for name in ("style.css", "script.js"))
    page = (
        _environment()
        .get_template("page.html")
        .render(
            policy=policy(style, script),
            style=Markup(style),
            script=Markup(script),
            page=page_of(report),
            report=report,
            version=__version__,
        )
    )
    return _CONTROL.sub("\ufffd", encodable(page))


def policy(style: str, script: str) -> str:
    """Return what the page may do: use its own style and script, and nothing else."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words: dict[str, Any] = {
        name: getattr(_words, name)
        for name in (
            *(
                "blamed_short",
                "count",
                "interval",
                "listed",
                "moment",
                "money",
                "number",
                "p_value",
            ),
            *("score", "seconds", "share", "signed", "title"),
        )
    }
    words |= {"CHART_WIDTH": _charts.WIDTH, "shade": _charts.shade}
    cast("dict[str, Any]", made.globals).update(words)  # pyright: ignore[reportUnknownMemberType]
    return made
