"""What an editor feels: the start, the time from a keystroke to its diagnostics, the memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import cpu_seconds, percentile, resident_mib
from raw_client import RawClient

WARM_UP = 20
PAUSE = 0.01  # between keystrokes, so that the server can do what it put off
SETTLED = 1_000  # edits after which memory should not grow any more


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds from a keystroke to the diagnostics of that version."""

    p50: float
    p95: float
    cpu: float | None
    """CPU milliseconds of the server for one keystroke, which other programs disturb less."""
    findings: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident MiB after the first edits and at the end."""

    settled: float
    end: float


class Typing:
    """An open document in which a character is typed and removed, in another line each time."""

    def __init__(self, client: RawClient, skill: Path) -> None:
        self.client = client
        self.uri = (skill / "SKILL.md").as_uri()
        self.lines = (skill / "SKILL.md").read_text(encoding="utf-8").split("\n")
        self.version = 1
        reply = client.initialize(skill.parent)
        self.full = _sync_kind(reply) == 1
        self.body = next(i for i, line in enumerate(self.lines) if line.startswith("# "))
        document = {"uri": self.uri, "languageId": "markdown", "version": 1}
        document["text"] = "\n".join(self.lines)
        client.notify("textDocument/didOpen", {"textDocument": document})
        client.diagnostics_of(1)

    def key(self) -> list[dict[str, Any]]:
        """Type one character (or remove that of last time); the diagnostics of that version."""
        self.version += 1
        line = self.body + self.version // 2 % (len(self.lines) - self.body - 1)
        character = chr(ord("a") + self.version // 2 % 26)
        start = {"line": line, "character": len(self.lines[line]) - (self.version % 2)}
        end = {"line": line, "character": len(self.lines[line])}
        typed = "" if self.version % 2 else character
        self.lines[line] = self.lines[line][: start["character"]] + typed
        change: dict[str, Any] = (
            {"text": "\n".join(self.lines)}
            if self.full
            else {"range": {"start": start, "end": end}, "text": typed}
        )
        self.client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [change],
            },
        )
        return self.client.diagnostics_of(self.version)


def _sync_kind(reply: dict[str, Any]) -> int:
    kind = reply["capabilities"]["textDocumentSync"]
    return kind["change"] if isinstance(kind, dict) else kind


def latency(command: Sequence[str], skill: Path, keys: int, log: Path) -> Latency:
    """Type `keys` characters, each after the diagnostics of the one before."""
    times: list[float] = []
    with RawClient(command, log) as client:
        typing = Typing(client, skill)
        for _ in range(WARM_UP):
            typing.key()
        before = cpu_seconds(client.process.pid)
        for _ in range(keys):
            time.sleep(PAUSE)
            started = time.perf_counter()
            findings = typing.key()
            times.append((time.perf_counter() - started) * 1000)
        after = cpu_seconds(client.process.pid)
    cpu = None if before is None or after is None else (after - before) / keys * 1000
    return Latency(statistics.median(times), percentile(times, 0.95), cpu, len(findings))


def start(command: Sequence[str], root: Path, log: Path) -> float:
    """Milliseconds from starting the process to its reply to `initialize`."""
    started = time.perf_counter()
    with RawClient(command, log) as client:
        client.initialize(root)
        return (time.perf_counter() - started) * 1000


def memory(command: Sequence[str], skill: Path, edits: int, log: Path) -> Memory:
    """Resident memory early in a long session and at its end."""
    with RawClient(command, log) as client:
        typing = Typing(client, skill)
        settled = 0.0
        for edit in range(1, edits + 1):
            typing.key()
            if edit == min(SETTLED, edits):
                settled = resident_mib(client.process.pid)
        return Memory(settled, resident_mib(client.process.pid))
