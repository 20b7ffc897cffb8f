"""The training commands' results as plain aligned tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

KINDS: Final = {
    "plain": "Pairs that differ in the metric",
    "matched": "Keyword-matched pairs: the words without the substance, and the reverse",
    "rule": "Pairs made by rule or by a language model",
}
_UNKNOWN: Final = "–"


def render(action: str, result: Mapping[str, Any]) -> str:
    """Return the text for a command's result."""
    return "\n".join(_ACTIONS[action](result)) + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table: the first column to the left, the others to the right."""
    wide = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    for row in (head, *rows):
        cells = [
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, wide, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _number(value: float | None, digits: int = 3) -> str:
    return _UNKNOWN if value is None else f"{value:.{digits}f}"


def _with_interval(one: Mapping[str, Any], name: str) -> str:
    low, high = one[f"{name}_interval"]
    return f"{one[name]:.3f} [{low:.3f}, {high:.3f}]"


def _plots(result: Mapping[str, Any]) -> Iterator[str]:
    if result.get("plots"):
        yield ""
        yield f"Plots: {', '.join(result['plots'])}"


def _pairs(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"{result['pairs']} pairs of {result['groups']} groups in {result['out']}"
    yield f"{result['skills']} of {result['seen']} skills were taken"
    if result["left_out"]:
        yield f"{result['left_out']} pairs were left out: they resemble some of another fold"
    yield ""
    kinds = list(dict.fromkeys(kind for one in result["metrics"].values() for kind in one))
    rows = [
        [metric, *(str(one.get(kind, 0)) for kind in kinds)]
        for metric, one in result["metrics"].items()
    ]
    yield from table(["metric", *kinds], rows)
    if (told := result.get("llm")) is not None:
        yield ""
        yield f"The language model wrote {told['written']} of {told['wanted']} pairs;"
        yield f"{told['asked']} questions were asked, the other answers were in {told['answers']}"
        for why, count in told["faults"].items():
            yield f"  refused {count} times: {why}"


def _fit(result: Mapping[str, Any]) -> Iterator[str]:
    training = result["training"]
    yield f"Bundle {result['bundle']} for {result['model']} in {result['out']}"
    yield f"Recipe {result['recipe']}, {training['pairs']} pairs of {training['groups']} groups"
    if training["left_out"]:
        yield f"{training['left_out']} pairs were left out: they resemble others across a split"
    yield ""
    rows: list[list[str]] = []
    for code, one in result["metrics"].items():
        recipe: Mapping[str, Any] = one["recipe"] or {}
        layers = ",".join(map(str, one["layers"]))
        shown = "shown" if one["shown"] else "not shown"
        rows.append(
            [
                code,
                layers,
                ",".join(one["poolings"]),
                f"{recipe.get('method', '')} {recipe.get('shrinkage', '')}",
                one["label"],
                shown,
            ]
        )
    yield from table(["metric", "layer", "pooling", "method", "label", "editor"], rows)
    yield ""
    yield "Cross-validated within the training pairs"
    found = {code: one["figures"]["cross-validated"] for code, one in result["metrics"].items()}
    yield from _figures(found, {})
    if not isinstance(training["validated_on"], str):
        yield ""
        yield f"On the {training['validated_on']} pairs to validate on"
        yield from _figures({code: one["figures"] for code, one in result["metrics"].items()}, {})


def _figures(metrics: Mapping[str, Any], macro: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table for each kind of pairs, and one of the baselines beside it."""
    for kind, title in KINDS.items():
        found = {code: one[kind] for code, one in metrics.items() if kind in one}
        if not found:
            continue
        yield ""
        yield title
        rows = [_row(code, one) for code, one in found.items()]
        if (mean := macro.get(kind)) is not None:
            numbers = [_number(mean[name]) for name in ("auroc", "paired", "margin")]
            rows.append(["mean", "", *numbers, "", ""])
        head = ["metric", "pairs", "AUROC [95 %]", "in order [95 %]", "margin in z [95 %]"]
        yield from table([*head, "best baseline", ""], rows)


def _row(code: str, one: Mapping[str, Any]) -> list[str]:
    baselines: Mapping[str, float] = one.get("baselines") or {}
    best = max(baselines, key=lambda name: baselines[name], default="")
    beaten = "" if not best or one["auroc"] > baselines[best] else "not beaten"
    return [
        code,
        str(one["pairs"]),
        *(_with_interval(one, name) for name in ("auroc", "paired", "margin")),
        f"{best} {baselines[best]:.3f}" if best else _UNKNOWN,
        beaten,
    ]


