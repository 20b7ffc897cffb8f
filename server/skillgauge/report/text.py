"""The report for people: each finding with its source line, the structural scores, a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from skillgauge.records import RANKS, FileReport, Item, Plain, Run
from skillgauge.report._terminal import excerpt, paint, safe

MANY: Final = 10
"""More skills than this get one line each."""

GRADE_STYLES: Final = {"A": "good", "B": "good", "C": "warning", "D": "warning", "F": "error"}


def render(run: Run) -> str:
    """Return the report of a run."""
    blocks: list[str] = []
    if run.statistics:
        blocks.append("\n".join(_statistics(run)))
    else:
        blocks += [
            "\n".join(_finding(run, file, item)) for file in run.files for item in file.items
        ]
    if not run.quiet:
        if not run.statistics:
            blocks.append("\n".join(_structures(run)))
        blocks.append("\n".join(_summary(run)))
    text = "\n\n".join(block for block in blocks if block)
    return text + "\n" if text else ""


def _finding(run: Run, file: FileReport, item: Item) -> Iterator[str]:
    place = f"{safe(file.shown)}:{item.line}:{item.column}:"
    severity = paint(f"{item.severity} {item.code}", item.severity, run.color)
    rule = paint(item.rule, "dim", run.color)
    yield f"{paint(place, 'path', run.color)} {severity} {rule}: {safe(item.message)}"
    yield from _source(run, file, item)
    gutter = " " * len(str(item.line))
    mark = paint("=", "gutter", run.color)
    if item.fix:
        kind = "" if item.fix.safe else " (unsafe)"
        yield f"{gutter} {mark} fix{kind}: {safe(item.fix.title)}"
    for note in item.related:
        where = f"{_shown(note.path)}:" if note.path else ""
        yield f"{gutter} {mark} see {where}{note.line}:{note.column}: {safe(note.message)}"


def _shown(path: str) -> str:
    from skillgauge.project import shown

    return safe(shown(path))


def _source(run: Run, file: FileReport, item: Item) -> Iterator[str]:
    if not file.data:
        return
    line = file.text.line(item.line - 1)
    several = item.end_line > item.line
    end = len(line) if several else item.end_column - 1
    number = str(item.line)
    bar = paint("|", "gutter", run.color)
    found = excerpt(line, item.column - 1, end, max(run.width - len(number) - 3, 20))
    carets = paint("^" * found.width, item.severity, run.color)
    rest = f" … to line {item.end_line}" if several else ""
    gutter = " " * len(number)
    yield f"{gutter} {bar}"
    yield f"{paint(number, 'gutter', run.color)} {bar} {found.shown}".rstrip()
    yield f"{gutter} {bar} {' ' * found.start}{carets}{rest}"


def _structures(run: Run) -> Iterator[str]:
    """Yield the score of each skill with what was taken off, in short where skills are many."""
    scored = [(file, file.structure) for file in run.files if file.structure]
    if not scored:
        return
    note = "how the document is built, not how well it works"
    yield f"{paint('Structure', 'bold', run.color)} ({note})"
    for file, structure in scored:
        grade = str(structure["grade"])
        score = paint(f"{structure['score']:5.1f} {grade}", GRADE_STYLES[grade], run.color)
        short = f"  {_short(structure)}".rstrip() if len(scored) > MANY else ""
        yield f"  {score}  {safe(file.shown)}{short}"
        if len(scored) <= MANY:
            yield from _deductions(run, structure)


def _deductions(run: Run, structure: Plain) -> Iterator[str]:
    for name, dimension in structure["dimensions"].items():
        for item in dimension["deductions"]:
            points = paint(f"{-item['points']:>4}", "bold", run.color)
            rule = f"{item['code']} {item['rule']}"
            yield f"         {name:<15} {points}  {rule}: {safe(item['message'])}"


def _short(structure: Plain) -> str:
    return " ".join(
        f"{item['code']}−{item['points']}"
        for dimension in structure["dimensions"].values()
        for item in dimension["deductions"]
    )


def _statistics(run: Run) -> Iterator[str]:
    """Yield how often each rule fired, the most frequent first."""
    items = run.items
    counts = Counter((item.code, item.rule, item.severity) for item in items)
    fixable = Counter(item.code for item in items if item.fix and item.fix.safe)
    wide = max((len(rule) for _, rule, _ in counts), default=0)
    for (code, rule, severity), count in sorted(counts.items(), key=lambda pair: (-pair[1], pair)):
        label = paint(f"{severity:<7}", severity, run.color)
        note = f"  {fixable[code]} fixable" if fixable[code] else ""
        yield f"{count:>6}  {label}  {code}  {rule:<{wide}}{note}".rstrip()


def _summary(run: Run) -> Iterator[str]:
    for entry in run.gone:
        yield f"No longer needed in the baseline: {safe(entry)}"
    known = sum(file.known for file in run.files)
    if known:
        yield f"{_count(known, 'finding')} of the baseline not shown."
    items = run.items
    if not items:
        yield paint(f"No findings in {_count(len(run.files), 'file')}.", "good", run.color)
        return
    counts = Counter(item.severity for item in items)
    kinds = [
        _count(counts[name], name)
        for name in sorted(RANKS, key=lambda n: -RANKS[n])
        if counts[name]
    ]
    hit = sum(bool(file.items) for file in run.files)
    yield (
        f"{_count(len(items), 'finding')} in {hit} of {_count(len(run.files), 'file')}: "
        f"{', '.join(kinds)}."
    )
    fixable = sum(item.fix_kind == "safe" for item in items)
    if fixable:
        yield f"{fixable} can be fixed with `skillgauge fix`."


def _count(number: int, word: str) -> str:
    plural = word if number == 1 or word == "info" else f"{word}s"
    return f"{number} {plural}"
