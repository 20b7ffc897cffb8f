"""Plain values: nothing is lost on the way through JSON, and constants agree with the rules'."""

from __future__ import annotations

import json
from pathlib import Path

from skillgauge import config, records, rule, rules
from skillgauge.engine import check, profile_settings
from skillgauge.records import items_of, to_plain

from ..helpers import skill

TEXT = "---\nname: a-b\ndescription: Cuts: files\n---\n\n[x](missing.md) \udcff 😀\n"


def test_constants_that_are_repeated_to_save_imports() -> None:
    assert records.PAGES == rules.PAGES
    assert {item.label: item.value for item in rule.Severity} == records.RANKS
    assert config.PROFILE_NAMES == rule.PROFILES
    assert set(config.LEVELS) == set(records.RANKS)


def test_plain_values_survive_json() -> None:
    document = skill(TEXT)
    result = check(document, profile_settings("strict"))
    plain = json.loads(json.dumps(to_plain(document, result)))
    items = items_of(plain)
    assert len(items) == len(result.findings) > 5
    for item, finding in zip(items, result.findings, strict=True):
        start, end = (document.text.position(offset) for offset in finding.span)
        assert (item.code, item.rule, item.message) == (finding.code, finding.rule, finding.message)
        assert item.severity == finding.severity.label
        assert (item.line, item.column) == (start.line + 1, start.column + 1)
        assert (item.end_line, item.end_column) == (end.line + 1, end.column + 1)
        assert (item.fix is None) == (finding.fix is None)
        if item.fix and finding.fix:
            edits = [(*edit.span, edit.text) for edit in finding.fix.edits]
            assert [tuple(edit) for edit in item.fix.edits] == edits
            assert item.fix_kind == ("safe" if finding.fix.safe else "unsafe")
        assert len(item.related) == len(finding.related)
    assert result.structure is not None
    assert plain["structure"]["score"] == result.structure.score
    assert set(plain["structure"]["dimensions"]) == set(result.structure.dimensions)


def test_related_places_keep_their_file() -> None:
    document = skill(TEXT)
    related = (
        rule.Related("Other.", path=Path("/x/SKILL.md"), start=rule.Position(2, 3)),
        rule.Related("Same.", span=rule.Span(4, 8)),
    )
    result = check(document, rules=())
    finding = rule.Finding(rule.Span(0, 3), "M.", related=related, code="F001", rule="x")
    plain = to_plain(document, type(result)((finding,), None))
    (item,) = items_of(json.loads(json.dumps(plain)))
    assert [tuple(note) for note in item.related] == [
        ("Other.", "/x/SKILL.md", 3, 4),
        ("Same.", "", 2, 1),
    ]
