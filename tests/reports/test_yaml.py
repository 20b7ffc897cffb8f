"""What users reported about frontmatter that vanishes, and about linters that break or damage it.

Each test names the public report that it goes back to. Only the situation is taken from there.
"""

from __future__ import annotations

import re

import pytest

from skillgauge.document.skill import Skill
from skillgauge.engine import check, profile_settings
from skillgauge.fix import fix
from skillgauge.rule import Finding
from skillgauge.text import Text

from ..helpers import skill


def of_format(
    text: str, *, clients: tuple[str, ...] = (), profile: str = "default"
) -> list[Finding]:
    document = skill(text, folder="notes", clients=clients)
    found = check(document, profile_settings(profile)).findings
    return [finding for finding in found if finding.code.startswith("F")]


def fixed(text: str) -> str:
    return fix(skill(text, folder="notes")).text


def test_colon_in_a_description() -> None:
    """openai/codex #8609: the skill is not listed, and nothing says why."""
    text = (
        "---\nname: notes\ndescription: Writes notes: short ones. Use when asked.\n---\n# Notes\n"
    )
    (finding,) = of_format(text, clients=("codex",))
    assert finding.rule == "yaml-unquoted-colon"
    assert text[finding.span.start : finding.span.end] == ":"
    assert text[: finding.span.start].endswith("Writes notes")
    assert "Codex skips the skill" in finding.message


def test_the_fix_keeps_every_character_of_the_description() -> None:
    """BuilderIO/skills #38, semaphoreio/sem-ai #43, AtomisticSkills #32: no fixer mends it."""
    meant = 'Controls Discord: send messages, "react" to them. Use when: asked.'
    text = f"---\nname: notes\ndescription: {meant}\n---\n# Notes\n"
    after = fixed(text)
    assert Skill(Text(after)).description == meant
    assert after.replace(f"'{meant}'", meant) == text


def test_a_word_with_a_colon_on_a_later_line() -> None:
    """uditgoenka/autoresearch #69 and #71: `Iterations: N` inside the description."""
    text = (
        "---\nname: notes\ndescription: Improves notes step by step.\n  Iterations: N at most."
        " Use when asked.\n---\n# Notes\n"
    )
    (finding,) = of_format(text)
    assert finding.rule == "yaml-unquoted-colon"
    line, column = Text(text).position(finding.span.start)
    assert (line, column) == (3, 12)
    meant = "Improves notes step by step. Iterations: N at most. Use when asked."
    assert Skill(Text(fixed(text))).description == meant


@pytest.mark.parametrize("hint", ["[a] [b: c]", "[file] [--force]", "<a> [b]: c"])
def test_argument_hints_in_brackets(hint: str) -> None:
    """wanshuiyin/Auto-claude #324, N4M3Z/forge-council #8: hints as the docs show them."""
    text = (
        "---\nname: notes\ndescription: Writes notes. Use when asked.\n"
        f"argument-hint: {hint}\n---\n# Notes\n"
    )
    (finding,) = of_format(text, clients=("claude-code",))
    assert finding.rule in ("yaml-flow-bracket", "yaml-unquoted-colon")
    hint_read = Skill(Text(fixed(text))).value("argument-hint")
    assert hint_read is not None
    assert hint_read.text == hint


def test_one_broken_entry_hides_no_other() -> None:
    """Many tools stop at the first fault; here name and description are still judged."""
    text = "---\nname: Notes!\ndescription: ''\nargument-hint: [a] [b]\n---\n# Notes\n"
    rules = {finding.rule for finding in of_format(text)}
    assert {"name-characters", "description-empty", "yaml-flow-bracket"} <= rules
    assert not rules & {"name-missing", "description-missing"}