def _evaluate(result: Mapping[str, Any]) -> Iterator[str]:
    counts = result["pairs"]
    for at, one in enumerate(result["bundles"]):
        if at:
            yield ""
        yield f"{one['model']}, bundle {one['bundle']}, {counts['contrast']} pairs not learnt from"
        if counts["left_out"]:
            yield f"{counts['left_out']} training pairs were left out: they resemble others"
        yield from _figures(one["figures"]["metrics"], one["figures"]["macro"])
        yield from _baselines(one["figures"]["metrics"])
        yield from _layers(one["layers"])
        yield from _poolings(one["poolings"])
        yield from _lengths(one["length"])
    if (agreement := result["agreement"]) is not None:
        yield ""
        yield "Agreement: Pearson r of z, the mean over the metrics"
        names = agreement["names"]
        rows = [
            [name, *(_number(value) for value in row)]
            for name, row in zip(names, agreement["mean"], strict=True)
        ]
        yield from table(["", *names], rows)
    yield from _plots(result)


def _baselines(metrics: Mapping[str, Any]) -> Iterator[str]:
    for kind, title in KINDS.items():
        found = {code: one[kind]["baselines"] for code, one in metrics.items() if kind in one}
        names = list(dict.fromkeys(name for one in found.values() for name in one))
        if names:
            yield ""
            yield f"AUROC of the baselines. {title}"
            rows = [
                [code, *(_number(one.get(name)) for name in names)] for code, one in found.items()
            ]
            yield from table(["metric", *names], rows)


def _layers(layers: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    places = list(dict.fromkeys(one["layer"] for rows in layers.values() for one in rows))
    for kind, title in KINDS.items():
        for name, label in (("auroc", "AUROC"), ("margin", "Margin")):
            rows = [
                [code, *(_number(one[kind][name]) for one in found)]
                for code, found in layers.items()
                if all(kind in one for one in found)
            ]
            if rows:
                yield ""
                yield f"{label} by layer, all else the same. {title}"
                yield from table(["metric", *map(str, places)], rows)


def _poolings(poolings: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    names = list(dict.fromkeys(one["pooling"] for rows in poolings.values() for one in rows))
    for kind, title in KINDS.items():
        rows = [
            [code, *(f"{one[kind]['auroc']:.3f} / {one[kind]['margin']:.2f}" for one in found)]
            for code, found in poolings.items()
            if all(kind in one for one in found)
        ]
        if rows:
            yield ""
            yield f"AUROC / margin by pooling, all else the same. {title}"
            yield from table(["metric", *names], rows)


def _lengths(length: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"Pearson r of score and token length on {length['texts']} texts"
    rows = [
        [code, *(_number(one.get(name)) for name in ("before", "after", "finished"))]
        for code, one in length["metrics"].items()
    ]
    head = ["metric", "confounds left in", "taken out, other folds", "as it is"]
    yield from table(head, rows)


def _uplift(result: Mapping[str, Any]) -> Iterator[str]:
    families = result["families"]
    yield f"{result['model']}, bundle {result['bundle']}"
    yield (
        f"{result['skills']} measured skills of {len(families)} families; within family, the"
        f" {result['skills_within']} of families of 3 and more"
    )
    for key, why in (("missing", "could not be read"), ("empty", "have no description or body")):
        if result[key]:
            yield f"{result[key]} more {why}"
    yield ""
    yield "Uplift and what a linear map foretells from: Pearson r, Spearman rho [95 %]"
    columns = {
        "pooled": "pooled",
        "within": "within family",
        "held_out_pooled": "family left out, pooled",
        "held_out_within": "family left out, within",
    }
    rows = [
        [name, *(_correlations(one[column]) for column in columns)]
        for name, one in result["predictors"].items()
    ]
    yield from table(["", *columns.values()], rows)
    fitted, verdict = result["map"], result["verdict"]
    yield ""
    gains = ", ".join(
        f"{name} [{low:+.3f}, {high:+.3f}]"
        for name, (low, high) in verdict["gain_interval"].items()
    )
    yield f"All metrics are {verdict['text']}. Gain in rho within family over: {gains}"
    width = fitted["half_width"]
    if width is not None:
        yield (
            f"An interval of ± {width:.1f} holds {fitted['coverage']:.0%} of a left-out family's"
            f" uplifts, where {fitted['level']:.0%} are wanted"
        )
    yield from _plots(result)


def _correlations(one: Mapping[str, Any]) -> str:
    low, high = one["spearman_interval"]
    return f"{one['pearson']:+.2f}, {one['spearman']:+.2f} [{low:+.2f}, {high:+.2f}]"


_ACTIONS: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]]] = {
    "pairs": _pairs,
    "fit": _fit,
    "evaluate": _evaluate,
    "uplift": _uplift,
}
