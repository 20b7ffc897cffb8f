"""A skill gets the same findings from the command line, a pipe, an editor and an agent.

Texts are the examples after random edits: torn, doubled, with odd line ends, marks and characters.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from skillgauge.cli import main
from skillgauge.mcp_tools import TOOLS

from .inprocess import PULLS, PUSHES, Editor

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "skills"
SKILLS = tuple(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*/SKILL.md")))
CASES = tuple(path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*/evals/evals.json"))
PIECES = (
    *("---\n", "name: a\n", "description: Sends: mail.\n", "name: [a\n", "\tx: y\n", "a: &b c\n"),
    *(
        "# T\n",
        "```\n",
        "[x](no.md) ",
        "[x](../../no.md) ",
        "`scripts/run.py --x` ",
        "1. a\n3. b\n",
    ),
    *("<!-- skillgauge: ignore L001 -->\n", "curl http://a | sh\n", " #", "|", "<b>", "%", "*b"),
    *("😀", "é", "\u2028", "\x85", "\x0c", "\u200b", "\u202e", "\ufeff", "\x00", "\x1b[31m"),
    *("\r", "\r\n", "\n\n", '"', "'", "{", "}", "[", "]", ",", ": ", "\ufffd"),
    *("1. a\n3. b\n", '"prompt": "a", ', '"expectations": ["b"], '),
)
LEVELS = {1: "error", 2: "warning", 3: "info", 4: "hint"}
NAMES = {"skill": "skills/odd/SKILL.md", "evals": "skills/odd/evals/evals.json"}

Found = list[tuple[Any, ...]]


@st.composite
def edited(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """Draw one of some texts, edited at random places."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(text)))
        end = min(start + draw(st.sampled_from([0, 0, 0, 1, 3, 30, 300])), len(text))
        new = draw(st.sampled_from(PIECES) | st.text(max_size=3) | st.just(text[start:end] * 2))
        text = text[:start] + new + text[end:]
    if draw(st.booleans()):
        text = text.replace("\n", draw(st.sampled_from(["\r\n", "\r"])))
    return draw(st.sampled_from(["", "", "", "\ufeff", " ", "\n"])) + text


@dataclass
class Ways:
    """All ways to the findings of one project's files."""

    root: Path
    runner: asyncio.Runner
    pulling: Editor
    pushing: Editor

    def file(self, name: str) -> Found:
        return self._command(str(self.root / name))

    def pipe(self, name: str, data: bytes) -> Found:
        return self._command("-", "--stdin-filename", str(self.root / name), data=data)

    def _command(self, *words: str, data: bytes = b"") -> Found:
        stdin = io.TextIOWrapper(io.BytesIO(data))
        stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(stdout):
            patch.setattr(sys, "stdin", stdin)
            main(["check", "--no-cache", "--format", "json", *words])
            stdout.flush()
        return _of_json(stdout.buffer.getvalue().decode())  # pyright: ignore

    def agent(self, name: str, text: str | None = None) -> Found:
        given = {"path": str(self.root / name)} | ({} if text is None else {"text": text})
        return _of_json(TOOLS["check"].call(given))

    async def noticed(self, name: str) -> None:
        for editor in (self.pulling, self.pushing):
            change = {"uri": (self.root / name).as_uri(), "type": 2}
            editor.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
            await editor.settled()

    async def pulled(self, name: str) -> Found:
        report = await self.pulling.about("diagnostic", (self.root / name).as_uri())
        return [_plain(item) for item in report["items"]]

    async def opened(self, name: str, text: str) -> tuple[Found, Found]:
        """Return what an editor pulls, and what another is sent, that has the text open."""
        uri = (self.root / name).as_uri()
        before = len(self.pushing.published(uri))
        for editor in (self.pulling, self.pushing):
            editor.open(uri, text)
            await editor.settled()
        pulled = await self.pulled(name)
        sent = self.pushing.published(uri)[before:]
        pushed = [_plain(item) for item in sent[-1]["diagnostics"]] if sent else []
        for editor in (self.pulling, self.pushing):
            editor.close_document(uri)
            await editor.settled()
        self.pushing.sent.clear()
        self.pulling.sent.clear()
        return pulled, pushed


def _of_json(report: str) -> Found:
    (file,) = json.loads(report)["files"]
    return sorted(
        (
            item["code"],
            item["severity"],
            item["message"],
            *(
                item["range"][end][part] - 1
                for end in ("start", "end")
                for part in ("line", "column")
            ),
        )
        for item in file["findings"]
    )


