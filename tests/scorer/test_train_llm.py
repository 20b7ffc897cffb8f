"""Pairs from a language model, played by a server on this machine that follows a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="needs the extra “cpu”")

from skillgauge.document.skill import Skill
from skillgauge.text import Text
from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.train import llm
from skillgauge_scorer.train.corpus import Source
from skillgauge_scorer.train.llm import endpoint as endpoints
from skillgauge_scorer.train.llm.endpoint import Endpoint, complete, endpoint
from skillgauge_scorer.train.llm.screening import fault, put_in
from tests.scorer.test_train_operations import SKILL, body

Answer = Callable[[dict[str, Any], int], tuple[int, Any]]
KEY = "sk-secret-0123456789"


class Script:
    """A server that answers as told, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answer: Answer = lambda asked, number: (200, said("nothing"))
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                script.asked.append(asked)
                script.headers.append({**self.headers, "path": self.path})
                status, value = script.answer(asked, len(script.asked))
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def said(text: str) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    monkeypatch.setattr(endpoints.time, "sleep", lambda seconds: None)
    made = Script()
    yield made
    made.server.shutdown()
    made.server.server_close()


def c1_negative(asked: dict[str, Any], number: int) -> tuple[int, Any]:
    """Return the body with two steps changed round."""
    given = asked["messages"][1]["content"]
    text = given[given.index("<<<") + 4 : given.rindex(">>>")]
    return 200, said(text.replace("1. Read", "9. Read").replace("2. Convert", "1. Convert"))


SOURCE = Source("bank", "bank/ledger/SKILL.md", SKILL)


def test_a_pair_is_written_screened_and_kept(script: Script, tmp_path: Path) -> None:
    script.answer = c1_negative
    where = Endpoint(script.url, "a-model", KEY)
    told: list[tuple[int, int]] = []
    wanted = [llm.Task(SOURCE, "C1", "plain")]
    found = llm.write_pairs(where, wanted, tmp_path / "kept", lambda *step: told.append(step))
    (pair,) = found.pairs
    assert (pair.metric, pair.kind, pair.group) == ("C1", "plain", "bank")
    assert pair.how == "a language model: a-model"
    assert pair.positive == SKILL
    start = Skill(Text(SKILL)).body.start
    assert pair.negative[:start] == SKILL[:start]
    assert (
        body(pair.negative).split()
        == body(SKILL).replace("2. Con", "1. Con").replace("1. Read", "9. Read").split()
    )
    assert (found.asked, found.faults, told) == (1, {}, [(1, 1)])
    assert script.headers[0]["path"] == "/v1/chat/completions"
    assert script.headers[0]["Authorization"] == f"Bearer {KEY}"
    # What is kept is taken up without a question, by another run and for another key.
    again = llm.write_pairs(Endpoint(script.url, "a-model"), wanted, tmp_path / "kept")
    assert (again.pairs, again.asked, len(script.asked)) == (found.pairs, 0, 1)
    assert KEY not in "".join(path.read_text() for path in (tmp_path / "kept").iterdir())


def test_answers_that_do_not_pass_are_asked_for_again(script: Script, tmp_path: Path) -> None:
    def answer(asked: dict[str, Any], number: int) -> tuple[int, Any]:
        return (200, said("Too short.")) if number == 1 else c1_negative(asked, number)

    script.answer = answer
    found = llm.write_pairs(Endpoint(script.url, "m"), [llm.Task(SOURCE, "C1", "plain")], tmp_path)
    assert len(found.pairs) == 1
    assert found.faults == {"C1: the length changed": 1}
    assert script.asked[0]["messages"] == script.asked[1]["messages"]
    assert script.asked[0]["seed"] != script.asked[1]["seed"]


def test_a_pair_is_given_up_after_some_tries(script: Script, tmp_path: Path) -> None:
    script.answer = lambda asked, number: (200, said(""))
    found = llm.write_pairs(Endpoint(script.url, "m"), [llm.Task(SOURCE, "D1", "plain")], tmp_path)
    assert found.pairs == ()
    assert found.faults == {"D1: nothing was written": llm.TRIES}


def test_an_interrupted_run_goes_on(script: Script, tmp_path: Path) -> None:
    def answer(asked: dict[str, Any], number: int) -> tuple[int, Any]:
        return c1_negative(asked, number) if number == 1 else (401, {"error": f"bad key {KEY}"})

    script.answer = answer
    other = Source("bank", "b", SKILL.replace("Ledger import", "Ledger intake"))
    wanted = [llm.Task(one, "C1", "plain") for one in (SOURCE, other)]
    where = Endpoint(script.url, "m", KEY)
    with pytest.raises(ScorerError, match="status 401") as caught:
        llm.write_pairs(where, wanted, tmp_path, jobs=1)
    assert KEY not in str(caught.value)
    assert "[the key]" in str(caught.value)
    script.answer = c1_negative
    found = llm.write_pairs(where, wanted, tmp_path, jobs=1)
    assert (len(found.pairs), found.asked, len(script.asked)) == (2, 1, 3)


