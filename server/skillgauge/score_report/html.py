"""Scores as one page that opens anywhere: bars, and each line with what it adds to each score.

The page loads nothing and runs nothing; its styles are its own, by hash.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import Final

from skillgauge.score_report import Scored, ScoreRun
from skillgauge.scores import About, Score

STEPS: Final = 4
"""Shades to either side of nothing."""
MAX_LISTED: Final = 50
"""Skills whose lines are shown."""
MAX_LINES: Final = 2_000

_STYLE: Final = """\
:root { color-scheme: light dark; --bad: 205 80 40; --good: 30 130 90; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.1rem; overflow-wrap: anywhere; }
.note { opacity: .75; }
table.scores td { padding: .1rem .8rem .1rem 0; }
meter { width: 12rem; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.lines { border-collapse: collapse; font: 13px/1.45 ui-monospace, monospace; }
.lines .n { opacity: .6; padding-right: .6rem; }
.lines .h { width: 1.1rem; }
.lines .t { padding-left: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
""" + "".join(
    f".{name}{step} {{ background: rgb(var(--{color}) / {step / STEPS:.2f}); }}\n"
    for name, color in (("m", "bad"), ("p", "good"))
    for step in range(1, STEPS + 1)
)


def render(run: ScoreRun) -> str:
    """Return the page."""
    return "".join(f"{line}\n" for line in _page(run))


def _page(run: ScoreRun) -> Iterator[str]:
    allowed = b64encode(sha256(_STYLE.encode()).digest()).decode()
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        f" style-src 'sha256-{allowed}'\">"
    )
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Skill scores</title><style>{_STYLE}</style></head><body>"
    yield "<h1>Skill scores</h1>"
    yield (
        f'<p class="note">By {escape(run.scorer.title)}. A score says how much a text reads like'
        " those with the quality; it does not say how well an agent works with it.</p>"
    )
    for number, skill in enumerate(run.skills):
        yield from _skill(run, skill, listed=number < MAX_LISTED)
    if run.scorer.hidden:
        codes = ", ".join(run.scorer.hidden)
        yield f'<p class="note">Not shown, since counting words does as well: {codes}.</p>'
    yield "</body></html>"


def _skill(run: ScoreRun, skill: Scored, *, listed: bool) -> Iterator[str]:
    found = skill.profile
    size = f"{found.tokens:,} tokens"
    if found.truncated:
        size += f", of which only the first {run.scorer.max_tokens:,} were read"
    yield f'<h2>{escape(skill.path)}</h2><p class="note">{size}</p><table class="scores">'
    form = run.scorer.metrics["A1"]
    state = "passed" if found.passed else f"failed: {escape('; '.join(found.reasons))}"
    yield f'<tr><td>A1</td><td>{escape(form.name)}</td><td colspan="3">{state}</td></tr>'
    shown = list(run.scorer.shown(found))
    for about, score in shown:
        yield _row(about, score)
    yield "</table>"
    if listed and any(score.lines for _, score in shown):
        yield from _lines(skill, shown)


def _row(about: About, score: Score) -> str:
    head = f'<tr title="{escape(about.meaning)}"><td>{about.code}</td><td>{escape(about.name)}</td>'
    if score.z is None or score.probability is None:
        return f'{head}<td colspan="3">no score: {escape(score.reason)}</td></tr>'
    note = about.label if about.label == "surface" else ""
    return (
        f'{head}<td><meter min="0" max="1" low="0.35" high="0.65" optimum="1"'
        f' value="{score.probability:.3f}"></meter> {score.probability:.0%}</td>'
        f'<td class="n">{score.z:+.2f}</td><td class="note">{note}</td></tr>'
    )


def _lines(skill: Scored, shown: list[tuple[About, Score]]) -> Iterator[str]:
    columns = [(about, score.lines) for about, score in shown if score.lines]
    yield '<details><summary>What each line adds</summary><table class="lines"><tr><th></th>'
    yield "".join(f'<th title="{escape(about.name)}">{about.code}</th>' for about, _ in columns)
    yield "<th></th></tr>"
    most = [max(map(abs, lines.values())) or 1.0 for _, lines in columns]
    for line in range(1, min(skill.text.line_count, MAX_LINES) + 1):
        cells = "".join(
            _cell(about, lines.get(line, 0.0), top)
            for (about, lines), top in zip(columns, most, strict=True)
        )
        text = escape(skill.text.line(line - 1))
        yield f'<tr><td class="n">{line}</td>{cells}<td class="t">{text}</td></tr>'
    yield "</table></details>"


def _cell(about: About, value: float, most: float) -> str:
    step = round(STEPS * min(abs(value) / most, 1.0))
    shade = f" {'m' if value < 0 else 'p'}{step}" if step else ""
    return f'<td class="h{shade}" title="{about.code} {value:+.3f}"></td>'
