"""Finds the calls in a piece of JavaScript that an agent wrote: `tools.NAME(…)`, with arguments.

It reads, it runs nothing. Strings, comments and regular expressions are told from code; arguments
are worked out as far as they are literals, constants and sums of these. What is not stays as its
source text, and the call says so. It is total: any text gives a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from skillgauge.lift.trajectory._raw import Json, obj

MAX_SOURCE: Final = 2**17
MAX_CALLS: Final = 500
MAX_TEXT: Final = 2000
"""Of the source text that stands for an argument which has no end."""
MAX_DEPTH: Final = 40
_SPACE: Final = re.compile(r"(?:\s+|//[^\n]*|/\*.*?(?:\*/|\Z))+", re.DOTALL)
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER: Final = re.compile(r"0[xX][\da-fA-F_]+|(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][+-]?\d+)?")
_STRING: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_REGEX: Final = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_ESCAPE: Final = re.compile(
    r"\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|.))", re.DOTALL
)
_PLAIN: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS: Final[dict[str, object]] = {"true": True, "false": False, "null": None, "undefined": None}
_BEFORE_REGEX: Final = ("return", "typeof", "case", "in", "of", "await")
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class InnerCall:
    """A call that stands in the source."""

    name: str
    arguments: Json
    literal: bool
    """Whether all arguments were worked out; otherwise some are source text."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "name", "number", "string", "template" or "sign"
    text: str
    start: int
    end: int
    parts: tuple[str | tuple[_Token, ...], ...] = ()
    """Of a template: its texts, and the tokens of what is put in."""


class _Unknown(Exception):
    """An expression that is not literal."""


def calls(source: str) -> list[InnerCall]:
    """Return the calls of tools in a source, in the order in which they stand."""
    source = source[:MAX_SOURCE]
    tokens = _tokens(source, 0, len(source), 0)[0]
    reader = _Reader(source)
    groups = _groups(tokens)
    for group in groups:
        reader.learn(group)
    for group in groups:
        reader.find(group)
    return [call for _, call in sorted(reader.found, key=lambda pair: pair[0])]


def _groups(tokens: Sequence[_Token]) -> list[Sequence[_Token]]:
    """Return the tokens, and those inside of its templates, each as a group."""
    groups = [tokens]
    for group in groups:  # grows while it is walked
        for token in group:
            groups.extend(part for part in token.parts if isinstance(part, tuple))
    return groups


def _tokens(source: str, at: int, end: int, depth: int) -> tuple[list[_Token], int]:
    """Return the tokens up to `end`, or inside of a template up to its closing brace."""
    found: list[_Token] = []
    open_braces = 0
    while at < end:
        if space := _SPACE.match(source, at):
            at = space.end()
            continue
        token = _token(source, at, end, depth, found[-1] if found else None)
        if depth and token.text == "}" and token.kind == "sign" and not open_braces:
            return found, token.end
        open_braces += {"{": 1, "}": -1}.get(token.text, 0) if token.kind == "sign" else 0
        found.append(token)
        at = token.end
    return found, end


def _token(source: str, at: int, end: int, depth: int, last: _Token | None) -> _Token:
    first = source[at]
    if first == "`":
        return _template(source, at, end, depth)
    if first in "\"'" and (match := _STRING.match(source, at, end)):
        return _Token("string", _unescaped(match[0][1:-1]), at, match.end())
    if match := _NAME.match(source, at, end):
        return _Token("name", match[0], at, match.end())
    if match := _NUMBER.match(source, at, end):
        return _Token("number", match[0], at, match.end())
    if first == "/" and _regex_may_follow(last) and (match := _REGEX.match(source, at, end)):
        return _Token("regex", match[0], at, match.end())
    for sign in ("...", "?.", "=>", "===", "!==", "==", "!=", "<=", ">=", "+=", "||", "&&", "??"):
        if source.startswith(sign, at):
            return _Token("sign", sign, at, at + len(sign))
    return _Token("sign", first, at, at + 1)


def _regex_may_follow(last: _Token | None) -> bool:
    if last is None or last.text in _BEFORE_REGEX:
        return True
    return last.kind == "sign" and last.text not in (")", "]", "}")


def _template(source: str, start: int, end: int, depth: int) -> _Token:
    parts: list[str | tuple[_Token, ...]] = []
    at = begin = start + 1
    while at < end and source[at] != "`":
        if source[at] == "\\":
            at += 2
        elif source.startswith("${", at) and depth < MAX_DEPTH:
            parts.append(_unescaped(source[begin:at]))
            inner, at = _tokens(source, at + 2, end, depth + 1)
            parts.append(tuple(inner))
            begin = at
        else:
            at += 1
    at = min(at, end)
    parts.append(_unescaped(source[begin:at]))
    return _Token("template", source[start : at + 1], start, at + 1, tuple(parts))