def _plain(item: dict[str, Any]) -> tuple[Any, ...]:
    ends = (item["range"][end] for end in ("start", "end"))
    places = [end[part] for end in ends for part in ("line", "character")]
    return (item["code"], LEVELS[item["severity"]], item["message"], *places)


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ways]:
    """The examples in a repository, with two editors that have it open."""
    root = tmp_path_factory.mktemp("parity") / "repo"
    shutil.copytree(EXAMPLES, root / "skills")
    (root / ".git").mkdir()
    (root / "skillgauge.toml").write_text('profile = "strict"\nclients = ["claude-code"]\n')
    (root / "skills" / "odd" / "evals").mkdir(parents=True)
    (root / "skills" / "odd" / "SKILL.md").write_text(SKILLS[0])
    os.environ.pop("SKILLGAUGE_DEBUG", None)
    with asyncio.Runner() as runner:

        async def start(document: dict[str, Any]) -> Editor:
            editor = Editor()
            await editor.start(root, encoding="utf-32", document=document)
            return editor

        pair = (runner.run(start(PULLS)), runner.run(start(PUSHES)))
        yield Ways(root, runner, *pair)
        for editor in pair:
            runner.run(editor.request("shutdown"))


def compare(ways: Ways, kind: str, text: str) -> None:
    name = NAMES[kind]
    data = text.encode()
    (ways.root / name).write_bytes(data)
    wanted = ways.file(name)
    assert ways.pipe(name, data) == wanted, "standard input"
    assert ways.agent(name) == wanted, "agent, file"
    assert ways.agent(name, text) == wanted, "agent, text"

    async def in_editors() -> None:
        await ways.noticed(name)
        assert sorted(await ways.pulled(name)) == wanted, "editor, file"
        if "\x00" in text:  # bytes that are no text are shown by editors in a way of their own
            return
        pulled, pushed = await ways.opened(name, text)
        assert sorted(pulled) == wanted, "editor, pulled"
        assert sorted(pushed) == wanted, "editor, pushed"

    ways.runner.run(in_editors())


EXAMPLES_A_TEST = settings(
    max_examples=int(os.environ.get("SKILLGAUGE_PARITY", "25")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking takes minutes
)


@EXAMPLES_A_TEST
@given(text=edited(SKILLS))
@example(text="")
@example(text="\ufeff---\r\nname: odd\r\ndescription: Sends: 😀.\r\n---\r\n\r\n[😀](no.md)\r\n")
@example(text="---\rname: odd\rdescription: [a\r---\r# T\x85\u2028\x0c\r")
def test_skills(ways: Ways, text: str) -> None:
    compare(ways, "skill", text)


@EXAMPLES_A_TEST
@given(text=edited(CASES))
@example(text="")
@example(text='\ufeff{"evals": [{"prompt": "😀", "files": ["no.csv"]},]}\r\n')
def test_evaluation_files(ways: Ways, text: str) -> None:
    compare(ways, "evals", text)


@EXAMPLES_A_TEST
@given(text=edited(SKILLS), at=st.integers(0, 500), code=st.integers(0xD800, 0xDFFF))
def test_lone_surrogates(ways: Ways, text: str, at: int, code: int) -> None:
    """Only an editor can send them: what it pulls is what it is sent, and nothing fails."""
    torn = text[:at] + chr(code) + text[at:]

    async def in_editors() -> None:
        pulled, pushed = await ways.opened(NAMES["skill"], torn)
        assert pulled == pushed

    ways.runner.run(in_editors())


@EXAMPLES_A_TEST
@given(text=edited(SKILLS), at=st.integers(0, 500), byte=st.integers(0x80, 0xFF))
def test_bytes_that_are_no_text(ways: Ways, text: str, at: int, byte: int) -> None:
    """From disk and through a pipe they are the same fault."""
    data = text.encode()
    data = data[:at] + bytes([byte]) + data[at:]
    name = NAMES["skill"]
    (ways.root / name).write_bytes(data)
    wanted = ways.file(name)
    assert ways.pipe(name, data) == wanted
    assert ways.agent(name) == wanted

    async def in_editor() -> None:
        await ways.noticed(name)
        assert sorted(await ways.pulled(name)) == wanted

    ways.runner.run(in_editor())
