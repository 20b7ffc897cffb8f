"""The record of what a trial asked and was answered: JSON lines, one an exchange, no secrets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, Self, cast

from skillgauge.errors import InputError
from skillgauge.lift.redaction import redact, redact_values

MAX_BODY: Final = 16 * 2**20
"""A larger request or answer is left out of the record, which says how large it was."""
MAX_RECORD: Final = 512 * 2**20
"""When it is reached, bodies are left out."""

Cut = Literal["", "client", "endpoint", "end"]


@dataclass(slots=True)
class Exchange:
    """One request and what became of it."""

    n: int
    at: str
    """When it came in, in UTC."""
    method: str
    path: str
    dialect: str = ""
    kind: str = ""
    """answer, count or models; "" for what was refused."""
    request: Any = None
    status: int = 0
    """What the client got."""
    content_type: str = ""
    response: str | None = None
    """As the endpoint sent it."""
    usage: Mapping[str, int] | None = None
    cost_usd: float | None = None
    seconds: float = 0.0
    cut: Cut = ""
    """Who broke it off: the agent, the endpoint, or the trial by its end."""
    problem: str = ""
    removed: Sequence[str] = ()
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many bytes of the request or the answer are not here."""


class Recorder:
    """Writes a record; each exchange is with the system when `write` returns."""

    def __init__(self, path: Path, secrets: Sequence[str]) -> None:
        self._secrets = secrets
        self._size = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(handle, "w", encoding="utf-8", newline="\n")

    def clean(self, request: Any) -> Any:
        """Return a request as the record has it."""
        try:
            return redact_values(request, self._secrets)
        except RecursionError:
            return None

    def write(self, exchange: Exchange, response: bytes) -> None:
        """Write an exchange whose request is clean already. Raises OSError."""
        left_out = dict(exchange.left_out)
        if len(response) > MAX_BODY or self._size > MAX_RECORD:
            left_out["response"] = len(response)
        elif exchange.response is None:
            exchange.response = redact(response.decode("utf-8", "replace"), self._secrets)
        if self._size > MAX_RECORD and exchange.request is not None:
            exchange.request, left_out["request"] = None, 0
        exchange.left_out = left_out
        exchange.problem = redact(exchange.problem, self._secrets)
        values = {name: getattr(exchange, name) for name in Exchange.__slots__}
        values["removed"] = list(exchange.removed)
        line = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        self._size += len(line)
        self._file.write(line.encode("utf-8", "replace").decode("utf-8") + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def exchanges(record: Path) -> Iterator[Exchange]:
    """Yield what a record holds; a last line that was not written whole is left out."""
    try:
        with record.open(encoding="utf-8") as lines:
            for line in lines:
                if found := _exchange(line):
                    yield found
    except OSError as error:
        raise InputError(f"“{record}” can't be read", error.strerror or str(error)) from error


def _exchange(line: str) -> Exchange | None:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(body, dict):
        return None
    values = {k: v for k, v in cast("dict[str, Any]", body).items() if k in Exchange.__slots__}
    try:
        return Exchange(**values)
    except TypeError:
        return None


def requests(record: Path) -> Iterator[str]:
    """Yield all texts of each request to a model, one after the other."""
    for exchange in exchanges(record):
        if exchange.kind == "answer":
            yield "\n".join(strings(exchange.request))


def strings(value: object) -> Iterator[str]:
    """Yield the texts within a JSON value, in their order."""
    waiting: list[object] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += reversed(list(cast("dict[str, object]", one).values()))
        elif isinstance(one, list):
            waiting += reversed(cast("list[object]", one))
