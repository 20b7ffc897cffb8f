"""The requests on training: make pairs, fit directions, evaluate them, compare with uplift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from skillgauge_scorer.errors import ScorerError, of_disk

SCHEMA: Final = 1

Progress = Callable[[str, int, int], None]


def answer(action: str, params: dict[str, Any], progress: Progress) -> Any:
    """Do what a request asks for, and return plain values."""
    handler = _ACTIONS.get(action)
    if handler is None:
        raise ScorerError(f"The scorer has no method “train.{action}”")
    from skillgauge_scorer.models.install import need_libraries

    need_libraries()
    return {"schema_version": SCHEMA, **handler(params, progress)}


def _pairs(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    from skillgauge_scorer.train import pairs as pair_files
    from skillgauge_scorer.train.corpus import MOST, WORDS, read_corpus
    from skillgauge_scorer.train.made import by_rule, grouped
    from skillgauge_scorer.train.splits import apart
    from skillgauge_scorer.train.study import written_pairs

    low, high = params.get("words") or WORDS
    folder, out = Path(str(params["folder"])), Path(str(params["out"]))
    sources, seen = read_corpus(folder, (int(low), int(high)), int(params.get("most") or MOST))
    if not sources:
        why = f"of {seen} skills none is in English and has {low} to {high} words"
        raise ScorerError(f"“{folder}” holds nothing to make pairs of", why)
    made, gone = by_rule(sources, lambda done, total: progress("make", done, total))
    by_hand = written_pairs(Path(str(params["written"]))) if params.get("written") else []
    result: dict[str, Any] = {"skills": len(sources), "seen": seen}
    asked = params.get("llm")
    if asked:
        told, more = _asked(asked, grouped(sources), out, progress)
        result["llm"] = told
        made += more
    every, more_gone = apart([*by_hand, *made])
    try:
        count = pair_files.write(out, every)
    except OSError as error:
        raise of_disk(error, str(out)) from error
    kinds: dict[str, dict[str, int]] = {}
    for (metric, kind), number in sorted(Counter((one.metric, one.kind) for one in every).items()):
        kinds.setdefault(metric, {})[kind] = number
    groups = len({one.group for one in every})
    left_out = gone + more_gone
    return {
        **result,
        "out": str(out),
        "pairs": count,
        "groups": groups,
        "left_out": left_out,
        "metrics": kinds,
    }


def _asked(
    asked: Mapping[str, Any], sources: list[Any], out: Path, progress: Progress
) -> tuple[dict[str, Any], list[Any]]:
    """Have a language model write pairs; return what there is to tell, and the pairs."""
    from skillgauge_scorer.train import llm
    from skillgauge_scorer.train.llm.endpoint import endpoint

    where = endpoint(str(asked["url"]), str(asked["model"]))
    limit = asked.get("limit")
    wanted = llm.tasks(sources, list(asked.get("kinds") or ("plain", "matched")))
    wanted = wanted[: int(limit)] if limit else wanted
    folder = Path(str(asked.get("cache") or f"{out}.answers"))
    found = llm.write_pairs(
        where, wanted, folder, lambda done, total: progress("write", done, total)
    )
    told = {
        "wanted": len(wanted),
        "written": len(found.pairs),
        "asked": found.asked,
        "faults": dict(sorted(found.faults.items())),
        "answers": str(folder),
    }
    return told, list(found.pairs)


def _fit(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    from skillgauge_scorer.train.report import fit

    return fit(params, progress)


def _evaluate(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    from skillgauge_scorer.train.report import evaluate

    return evaluate(params, progress)


def _uplift(params: dict[str, Any], progress: Progress) -> dict[str, Any]:
    from skillgauge_scorer.train.report import uplift

    return uplift(params, progress)


_ACTIONS: Final[dict[str, Callable[[dict[str, Any], Progress], dict[str, Any]]]] = {
    "pairs": _pairs,
    "fit": _fit,
    "evaluate": _evaluate,
    "uplift": _uplift,
}