def test_no_name() -> None:
    """parcadei/Continuous-Claude-v3 #116: fine in Claude Code, skipped by Codex."""
    text = "---\ndescription: Writes notes. Use when asked.\n---\n# Notes\n"
    assert of_format(text, clients=("claude-code",)) == []
    (finding,) = of_format(text, clients=("claude-code", "codex"))
    assert finding.rule == "name-missing"
    assert "Codex" in finding.message


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (">\n  Writes notes:\n  short ones.", "Writes notes: short ones.\n"),
        ("|\n  Writes notes:\n  short ones.", "Writes notes:\nshort ones.\n"),
        (">-\n  Writes notes.\n\n  Use when asked.", "Writes notes.\nUse when asked."),
    ],
)
def test_block_scalars_are_read_whole(written: str, meant: str) -> None:
    """anthropics/claude-code #12971, QwenLM/qwen-code #4869 and others: `>` was read as the text.

    Also context-labs/whip #107, kirodotdev/KiroCrew #3182, oguzbilgic/kern-ai #318.
    """
    text = f"---\nname: notes\ndescription: {written}\n---\n# Notes\n"
    assert Skill(Text(text)).description == meant
    errors = [finding for finding in of_format(text) if finding.rule.startswith("yaml")]
    assert errors == []


@pytest.mark.parametrize(
    "text",
    [
        "---\n- name\n- description\n---\n",
        "---\nname: [notes]\ndescription: {a: b}\nmetadata: [c]\nallowed-tools: {d: e}\n---\n",
        "---\n[.a, .b]: c\n? [d]\n: e\n---\n",
    ],
)
def test_a_list_where_a_mapping_is_expected(text: str) -> None:
    """stbenjam/skillsaw #301, indexable-inc/index #632: the linter itself ends with an error."""
    found = of_format(text, profile="strict")
    assert found
    assert all(re.search(r"\w", finding.message) for finding in found)


def test_byte_order_mark_and_crlf() -> None:
    """stbenjam/skillsaw #315: neither may hide the frontmatter or move a place."""
    text = "\ufeff---\r\nname: notes\r\ndescription: a: b. Use when asked.\r\n---\r\n# Notes\r\n"
    mark, colon = of_format(text)
    assert (mark.rule, colon.rule) == ("byte-order-mark", "yaml-unquoted-colon")
    assert Text(text).position(colon.span.start) == (2, 14)
    after = fixed(text)
    assert after == text[1:].replace("a: b. Use when asked.", '"a: b. Use when asked."')


def test_fixes_leave_the_rest_alone() -> None:
    """stbenjam/skillsaw #325: an automatic fix damaged the text around it."""
    body = "# Notes\n\n```md\n---\ndescription: a: b\n---\n```\n\n\ta  \n\x0c\u2028é😀"
    text = (
        "---\r\n# one: two\r\nname:   notes # c\r\ndescription: x: y\r\nz:   'w'\r\n---\r\n"
        + body.replace("\n", "\r\n")
    )
    assert fixed(text) == text.replace("description: x: y", 'description: "x: y"', 1)


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: " + "a " * 30_000 + "\n---\n",
        "---\ndescription: a: b" + " " * 60_000 + "c\n---\n",
        "---\n" + "a: b: c\n" * 8_000 + "---\n",
        "---\nname: x\n---\n" + "`" * 100_000,
        "---\nname: x\n---\n" + "[" * 100_000,
        "---\nname: x\n---\n" + "<!-- " * 20_000,
        "---\nname: x\n---\n" + "\u00c3\u00a9" * 40_000,
        "---\nname: x\n---\n" + "```sh\n" * 20_000,
        "---\nname: x\n---\n" + "<<<<<<< a\n" * 20_000,
    ],
    ids=lambda text: re.sub(r"\W+", "_", text[:40]),
)
@pytest.mark.timeout(60)
def test_no_rule_of_this_family_needs_quadratic_time(text: str) -> None:
    """stbenjam/skillsaw #318 and #330: long files took quadratic, some patterns exponential time.

    The timeout is generous: what is quadratic here takes minutes.
    """
    findings = of_format(text, profile="strict")
    assert all(0 <= finding.span.start <= finding.span.end <= len(text) for finding in findings)


def test_examples_in_fences_are_no_frontmatter() -> None:
    """addyosmani/agent-skills #517: what stands in an example's fence was flagged."""
    text = (
        "---\nname: notes\ndescription: Writes notes. Use when asked.\n---\n# Notes\n\n"
        "```markdown\n---\nname: a: b\ndescription: @x\n---\n<<<<<<< ours\n=======\n"
        ">>>>>>> theirs\n```\n"
    )
    assert of_format(text, profile="strict") == []
