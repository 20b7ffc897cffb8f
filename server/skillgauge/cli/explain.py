"""Show a rule's page: what it finds, why that is bad, examples, and how often it is right."""

from __future__ import annotations

import sys

from skillgauge.cli._output import use_color, write
from skillgauge.cli._parser import Namespace, Parser, one_of
from skillgauge.errors import UserError


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("rule", metavar="RULE", help="a code such as F011, or a name")
    parser.add_argument(
        "--color",
        type=one_of("--color", ("auto", "always", "never")),
        default="auto",
        metavar="WHEN",
        help="auto, always or never",
    )


def run(options: Namespace) -> int:
    """Print the page."""
    from skillgauge import pages
    from skillgauge.rules import by_key, url_of
    from skillgauge.selectors import did_you_mean

    rule = by_key().get(options.rule) or by_key().get(options.rule.upper())
    if rule is None:
        how = did_you_mean(options.rule, by_key()) or "`skillgauge rules` lists all"
        raise UserError(f"No rule is called “{options.rule}”", how=how)
    text = f"{pages.document(rule)}\n{url_of(rule)}\n"
    if use_color(options.color, sys.stdout):
        _render(text)
    else:
        write(text)
    return 0


def _render(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console(force_terminal=True).print(Markdown(text))
