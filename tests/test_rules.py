"""Every rule's page and every literate case: what a page shows is what the rule does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skillgauge.engine import run
from skillgauge.fix import apply_edits
from skillgauge.rule import Rule
from skillgauge.rules import FAMILIES, all_rules

from .helpers import examples
from .literate import check_case

CASES = Path(__file__).parent / "rules"
HEADINGS = ("Why is this bad?", "Bad", "Good")


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_page(rule: Rule) -> None:
    """The page's Bad example fires and its Good one does not; the summary is a sentence."""
    assert rule.summary.endswith("."), rule.summary
    assert len(rule.summary) <= 100
    found = {example.title: example for example in examples(rule.page)}
    assert set(HEADINGS) <= set(found), f"{rule.name} lacks a heading of {HEADINGS}"
    kind = "evals" if rule.target == "evals" else "skill"
    bad = found["Bad"].document(kind)
    hits = run(rule, bad)
    assert hits, f"{rule.name}: the Bad example does not fire"
    good = run(rule, found["Good"].document(kind))
    assert not good, f"{rule.name}: the Good example fires: {good[0].message}"
    for hit in hits:
        assert 0 <= hit.span.start <= hit.span.end <= len(bad.source)
        assert hit.message.endswith((".", "?", "!", "”", ")")), hit.message
        if hit.fix:
            assert rule.fix in ("mixed", "safe" if hit.fix.safe else "unsafe"), rule.fix
            assert apply_edits(bad.source, hit.fix.edits) != bad.source or hit.fix.rename


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_cases(rule: Rule) -> None:
    """Each rule has literate cases, with at least one where it stays silent."""
    path = CASES / f"{rule.name}.md"
    assert path.is_file(), f"write {path.name}"
    cases = examples(path.read_text(encoding="utf-8"))
    kind = "evals" if rule.target == "evals" else "skill"
    cases = [case for case in cases if kind in case.blocks]
    assert len(cases) >= 2, "at least one case that fires and one that stays silent"
    for case in cases:
        check_case(rule, case)


def test_codes() -> None:
    """Codes and names are unique and well formed, and families have their folder."""
    rules = all_rules()
    assert len({rule.code for rule in rules}) == len(rules)
    assert len({rule.name for rule in rules}) == len(rules)
    for rule in rules:
        assert re.fullmatch(r"[FCDRELTSXV]\d{3}", rule.code)
        assert rule.module == (
            f"skillgauge.rules.{FAMILIES[rule.family]}.{rule.name.replace('-', '_')}"
        )


def test_no_stray_cases() -> None:
    """Every page of cases belongs to a rule."""
    assert {path.stem for path in CASES.glob("*.md")} <= {rule.name for rule in all_rules()}