def _unescaped(raw: str) -> str:
    if "\\" not in raw:
        return raw
    told = _ESCAPE.sub(_escape, raw)
    return told.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= 0x10FFFF else "\ufffd"
    plain = match[4]
    return "" if plain in ("\n", "\r\n") else _PLAIN.get(plain, plain)


class _Reader:
    """Knows a source's constants and its other names for the tools."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.values: dict[str, object] = {}
        self.objects = {"tools"}
        self.functions: dict[str, str] = {}
        self.found: list[tuple[int, InnerCall]] = []
        self.pairs: dict[int, list[int]] = {}
        """The brackets of each group of tokens, by its identity; groups live as long as this."""

    def _close(self, tokens: Sequence[_Token], opened: int) -> int:
        known = self.pairs.get(id(tokens))
        if known is None:
            known = self.pairs[id(tokens)] = _pairs(tokens)
        return known[opened]

    def learn(self, tokens: Sequence[_Token]) -> None:
        for at, token in enumerate(tokens):
            texts = [one.text for one in tokens[at : at + 5]]
            if token.text in ("const", "let", "var") and token.kind == "name" and len(texts) > 3:
                self._declare(tokens, at, texts)
            elif token.kind == "name" and texts[1:2] in (["="], ["+="]):
                before = tokens[at - 1].text if at else ""
                if before not in ("const", "let", "var", ",", "."):
                    self.values.pop(token.text, None)  # not a constant after all

    def _declare(self, tokens: Sequence[_Token], at: int, texts: list[str]) -> None:
        if texts[1] == "{":
            close = self._close(tokens, at + 1)
            after = [one.text for one in tokens[close + 1 : close + 3]]
            if len(after) == 2 and after[0] == "=" and after[1] in self.objects:
                self._destructure(tokens[at + 2 : close])
        elif texts[2] == "=" and tokens[at + 1].kind == "name":
            name, called = texts[1], tokens[at + 3].text
            if called in self.objects and texts[4:5] == ["."] and at + 5 < len(tokens):
                if at + 6 >= len(tokens) or tokens[at + 6].text != "(":
                    self.functions[name] = tokens[at + 5].text
            elif called in self.objects and texts[4:5] in ([";"], []):
                self.objects.add(name)
            else:
                self._constant(tokens, at + 3, name)

    def _constant(self, tokens: Sequence[_Token], at: int, name: str) -> None:
        try:
            value, end = self.value(tokens, at, 0)
        except _Unknown:
            return
        last = end >= len(tokens) or tokens[end].text in (";", ",")
        if last or "\n" in self.source[tokens[end - 1].end : tokens[end].start]:
            self.values[name] = value

    def _destructure(self, tokens: Sequence[_Token]) -> None:
        names = [token.text for token in tokens if token.text != ","]
        while names:
            name = names.pop(0)
            if len(names) > 1 and names[0] == ":":
                self.functions[names[1]] = name
                names = names[2:]
            else:
                self.functions[name] = name

    def find(self, tokens: Sequence[_Token]) -> None:
        for at, token in enumerate(tokens):
            if token.kind != "name" or (at and tokens[at - 1].text in (".", "?.")):
                continue
            name, opened = "", at + 1
            texts = [one.text for one in tokens[at : at + 5]]
            if token.text in self.objects and texts[1:2] in (["."], ["?."]) and len(texts) > 3:
                name, opened = texts[2], at + 3
            elif token.text in self.objects and texts[1:2] == ["["] and texts[3:4] == ["]"]:
                name, opened = texts[2], at + 4
            elif token.text in self.functions:
                name = self.functions[token.text]
            if len(self.found) == MAX_CALLS:
                return
            if name and opened < len(tokens) and tokens[opened].text == "(":
                self.found.append((token.start, self._call(name, tokens, opened)))

    def _call(self, name: str, tokens: Sequence[_Token], opened: int) -> InnerCall:
        close = self._close(tokens, opened)
        if close == len(tokens) and close > opened + 1:
            start = tokens[opened + 1].start
            return InnerCall(name, {"input": self.source[start : start + MAX_TEXT]}, False)
        pairs = _split(tokens, opened + 1, close)
        items = [self._item(tokens, begin, end, 1) for begin, end in pairs]
        literal = all(known for _, known in items)
        values = [value for value, _ in items]
        if len(values) != 1:
            return InnerCall(name, {"input": values} if values else {}, literal)
        is_object = isinstance(values[0], dict)
        return InnerCall(name, obj(values[0]) if is_object else {"input": values[0]}, literal)

    def _item(
        self, tokens: Sequence[_Token], begin: int, end: int, depth: int
    ) -> tuple[object, bool]:
        """Return an expression's value, or its source text and False."""
        if begin < end and tokens[begin].text == "{" and tokens[begin].kind == "sign":
            return self._object(tokens, begin, depth)
        try:
            value, after = self.value(tokens, begin, depth)
            if after == end:
                return value, True
        except _Unknown:
            pass
        if end - begin == 1 and tokens[begin].kind == "template":
            return self._filled(tokens[begin], depth), False
        return self.source[tokens[begin].start : tokens[end - 1].end], False

    def _object(self, tokens: Sequence[_Token], at: int, depth: int) -> tuple[Json, bool]:
        found: Json = {}
        literal = depth < MAX_DEPTH
        for begin, end in _split(tokens, at + 1, self._close(tokens, at)) if literal else ():
            key = tokens[begin]
            spread = self.values.get(tokens[begin + 1].text) if end - begin == 2 else None
            if key.text == "..." and isinstance(spread, dict):
                found |= cast("Json", spread)
            elif key.kind in ("name", "string", "number") and end - begin == 1:
                literal = literal and key.text in self.values
                found[key.text] = self.values.get(key.text, key.text)
            elif key.kind in ("name", "string", "number") and tokens[begin + 1].text == ":":
                value, known = "", False
                if end > begin + 2:
                    value, known = self._item(tokens, begin + 2, end, depth + 1)
                found[key.text] = value
                literal = literal and known
            else:
                literal = False
                found[f"({len(found)})"] = self.source[key.start : tokens[end - 1].end]
        return found, literal

    def _filled(self, token: _Token, depth: int) -> str:
        """Return a template's text, with the source of what is not known."""
        text = ""
        for part in token.parts:
            if isinstance(part, str):
                text += part
            elif part:
                value, known = self._item(part, 0, len(part), depth + 1)
                text += _as_text(value) if known else f"${{{value}}}"
        return text

    def value(self, tokens: Sequence[_Token], at: int, depth: int) -> tuple[object, int]:
        """Return the value of a literal expression, and the index after it."""
        value, at = self._term(tokens, at, depth)
        while at < len(tokens) and tokens[at].text == "+" and tokens[at].kind == "sign":
            right, at = self._term(tokens, at + 1, depth)
            if not (isinstance(value, str) or isinstance(right, str)):
                raise _Unknown
            value = _as_text(value) + _as_text(right)
        return value, at

    def _term(self, tokens: Sequence[_Token], at: int, depth: int) -> tuple[object, int]:
        if at >= len(tokens) or depth > MAX_DEPTH:
            raise _Unknown
        token = tokens[at]
        if token.kind == "string":
            return token.text, at + 1
        if token.kind == "number":
            return _number(token.text), at + 1
        if token.kind == "template":
            return self._whole(token, depth), at + 1
        if token.kind == "name" and token.text in _WORDS:
            return _WORDS[token.text], at + 1
        if token.kind == "name" and token.text in self.values:
            return self.values[token.text], at + 1
        if token.kind == "sign" and token.text in _OPEN:
            return self._bracket(tokens, at, depth)
        raise _Unknown

    def _bracket(self, tokens: Sequence[_Token], at: int, depth: int) -> tuple[object, int]:
        close = self._close(tokens, at)
        if tokens[at].text == "{":
            found, literal = self._object(tokens, at, depth + 1)
            if not literal:
                raise _Unknown
            return found, close + 1
        items = [self._item(tokens, *pair, depth + 1) for pair in _split(tokens, at + 1, close)]
        if not all(known for _, known in items) or (tokens[at].text == "(" and len(items) != 1):
            raise _Unknown
        values = [value for value, _ in items]
        return (values if tokens[at].text == "[" else values[0]), close + 1

    def _whole(self, token: _Token, depth: int) -> str:
        text = ""
        for part in token.parts:
            if isinstance(part, str):
                text += part
            else:
                value, end = self.value(part, 0, depth + 1)
                if end != len(part):
                    raise _Unknown
                text += _as_text(value)
        return text


def _pairs(tokens: Sequence[_Token]) -> list[int]:
    """Return for each opening bracket the index of the one that closes it, or the end."""
    found = [len(tokens)] * len(tokens)
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind == "sign" and token.text in _OPEN:
            opened.append(at)
        elif token.kind == "sign" and token.text in (")", "]", "}") and opened:
            found[opened.pop()] = at
    return found


def _split(tokens: Sequence[_Token], begin: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges between the commas at the top level; empty ones are left out."""
    found: list[tuple[int, int]] = []
    depth, start = 0, begin
    for at in range(begin, end):
        token = tokens[at]
        if token.kind != "sign":
            continue
        if token.text in _OPEN:
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif token.text == "," and not depth:
            found.append((start, at))
            start = at + 1
    found.append((start, end))
    return [(left, right) for left, right in found if left < right]


def _number(text: str) -> int | float | str:
    plain = text.replace("_", "")
    try:
        return int(plain, 0) if plain[:2].lower() == "0x" or plain.isdigit() else float(plain)
    except ValueError:
        return text


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "undefined" if value is None else str(value)
