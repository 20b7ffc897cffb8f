"""Train directions for a model: make pairs, fit, evaluate, compare scores with measured uplift.

`pairs FOLDER` makes pairs of the SKILL.md files in a folder, whose first level are repositories;
with --llm, a language model writes pairs, too (its key is in SKILLGAUGE_LLM_KEY or
OPENAI_API_KEY). `fit` chooses and fits directions. `evaluate` prints how well they tell pairs apart
that they have not seen. `uplift TABLE` tells whether scores foretell measured uplift.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

from skillgauge.cli._common import cache_folder
from skillgauge.cli._output import write
from skillgauge.cli._parser import Namespace, Parser, at_least, one_of
from skillgauge.cli._progress import asked
from skillgauge.errors import UserError

ACTIONS: Final = ("pairs", "fit", "evaluate", "uplift")
FORMATS: Final = ("text", "json")
RECIPES: Final = ("default", "paper")
KINDS: Final = ("plain", "matched")
_STEPS: Final = {
    "make": "Making pairs",
    "write": "Asking the model",
    "encode": "Reading skills",
    "encode training": "Reading pairs",
    "validate": "Reading the others",
    "confounds": "Reading for length",
    "fit": "Fitting",
    "sweep": "Comparing layers",
}
_ONLY: Final = {
    "out": ("--out", "pairs", "fit"),
    "written": ("--written", "pairs", "fit", "evaluate"),
    "most": ("--most", "pairs"),
    "words": ("--words", "pairs"),
    "llm": ("--llm", "pairs"),
    "llm_model": ("--llm-model", "pairs"),
    "llm_kind": ("--llm-kind", "pairs"),
    "llm_limit": ("--llm-limit", "pairs"),
    "llm_answers": ("--llm-answers", "pairs"),
    "pairs": ("--pairs", "fit", "evaluate"),
    "recipe": ("--recipe", "fit"),
    "contrast": ("--contrast", "fit", "evaluate"),
    "model": ("--model", "fit", "evaluate", "uplift"),
    "directions": ("--directions", "evaluate", "uplift"),
    "skills": ("--skills", "uplift"),
    "plots": ("--plots", "evaluate", "uplift"),
    "states": ("--states", "fit", "evaluate", "uplift"),
}
"""Options that belong to some actions: how they are written, and to which."""


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "action",
        type=one_of("The action", ACTIONS),
        metavar="ACTION",
        help=f"one of {', '.join(ACTIONS)}",
    )
    parser.add_argument(
        "source", nargs="?", metavar="FOLDER|TABLE", help="for pairs and for uplift: what of"
    )
    group = parser.add_argument_group("pairs")
    group.add_argument("--out", metavar="PATH", help="the file of pairs; for fit, the bundle")
    group.add_argument("--written", metavar="FOLDER", help="pairs written by hand, too")
    group.add_argument(
        "--most", type=at_least("--most", 1), metavar="N", help="skills a repository, by default 14"
    )
    group.add_argument("--words", type=_range, metavar="N-N", help="of a skill, by default 200-850")
    group.add_argument("--llm", metavar="URL", help="an endpoint of chat completions")
    group.add_argument("--llm-model", metavar="NAME", help="what it calls its model")
    group.add_argument(
        "--llm-kind",
        type=one_of("--llm-kind", KINDS),
        action="append",
        metavar="KIND",
        help=f"one of {', '.join(KINDS)}; by default both",
    )
    group.add_argument(
        "--llm-limit", type=at_least("--llm-limit", 1), metavar="N", help="pairs it writes at most"
    )
    group.add_argument("--llm-answers", metavar="FOLDER", help="where answers are kept")
    group = parser.add_argument_group("fit, evaluate and uplift")
    group.add_argument("--pairs", metavar="FILE", help="pairs to learn from")
    group.add_argument(
        "--recipe",
        type=one_of("--recipe", RECIPES),
        metavar="NAME",
        help=f"one of {', '.join(RECIPES)}",
    )
    group.add_argument("--contrast", metavar="FOLDER", help="pairs to validate on")
    group.add_argument(
        "--model", action="append", metavar="NAME", help="by default the small one; may repeat"
    )
    group.add_argument(
        "--directions", action="append", metavar="FOLDER", help="this bundle; may repeat"
    )
    group.add_argument("--skills", metavar="FOLDER", help="where the paths of the table begin")
    group.add_argument("--plots", metavar="FOLDER", help="write plots there, as SVG")
    group.add_argument("--states", metavar="FOLDER", help="where what was read is kept")
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        type=one_of("--format", FORMATS),
        default="text",
        metavar="NAME",
        help=f"one of {', '.join(FORMATS)}",
    )


def run(options: Namespace) -> int:
    """Ask the scorer, and print what it says."""
    _refuse(options)
    params = _PARAMS[options.action](options)
    result = asked(f"train.{options.action}", params, _STEPS)
    if options.format == "json":
        write(json.dumps(result, ensure_ascii=False, indent=2) + "\n", machine=True)
    else:
        from skillgauge.train_report import render

        write(render(options.action, result))
    return 0


def _refuse(options: Namespace) -> None:
    """Raise UserError for options that say nothing to the action, and for what is missing."""
    action = options.action
    for key, (option, *actions) in _ONLY.items():
        if getattr(options, key) is not None and action not in actions:
            where = " and ".join(f"`skillgauge train {one}`" for one in actions)
            raise UserError(f"{option} is for {where}")
    if (options.source is None) == (action in ("pairs", "uplift")):
        needs = {"pairs": "a folder of skills", "uplift": "a table"}.get(action)
        what = f"needs {needs}" if needs else f"takes no “{options.source}”"
        raise UserError(f"`skillgauge train {action}` {what}")
    for key, needed in (("out", ("pairs",)), ("pairs", ("fit",)), ("skills", ("uplift",))):
        if action in needed and getattr(options, key) is None:
            raise UserError(f"`skillgauge train {action}` needs {_ONLY[key][0]}")
    if (options.llm is None) != (options.llm_model is None):
        raise UserError("--llm and --llm-model go together")
    if options.llm is None and (options.llm_kind or options.llm_limit or options.llm_answers):
        raise UserError("What --llm-kind, --llm-limit and --llm-answers say is about --llm")
    for key in ("model", "directions"):
        if action != "evaluate" and len(getattr(options, key) or ()) > 1:
            raise UserError(f"`skillgauge train {action}` takes one {_ONLY[key][0]}")


def _pairs(options: Namespace) -> dict[str, Any]:
    params: dict[str, Any] = {
        "folder": _path(options.source),
        "out": _path(options.out),
        "written": _path(options.written),
        "most": options.most,
        "words": options.words,
    }
    if options.llm:
        params["llm"] = {
            "url": options.llm,
            "model": options.llm_model,
            "kinds": list(dict.fromkeys(options.llm_kind or KINDS)),
            "limit": options.llm_limit,
            "cache": _path(options.llm_answers),
        }
    return params


def _fit(options: Namespace) -> dict[str, Any]:
    return {
        "pairs": _path(options.pairs),
        "written": _path(options.written),
        "contrast": _path(options.contrast),
        "model": (options.model or [None])[0],
        "out": _path(options.out),
        "recipe": options.recipe or RECIPES[0],
        "states": _states(options),
    }


def _evaluate(options: Namespace) -> dict[str, Any]:
    return {
        "pairs": _path(options.pairs),
        "written": _path(options.written),
        "contrast": _path(options.contrast),
        "models": options.model or [],
        "directions": [_path(one) for one in options.directions or ()],
        "plots": _path(options.plots),
        "states": _states(options),
    }


def _uplift(options: Namespace) -> dict[str, Any]:
    return {
        "table": _path(options.source),
        "skills": _path(options.skills),
        "model": (options.model or [None])[0],
        "directions": _path((options.directions or [None])[0]),
        "plots": _path(options.plots),
        "states": _states(options),
    }


def _path(given: str | None) -> str | None:
    """Return a path that doesn't depend on where the child stands."""
    return None if given is None else os.path.abspath(given)


def _states(options: Namespace) -> str | None:
    """Return where states are kept: hours of work, but nothing that can't be worked out again."""
    if options.states is not None:
        return _path(options.states)
    folder = cache_folder(options)
    return str(folder / "states") if folder else None


def _range(value: str) -> list[int]:
    low, dash, high = value.partition("-")
    if not (dash and low.isdecimal() and high.isdecimal() and 0 < int(low) <= int(high)):
        raise UserError(f"--words takes a range such as 200-850, not “{value}”")
    return [int(low), int(high)]


_PARAMS: Final = {"pairs": _pairs, "fit": _fit, "evaluate": _evaluate, "uplift": _uplift}