def test_a_matched_pair_parts_words_and_substance(script: Script, tmp_path: Path) -> None:
    positive = (
        "For a bank export that is to become entries in the books: imports the ledgers and"
        " reconciles them."
    )
    negative = "Use when the user asks whenever it is asked if requests trigger; use this then."

    def answer(asked: dict[str, Any], number: int) -> tuple[int, Any]:
        return 200, said(
            positive if "without these marks" in str(asked) else f"```\n{negative}\n```"
        )

    script.answer = answer
    source = Source("bank", "b", SKILL.replace("Imports bank", "Imports the bank"))
    found = llm.write_pairs(
        Endpoint(script.url, "m"), [llm.Task(source, "A2", "matched")], tmp_path
    )
    assert found.faults == {"A2: the topic changed": llm.TRIES}
    negative = (
        "Use when the user asks for ledgers, whenever a bank export triggers entries, if asked."
    )
    found = llm.write_pairs(
        Endpoint(script.url, "m"), [llm.Task(source, "A2", "matched")], tmp_path / "new"
    )
    (pair,) = found.pairs
    texts = [Skill(Text(text)).description for text in (pair.positive, pair.negative)]
    assert texts == [positive, negative]
    assert pair.kind == "matched"


@pytest.mark.parametrize(
    ("metric", "asks", "made", "why"),
    [
        ("C1", "break", SKILL.replace("license: MIT", "license: BSD"), "the frontmatter changed"),
        ("A2", "break", SKILL.replace("Ledger import", "Ledger"), "the body changed"),
        ("A2", "break", SKILL.replace("license: MIT", "license: BSD"), "another key changed"),
        ("C1", "break", SKILL, "nothing changed"),
        ("B1", "break", SKILL.replace("one export", "two exports"), "the body is the same"),
        ("D1", "break", SKILL.replace("one export", "two exports"), "its marks are still there"),
        ("B2", "substance", SKILL.replace("one export", "two"), "its marks are still there"),
        ("B2", "words", SKILL.replace("`", ""), "its marks are gone"),
        ("C1", "break", SKILL.replace("Match each row", "Match " * 80), "the length changed"),
    ],
)
def test_screening(metric: str, asks: Any, made: str, why: str) -> None:
    assert fault(metric, asks, SKILL, made) == why


def test_wrapping_is_taken_off() -> None:
    start = Skill(Text(SKILL)).body.start
    for answer in ("```markdown\n# A\n\nb\n```", "<<<\n# A\n\nb\n>>>", "---\nx: y\n---\n# A\n\nb"):
        assert put_in(SKILL, "C1", answer) == f"{SKILL[:start]}# A\n\nb\n"
    described = put_in(SKILL, "A2", 'description: "Does it."')
    assert Skill(Text(described)).description == "Does it."


def test_a_busy_endpoint_is_asked_again(script: Script) -> None:
    script.answer = lambda asked, number: (429, {}) if number < 3 else (200, said("yes"))
    assert complete(Endpoint(script.url, "m"), [{"role": "user", "content": "?"}]) == "yes"
    assert len(script.asked) == 3


@pytest.mark.parametrize(
    ("answer", "asked", "why"),
    [
        ((400, {"error": {"message": "no such model"}}), 1, "no such model"),
        ((503, {}), endpoints.ATTEMPTS, "status 503"),
        ((302, {}), 1, "status 302"),
        ((200, {"choices": []}), 1, "doesn't answer as chat completions do"),
        ((200, b"<html>"), 1, "doesn't answer as chat completions do"),
    ],
)
def test_what_goes_wrong(script: Script, answer: tuple[int, Any], asked: int, why: str) -> None:
    script.answer = lambda *_: answer
    with pytest.raises(ScorerError, match=why):
        complete(Endpoint(script.url, "m", KEY), [{"role": "user", "content": "?"}])
    assert len(script.asked) == asked


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints.time, "sleep", lambda seconds: None)
    with pytest.raises(ScorerError, match="gives no answer"):
        complete(Endpoint("http://127.0.0.1:9", "m"), [])


def test_the_key_comes_from_the_environment() -> None:
    found = endpoint("https://api.test/v1/", "m", {"OPENAI_API_KEY": f" {KEY} "})
    assert (found.url, found.key) == ("https://api.test/v1", KEY)
    assert KEY not in repr(found)
    own = endpoint("https://api.test", "m", {"OPENAI_API_KEY": "a", "SKILLGAUGE_LLM_KEY": "b"})
    assert own.key == "b"
    assert endpoint("http://localhost:1/chat/completions", "m", {"OPENAI_API_KEY": "a"}).key == "a"
    for url, why in (
        ("http://api.test", "unencrypted"),
        ("https://user:pass@api.test", "holds no key"),
        ("ftp://api.test", "no address"),
        ("https://[", "no address"),
    ):
        with pytest.raises(ScorerError, match=why):
            endpoint(url, "m", {"OPENAI_API_KEY": KEY})
