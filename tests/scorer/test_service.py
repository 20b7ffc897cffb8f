"""The scorer's process: scores, what overtakes them, what is kept, and how it ends."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

from skillgauge_scorer import kept
from skillgauge_scorer.__main__ import serve
from skillgauge_scorer.inbox import Inbox, lines_of
from skillgauge_scorer.kept import Kept
from tests.scorer.bundles import SKILL, TERMS, install_tiny, write_bundle

LONG = SKILL + "\n## More\n\nAnd so on.\n" * 100


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models that holds a tiny one with directions, which reads 100,000 tokens."""
    place = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILLGAUGE_MODELS", str(place))
        model = install_tiny(tmp_path_factory.mktemp("wheel"))
        write_bundle(model, encoding={"mode": "sections", "max_tokens": 100_000})
    return place


@pytest.fixture(autouse=True)
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(folder))


class Child:
    """The process, and what it has said."""

    def __init__(self, *words: str) -> None:
        command = [sys.executable, "-m", "skillgauge_scorer", *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.source = cast("IO[bytes]", self.process.stdout)

    def send(self, identity: int, method: str, **params: Any) -> None:
        line = json.dumps({"id": identity, "method": method, "params": params})
        target = cast("IO[bytes]", self.process.stdin)
        target.write(line.encode() + b"\n")
        target.flush()

    def read(self) -> dict[str, Any]:
        return json.loads(self.source.readline())

    def answer(self) -> dict[str, Any]:
        """Return the next message that isn't about progress."""
        while "progress" in (message := self.read()):
            pass
        return message


@pytest.fixture
def child() -> Iterator[Child]:
    made = Child()
    yield made
    made.process.kill()
    made.process.wait()
    made.source.close()
    cast("IO[bytes]", made.process.stdin).close()


def ask(method: str, **params: Any) -> dict[str, Any]:
    target = io.StringIO()
    serve([json.dumps({"id": 1, "method": method, "params": params})], target)
    return json.loads(target.getvalue().splitlines()[-1])


def test_describe() -> None:
    found = ask("describe")["result"]
    assert [item["code"] for item in found["metrics"]] == ["A1", *TERMS]
    surface = next(item for item in found["metrics"] if item["code"] == "C2")
    assert (surface["label"], surface["shown"], surface["linear"]) == ("surface", True, True)
    assert surface["name"] == "Input and output explicitness"
    assert found["max_tokens"] == 100_000


def test_a_score_is_the_same_in_every_process(child: Child) -> None:
    here = ask("score", text=SKILL)["result"]
    child.send(1, "score", text=LONG, document="a")
    child.send(2, "score", text=SKILL, document="b")
    assert child.answer()["id"] == 1
    there = child.answer()["result"]
    assert there == here
    assert here["metrics"]["A1"] == {"passed": True, "reasons": []}
    lines = here["metrics"]["D1"]["lines"]
    assert sum(item["contribution"] for item in lines) == pytest.approx(here["metrics"]["D1"]["z"])


def test_the_latest_text_of_a_document_wins(child: Child) -> None:
    child.send(1, "score", text=LONG, document="a")
    assert child.read()["progress"]["step"] == "score"
    child.send(2, "score", text=f"{LONG}\nTwo", document="a")
    child.send(3, "score", text=SKILL, document="b")
    child.send(4, "score", text=SKILL, document="a")
    first = child.answer()
    assert (first["id"], first.get("cancelled")) == (1, True)
    others = [child.answer() for _ in range(3)]
    assert [item["id"] for item in others if "cancelled" in item] == [2]
    assert {item["id"] for item in others if "result" in item} == {3, 4}


def test_cancelling(child: Child) -> None:
    child.send(1, "score", text=LONG)
    assert child.read()["id"] == 1
    child.send(0, "cancel", id=1)
    assert child.answer() == {"id": 1, "cancelled": True}
    child.send(1, "score", text=SKILL)
    assert "result" in child.answer()


def test_killing_it_loses_only_that_score(child: Child, tmp_path: Path) -> None:
    child.send(1, "score", text=SKILL, cache=str(tmp_path / "cache"))
    before = child.answer()["result"]
    child.send(2, "score", text=LONG, cache=str(tmp_path / "cache"))
    assert "progress" in child.read()
    child.process.kill()
    assert child.process.wait() != 0
    assert [path.name[0] for path in (tmp_path / "cache").iterdir()] != ["."]
    assert ask("score", text=SKILL, cache=str(tmp_path / "cache"))["result"] == before


def test_it_ends_when_nobody_asks() -> None:
    made = Child("--idle", "0.2")
    made.send(1, "model.list")
    assert made.read()["result"]
    assert made.process.wait(20) == 0
    made.source.close()
    cast("IO[bytes]", made.process.stdin).close()


def test_urgent_requests_go_first() -> None:
    lines = [{"id": 1, "method": "x"}, {"id": 2, "method": "score"}, {"id": 3, "method": "x"}]
    inbox = Inbox([json.dumps(line) for line in lines])
    while not inbox.ended:
        time.sleep(0.001)
    order = [item.id for _ in lines if (item := inbox.next())]
    assert order == [2, 1, 3]
    assert inbox.next() is None


def test_what_is_cancelled_before_its_turn_is_not_done() -> None:
    target = io.StringIO()
    lines = ['{"id": 1, "method": "score", "params": {"text": "a", "document": "d"}}'] * 2
    lines[1] = lines[1].replace("1", "2")
    inbox = Inbox(lines)
    while not inbox.ended:
        time.sleep(0.001)
    first = inbox.next()
    assert first is not None
    assert inbox.overtaken(first)
    second = inbox.next()
    assert second is not None
    assert not inbox.overtaken(second)
    assert target.getvalue() == ""


def test_lines() -> None:
    source, target = os.pipe()
    os.write(target, "one\ntwö\n\nlast".encode())
    os.close(target)
    assert list(lines_of(source)) == ["one", "twö", "", "last"]
    os.close(source)


@pytest.mark.parametrize(
    ("params", "what"),
    [
        ({}, "no text"),
        ({"text": 1}, "no text"),
        ({"text": "a", "explain": ["X9"]}, "no metric “X9”"),
        ({"text": "a", "model": "none"}, "“none” is not installed"),
    ],
)
def test_what_cannot_be_scored(params: dict[str, Any], what: str) -> None:
    assert what in ask("score", **params)["error"]["what"]


def test_what_is_kept_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask("score", text=SKILL, cache=str(tmp_path))["result"]
    monkeypatch.setattr("skillgauge_scorer.runtime.load", lambda model: pytest.fail("loaded"))
    assert ask("score", text=SKILL, cache=str(tmp_path))["result"] == first
    assert ask("score", text=SKILL, cache=str(tmp_path), explain=["D1"])["result"] == first


def test_another_bundle_keeps_its_own(tmp_path: Path) -> None:
    one, two = Kept(tmp_path, "a", "b"), Kept(tmp_path, "a", "c")
    one.put(one.key("t"), {"z": 1})
    assert one.get(one.key("t")) == {"z": 1}
    assert two.get(two.key("t")) is None
    assert one.key("a", "bc") != one.key("ab", "c")


@pytest.mark.parametrize("data", [b"", b"x", b"\x78\x9c", b"\0" * 100])
def test_a_broken_file_is_as_good_as_none(tmp_path: Path, data: bytes) -> None:
    one = Kept(tmp_path, "a")
    key = one.key("t")
    one.put(key, {"z": 1})
    (tmp_path / key).write_bytes(data)
    assert one.get(key) is None
    one.put(key, {"z": 2})
    assert one.get(key) == {"z": 2}


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    one = Kept(tmp_path / "file" / "cache", "a")
    one.put(one.key("t"), {"z": 1})
    assert one.get(one.key("t")) is None


def test_only_so_many_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_FILES", 3)
    monkeypatch.setattr(kept, "EVERY", 1)
    one = Kept(tmp_path, "a")
    for at in range(6):
        one.put(one.key(str(at)), {"z": at})
        os.utime(tmp_path / one.key(str(at)), (at, at))
    found = [at for at in range(6) if one.get(one.key(str(at)))]
    assert found == [3, 4, 5]
