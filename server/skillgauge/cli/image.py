"""Make, list or remove the image that agents run in when skills are measured.

  build           make it: a base, and the agents on it, each with the version that is known to work
  list            the images that were made here, with their agents
  remove NAME     remove one

The base is a public one with Node unless --base names another; one that is there already needs no
registry. Docker's engine has to run, and npm to be on this machine or in the base.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from skillgauge.cli._output import say, write
from skillgauge.cli._parser import Namespace, Parser, one_of
from skillgauge.errors import UserError

if TYPE_CHECKING:
    from skillgauge.lift.engines.docker_images import Image

ACTIONS: Final = ("build", "list", "remove")
FORMATS: Final = ("text", "json")
_ONLY: Final = {
    "base": ("--base", "build"),
    "harness": ("--harness", "build"),
    "tag": ("--tag", "build"),
}
_STEPS: Final = {
    "pull": "Fetching the base",
    "install": "Installing agents",
    "build": "Building",
    "check": "Starting each once",
}


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action",
        type=one_of("The action", ACTIONS),
        metavar="ACTION",
        help=f"one of {', '.join(ACTIONS)}",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="to remove, which")
    group = parser.add_argument_group("build")
    group.add_argument("--base", metavar="IMAGE", help="by default node:22-bookworm")
    group.add_argument(
        "--harness",
        action="append",
        default=[],
        metavar="NAME",
        help="with this agent; may be given again; by default all",
    )
    group.add_argument("--tag", metavar="NAME", help="by default skillgauge/agents")
    parser.add_argument(
        "--format",
        type=one_of("--format", FORMATS),
        default="text",
        metavar="NAME",
        help=f"one of {', '.join(FORMATS)}",
    )


def run(options: Namespace) -> int:
    """Do it, and say what came of it."""
    for key, (option, action) in _ONLY.items():
        if getattr(options, key) and options.action != action:
            raise UserError(f"{option} is for `skillgauge image {action}`")
    if (options.action == "remove") != bool(options.name):
        needs = "needs to know which" if options.action == "remove" else "takes no name"
        raise UserError(f"`skillgauge image {options.action}` {needs}")
    {"build": _build, "list": _list, "remove": _remove}[options.action](options)
    return 0


def _build(options: Namespace) -> None:
    from skillgauge.cli._progress import Bar
    from skillgauge.lift.harnesses import IMAGE
    from skillgauge.lift.image import BASE, build

    bar = Bar(_STEPS)
    tag = options.tag or IMAGE
    try:
        made = build(os.environ, options.base or BASE, options.harness, tag, bar.show)
    finally:
        bar.clear()
    if options.format == "json":
        write(json.dumps(_described(made), ensure_ascii=False, indent=2) + "\n", machine=True)
    else:
        say(f"Made {tag} ({made.size >> 20:,} MiB): {_agents(made.labels)}")


def _list(options: Namespace) -> None:
    from skillgauge.lift.image import listed

    images = listed(os.environ)
    if options.format == "json":
        write(json.dumps([_described(one) for one in images], indent=2) + "\n", machine=True)
        return
    if not images:
        say("There are no images yet; `skillgauge image build` makes one")
    for one in images:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.created))
        name = ", ".join(one.tags) or one.id.removeprefix("sha256:")[:12]
        write(f"{name}  {one.size >> 20:,} MiB  {day}  {_agents(one.labels)}\n")


def _remove(options: Namespace) -> None:
    from skillgauge.lift.image import remove

    remove(os.environ, options.name)
    say(f"Removed {options.name}")


def _versions(labels: Mapping[str, str]) -> dict[str, str]:
    from skillgauge.lift.harnesses import LABEL

    found = {key.removeprefix(LABEL): value for key, value in labels.items() if LABEL in key}
    return dict(sorted(found.items()))


def _agents(labels: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in _versions(labels).items())


def _described(image: Image) -> dict[str, object]:
    from skillgauge.lift.image import BASE_LABEL

    return {
        "id": image.id,
        "tags": list(image.tags),
        "size": image.size,
        "base": image.labels.get(BASE_LABEL, ""),
        "harnesses": _versions(image.labels),
    }
