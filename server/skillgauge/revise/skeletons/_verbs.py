"""Which lines tell somebody to do something."""

from __future__ import annotations

import re
from typing import Final

from skillgauge.document.vocabulary import words

_VERBS: Final = words(
    """
    add adjust aggregate align allow analyse analyze annotate answer append apply archive
    ask assemble assess assign attach audit avoid back batch begin benchmark bind book
    branch break browse build bump cache calculate call capture catch change check choose
    clarify classify clean click clone close collect combine commit compare compile complete
    compose compress compute configure confirm connect consider construct convert copy
    correct count create crop cross-check customize cut debug decide declare decode
    decompose define delete deliver deploy derive describe design detect determine develop
    diagnose disable discover display divide document download draft draw drop edit embed
    emit enable encode end enforce ensure enter enumerate escape establish estimate evaluate
    examine exclude execute expand explain explore export expose extend extract fetch fill
    filter finalize find finish fit fix flag focus follow force format gather generate get
    give go group guide handle highlight identify implement import improve include index
    inform initialize insert inspect install integrate interpret introduce investigate
    invoke iterate join keep label launch leave limit link list load locate log look loop
    maintain make manage map mark match measure merge migrate mock monitor mount move name
    normalize note notify obtain offer omit open optimize order organize outline output
    override package parse pass paste patch perform pick pin plan plot point post prefer
    prepare present preserve preview print prioritize probe process produce profile propose
    provide publish pull push put query quote raise rank read rebuild recommend record
    redact reduce refactor refer refine register reject release reload remove rename render
    reorder repeat replace reply report reproduce request require research reset resize
    resolve restart restore restrict resume retrieve retry return reuse review revise
    rewrite rotate run sample sanitize save scale scan schedule score screen scroll search
    select send separate serve set ship show sign simplify simulate skip solve sort specify
    split stage start state stop store stream structure submit suggest summarise summarize
    supply surface switch synthesize tag take tell test track train transform translate
    trigger trim try tune turn type understand unpack unzip update upgrade upload use
    validate verify visit visualize wait walk warn watch weigh wire wrap write
    """
)
_LEADING: Final = re.compile(r"^(?:\[[ xX]\][ \t]+)?[*_`\"“]*([A-Za-z][a-z]*(?:-[a-z]+)?)")
_NUMBERED: Final = re.compile(
    r"^(?:(?:step|phase|stage)[ \t]*)?\d+(?:\.\d+)*[.:)]?(?:[ \t]*[-–—:][ \t]*|[ \t]+)|"
    r"^(?:step|phase|stage)[ \t]+(?:\d+|[A-Z])[.:)]?[ \t]*[-–—:]?[ \t]*",
    re.IGNORECASE,
)


def is_order(text: str) -> bool:
    """Return whether a line begins with a verb in the imperative."""
    match = _LEADING.match(text.strip())
    return match is not None and match[1].lower() in _VERBS


def without_number(text: str) -> str:
    """Return a heading without the number of its step."""
    return _NUMBERED.sub("", text.strip(), count=1).strip()


def gerund(text: str) -> bool:
    """Return whether a text begins with a verb in -ing: “Building agents”."""
    match = re.match(r"[A-Za-z]+ing\b", text)
    return match is not None and len(match[0]) > 5 and match[0].lower() not in _NO_VERBS


_NO_VERBS: Final = frozenset({"during", "nothing", "something", "anything", "everything"})
