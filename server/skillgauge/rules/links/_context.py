"""What the words around a mention say: the file is made here, an example, or somebody else's."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from skillgauge.document.references import Reference
from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern

_BEFORE: Final = 220
_AFTER: Final = 120

_MADE: Final = lazy_pattern(
    r"\b(?:creat|writ|wrote|sav|generat|emit|output|produc|scaffold|stor|append|record|export|add"
    r"|plac|cop(?:y|i)|mov|extract|split|put|rename|render|propos|suggest|download|need(?:s|ed)? a"
    r"|missing|delet|remov)(?:e|es|ed|d|s|ing|ten|y|ies|ied|ping|ting)?\b"
    r"|(?:→|->|=>)\s*$"
    r"|\b(?:would|could|might|may|should) (?:be|have|contain|live|go)\b"
    r"|创建|生成|写入|保存|新建|建立|產出|输出|輸出|寫入|新增|作成|保存する|出力",
    re.IGNORECASE,
)
_EXAMPLE: Final = lazy_pattern(
    r"\be\.\s?g\.|\bi\.e\.|\bfor (?:example|instance)\b|\bsuch as\b|\bexamples?\b\W{0,6}$|\blike\b"
    r"|\bif (?:it |they |one |any |a |the )?(?:\w+ )?"
    r"(?:exists?|is present|present|available|applicable|needed)"
    r"|\bwhen (?:it|they) exists?\b|\bwhen present\b|\boptional|\bno longer\b"
    r"|\bnot (?:included|bundled|shipped)|\bdoes(?:n't| not) (?:exist|ship)|\bimport\s"
    r"|\bversus\b|\bvs\.?\s|例如|比如|例えば",
    re.IGNORECASE,
)
_FOREIGN_BEFORE: Final = lazy_pattern(
    r"`[a-z0-9]+(?:-[a-z0-9]+)+`\s*\([^)]*$"
    r"|['’]s?\s*(?:own\s*|shared\s*|existing\s*|`[^`]*`\s*(?:\+|and|/|,)\s*){0,3}\W{0,4}$"
    r"|\b(?:its|their|his)\b[^.;|]{0,40}$"
    r"|\b(?:repo|repository|repo-root|root|upstream|project|codebase|monorepo|checkout|plugin|plugins|"
    r"package|clone|cloned|in-repo|shared|vendored|workspace|canonical|parent|sibling|other skills?"
    r"|another skill|installed)\b",
    re.IGNORECASE,
)
_FOREIGN_AFTER: Final = lazy_pattern(
    r"^[`*_)\]]*\s*(?:\([^)]{0,40}\)\s*)?(?:in|of|from|inside|within|under|at|on)\s+(?:the|a|an|your|this|that|its|every|each)?\s*"
    r"(?:[\w./`*-]+\s+){0,3}(?:repo|repository|project|plugin|package|skill|root|codebase|workspace|checkout)\b"
    r"|^[`*_)\]]*\s*(?:if|when) (?:it |they )?(?:exists?|present|available)"
    r"|^[^.|]{0,60}\b(?:exists?|at the repo|repo root|repository root|is absent)\b"
    r"|^[^.|]{0,40}\b(?:in|of|from) (?:the )?[\w +,/&-]{1,40}\bskills\b"
    r"|^[^.|]{0,40}\bCDN\b",
    re.IGNORECASE,
)
_ABOUT_SKILLS: Final = lazy_pattern(
    r"\b(?:creat|writ|author|build|develop|design|review|validat|refactor|improv|evaluat|test|audit"
    r"|lint|maintain|architect|scaffold|migrat|port|convert|packag|publish)\w*\s+"
    r"(?:(?!when\b)[\w/,-]+\s+){0,4}(?:skills?|plugins?)\b"
    r"|\b(?:skill|plugin)s?[ -]"
    r"(?:creation|development|authoring|architecture|design|quality|writing)",
    re.IGNORECASE,
)
_FORBIDS: Final = lazy_pattern(
    r"\b(?:never|not|don['’]t|avoid|without)\b|n['’]t\b|不要|禁止", re.IGNORECASE
)
_ITEM: Final = lazy_pattern(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+")
_LISTING: Final = lazy_pattern(
    r"(?:\W*\b(?:resources?|references?|bundled|assets|scripts|templates|examples|files|file|additional"
    r"|included|contents|documentation|docs|supporting|further|reading|detailed|guides?|available"
    r"|helper|and|materials?|this|skill|in|the|utility|quick|see|also|tools|optional|python)\b)+\W*|.*(?:参考|资源|脚本).*",
    re.IGNORECASE,
)
_IN_PROJECT: Final = lazy_pattern(
    r"\b(?:project|plugin|package) root\b"
    r"|\b(?:repo|repository|upstream|checkout|monorepo|cloned?)\b",
    re.IGNORECASE,
)
_PROJECT: Final = lazy_pattern(
    r"\bgit clone\b|\bpytest\b|\bdocker (?:build|compose)\b|\bkubectl\b|\bcargo \w|\bmake \w"
    r"|\bnpm (?:run|test|ci|install)\b|^\s*cd (?!\$\{?CLAUDE|\.)",
    re.MULTILINE,
)


def is_somebody_elses(skill: Skill, reference: Reference) -> bool:
    """Return whether the words around say that the file is made, an example, or lies elsewhere."""
    source, span = skill.source, reference.span
    before = _sentence_before(source, span.start)
    after = source[span.end : span.end + _AFTER].split("\n\n", 1)[0].replace("\n", " ")
    if _MADE.search(before) or _EXAMPLE.search(before):
        return True
    return bool(_FOREIGN_BEFORE.search(before) or _FOREIGN_AFTER.search(after))


def _sentence_before(source: str, at: int) -> str:
    """Return the words of the sentence, cell or list item in front of an offset."""
    text = source[max(at - _BEFORE, 0) : at]
    text = re.split(
        r"\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|(?<!e\.g)(?<!i\.e)[.!?;](?:\s|(?=[^\x00-\x7f]))|[。；]|\n#",
        text,
    )[-1]
    return text.replace("\n", " ")


def is_project_command(skill: Skill, reference: Reference) -> bool:
    """Return whether a command stands among those of a project that the reader works on."""
    at = reference.span.start
    block = next((one for one in skill.markdown.code_blocks if one.span.contains(at)), None)
    if block:
        before = skill.source[max(block.span.start - _AFTER, 0) : block.span.start]
        if _IN_PROJECT.search(before):
            return True
        if _PROJECT.search(skill.source, block.content.start, block.content.end):
            return True
    section = skill.markdown.section_at(at)
    return section is not None and "install" in section.heading.text.lower()


def is_forbidden(skill: Skill, reference: Reference) -> bool:
    """Return whether the sentence or the line above its list says not to use the file."""
    at = reference.span.start
    before = _sentence_before(skill.source, at)
    if _FORBIDS.search(before):
        return True
    line = skill.text.line_of(at)
    intro = introduction(skill, line)
    return intro is not None and bool(_FORBIDS.search(intro))


def introduction(skill: Skill, line: int) -> str | None:
    """Return the line above the list that `line` is an item of; None if it is no item."""
    if not _ITEM.match(skill.text.line(line)):
        return None
    for number in range(line - 1, max(line - 40, -1), -1):
        text = skill.text.line(number)
        if text.strip() and not _ITEM.match(text) and not text.startswith((" ", "\t")):
            return text
    return ""


def is_listed(skill: Skill, reference: Reference) -> bool:
    """Return whether a mention opens a list item or table row below a heading for resources."""
    section = skill.markdown.section_at(reference.span.start)
    if section is None or not _LISTING.fullmatch(section.heading.text):
        return False
    line = skill.text.line_span(skill.text.line_of(reference.span.start))
    return not re.search(r"[A-Za-z]", skill.source[line.start : reference.span.start])


def is_about_skills(skill: Skill) -> bool:
    """Return whether a skill tells how skills or plugins are made: its paths are then examples."""
    return _about(skill.name or skill.folder_name or "", skill.description or "")


@lru_cache(maxsize=64)
def _about(name: str, description: str) -> bool:
    return bool(re.search(r"skill|plugin", name) or _ABOUT_SKILLS.search(description))
