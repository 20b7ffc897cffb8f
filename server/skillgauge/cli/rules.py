"""List all rules with their severities and fixes."""

from __future__ import annotations

import json

from skillgauge.cli._output import write
from skillgauge.cli._parser import Namespace, Parser, one_of

FORMATS = ("text", "json", "markdown")


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--format",
        type=one_of("--format", FORMATS),
        default="text",
        metavar="NAME",
        help=f"one of {', '.join(FORMATS)}",
    )


def run(options: Namespace) -> int:
    """Print the list."""
    from skillgauge import pages

    if options.format == "markdown":
        write(pages.table("docs/rules/") + "\n", machine=True)
    elif options.format == "json":
        write(_json(), machine=True)
    else:
        write(_text())
    return 0


def _text() -> str:
    from skillgauge.rules import all_rules

    rules = all_rules()
    wide = max((len(rule.name) for rule in rules), default=0)
    lines: list[str] = []
    for rule in rules:
        severity = rule.severity("default")
        level = severity.label if severity else "off"
        fix = f" [{rule.fix} fix]" if rule.fix else ""
        lines.append(f"{rule.code}  {rule.name:<{wide}}  {level:<7}  {rule.summary}{fix}\n")
    return "".join(lines)


def _json() -> str:
    from skillgauge.pages import precision
    from skillgauge.rule import PROFILES
    from skillgauge.rules import FAMILIES, all_rules, url_of

    listed = [
        {
            "code": rule.code,
            "name": rule.name,
            "family": FAMILIES[rule.family],
            "summary": rule.summary,
            "target": rule.target,
            "severities": {
                profile: severity.label if (severity := rule.severity(profile)) else None
                for profile in PROFILES
            },
            "fix": rule.fix,
            "deduction": rule.deduction
            and {"dimension": rule.deduction.dimension, "points": rule.deduction.points},
            "precision": precision().get(rule.name),
            "url": url_of(rule),
        }
        for rule in all_rules()
    ]
    return json.dumps(listed, ensure_ascii=False, indent=2) + "\n"
