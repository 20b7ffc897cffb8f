"""One case of an evaluation file, whatever the dialect calls its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from skillgauge.document.eval_keys import ROLES, Role
from skillgauge.document.nodes import Alias, Entry, Mapping, Node, Scalar, Sequence
from skillgauge.text import Span

_TEXT_KEYS: Final = ("text", "assertion", "expectation", "description", "statement", "criterion")
_TRUE: Final = frozenset({"true", "yes", "on", "y"})


@dataclass(frozen=True, slots=True)
class Assertion:
    """One thing that a case expects; `text` is empty where it is no sentence but a check."""

    text: str
    span: Span
    node: Node


@dataclass(frozen=True, slots=True)
class EvalCase:
    """A case. A part is None where it is missing or of another type; `entry` has it as written."""

    index: int
    node: Node
    partial: bool
    """Whether there may be more than was read: behind a fault, or through a YAML alias."""
    id: Scalar | None = None
    prompt: Scalar | None = None
    expected_output: Scalar | None = None
    assertions: tuple[Assertion, ...] = ()
    files: tuple[Scalar, ...] = ()
    expected_skill: Scalar | None = None
    expected_script: Scalar | None = None
    acceptable_skills: tuple[Scalar, ...] = ()
    should_trigger: bool | None = None
    keys: dict[str, Entry] = field(default_factory=dict[str, Entry], repr=False, compare=False)
    """The entries by their keys; of doubled ones the last, which a JSON reader keeps."""

    @property
    def span(self) -> Span:
        """The whole case."""
        return self.node.span

    @property
    def head(self) -> Span:
        """Where to point when a part is missing: the case's first key, or its first character."""
        if isinstance(self.node, Mapping) and self.node.entries:
            return self.node.entries[0].key_span
        return Span(self.span.start, min(self.span.start + 1, self.span.end))

    @property
    def label(self) -> str:
        """How a message calls the case."""
        return f"case “{self.id.text}”" if self.id and self.id.text else f"case {self.index + 1}"

    def entry(self, role: Role) -> Entry | None:
        """Return the key that stands for a part, with its value; of doubled ones the last."""
        return _entry(self.keys, role)

    def lacks(self, role: Role) -> bool:
        """Return whether a part is certainly missing."""
        return not self.partial and isinstance(self.node, Mapping) and self.entry(role) is None

    @property
    def expects_none(self) -> bool:
        """Whether `expected_skill` says that no skill is to be used."""
        entry = self.entry("expected_skill")
        value = entry.value if entry else None
        return isinstance(value, Scalar) and (value.type == "null" or not value.text.strip())

    def is_negative(self, own: str | None) -> bool:
        """Return whether the skill called `own` should stay out of this case."""
        if self.should_trigger is not None:
            return not self.should_trigger
        if self.expects_none:
            return True
        return bool(own and self.expected_skill and self.expected_skill.text != own)


def make_case(index: int, node: Node, *, partial: bool = False) -> EvalCase:
    """Read one case. Never raises: what is no object is a case without parts."""
    if not isinstance(node, Mapping):
        return EvalCase(index, node, partial or isinstance(node, Alias))
    keys = {entry.key: entry for entry in node.entries}
    flag = _scalar(_entry(keys, "should_trigger"))
    return EvalCase(
        index,
        node,
        partial or "<<" in keys,
        id=_given(_entry(keys, "id")),
        prompt=_string(_entry(keys, "prompt")),
        expected_output=_string(_entry(keys, "expected_output")),
        assertions=tuple(_assertions(_entry(keys, "assertions"))),
        files=tuple(_strings(_entry(keys, "files"))),
        expected_skill=_string(_entry(keys, "expected_skill")),
        expected_script=_string(_entry(keys, "expected_script")),
        acceptable_skills=tuple(_strings(_entry(keys, "acceptable_skills"))),
        should_trigger=_truth(flag) if flag else None,
        keys=keys,
    )


def _entry(keys: dict[str, Entry], role: Role) -> Entry | None:
    return next((keys[key] for key in ROLES[role] if key in keys), None)


def is_string(node: Node | None) -> bool:
    """Return whether a value is text to every loader."""
    return isinstance(node, Scalar) and node.type == "str"


def _scalar(entry: Entry | None) -> Scalar | None:
    return entry.value if entry and isinstance(entry.value, Scalar) else None


def _given(entry: Entry | None) -> Scalar | None:
    value = _scalar(entry)
    return value if value and value.type != "null" else None


def _string(entry: Entry | None) -> Scalar | None:
    value = _scalar(entry)
    return value if is_string(value) else None


def _strings(entry: Entry | None) -> Iterator[Scalar]:
    value = entry.value if entry else None
    for item in value.items if isinstance(value, Sequence) else (value,):
        if isinstance(item, Scalar) and is_string(item):
            yield item


def _truth(value: Scalar) -> bool | None:
    """Return a flag's meaning; a string that says true or false is taken at its word."""
    word = value.text.strip().lower()
    if word in _TRUE:
        return True
    return False if word in ("false", "no", "off", "n") else None


def _assertions(entry: Entry | None) -> Iterator[Assertion]:
    value = entry.value if entry else None
    for item in value.items if isinstance(value, Sequence) else (value,):
        if isinstance(item, Scalar) and item.text.strip() and item.type != "null":
            yield Assertion(item.text, item.span, item)
        elif isinstance(item, Mapping):
            found = (item.get(key) for key in _TEXT_KEYS)
            text = next((node for node in found if isinstance(node, Scalar)), None)
            yield Assertion(text.text if text else "", text.span if text else item.span, item)
        elif isinstance(item, Sequence | Alias):
            yield Assertion("", item.span, item)
