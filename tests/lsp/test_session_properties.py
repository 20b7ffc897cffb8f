"""Whatever is typed: every request is answered, nothing stale is shown, and findings are right."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillgauge.document.evals import EvalFile
from skillgauge.document.skill import Skill, load_skill
from skillgauge.document.workspace import Workspace, summarise
from skillgauge.engine import Document, check
from skillgauge.lsp.kept_folder import KeptFolder
from skillgauge.lsp.snapshot import problem_of
from skillgauge.text import Encoding, Text

from .inprocess import EDITS, PULLS, Editor, as_sent, lies_inside, ranges

PIECES = (
    "---\n", "name: demo\n", "description: Sends: mail.\n", "description: |\n  é😀\n", "\t",
    "a: &a [*a]\n", "allowed-tools: Read, Wrte\n", "metadata: {a: {b: [", "# Title\n", "é", "😀",
    "## 😀 Step\n", "- ", "1. ", "> ", "```sh\n", "```\n", "`scripts/run.py`", "`other`", "[", "{",
    "[a](references/guide.md#setup)", "[b](no.md)", "$ARGUMENTS", "<!-- ", "| a |\n|---|\n", '"',
    "<!-- skillgauge: ignore L001 -->", "\ud800", "\udc80", "\u2028", "\x0c", "\x00", "\ufeff",
    "\r", "\r\n", "\n", " ", '{"skill_name": "demo", "evals": [', "]}",
    '{"id": 1, "prompt": "😀", "files": ["scripts/run.py"]}',
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=25).map("".join)
NAMES = ("demo/SKILL.md", "other/SKILL.md", "demo/evals/evals.json", "demo/references/guide.md")
PLACES = st.tuples(st.integers(0, 12), st.integers(0, 40))
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}


def place(at: tuple[int, int]) -> dict[str, Any]:
    return {"line": at[0], "character": at[1]}


def span(at: tuple[int, int]) -> dict[str, Any]:
    return {"start": place(at), "end": place(at)}


QUESTIONS: dict[str, Callable[[tuple[int, int]], dict[str, Any]]] = {
    "hover": lambda at: {"position": place(at)},
    "completion": lambda at: {"position": place(at)},
    "definition": lambda at: {"position": place(at)},
    "references": lambda at: {"position": place(at), "context": {"includeDeclaration": True}},
    "prepareRename": lambda at: {"position": place(at)},
    "rename": lambda at: {"position": place(at), "newName": "brand-new"},
    "codeAction": lambda at: {"range": span(at), "context": {"diagnostics": []}},
    "codeLens": lambda at: {},
    "documentLink": lambda at: {},
    "documentSymbol": lambda at: {},
    "foldingRange": lambda at: {},
    "inlayHint": lambda at: {"range": WHOLE},
    "selectionRange": lambda at: {"positions": [place(at)]},
    "semanticTokens/full": lambda at: {},
    "diagnostic": lambda at: {},
}
STEPS = st.lists(
    st.tuples(st.just("write"), st.sampled_from(NAMES), TEXTS)
    | st.tuples(st.just("close"), st.sampled_from(NAMES), st.none())
    | st.tuples(st.just("save"), st.sampled_from(NAMES), st.none())
    | st.tuples(st.sampled_from(sorted(QUESTIONS)), st.sampled_from(NAMES), PLACES),
    min_size=1,
    max_size=12,
)


def make_workspace(root: Path) -> None:
    """Write two skills, one with files and evaluations."""
    for name in ("demo", "other"):
        (root / name).mkdir(parents=True)
        text = f"---\nname: {name}\ndescription: Does {name}. Use when asked.\n---\n# {name}\n"
        (root / name / "SKILL.md").write_text(text)
    for name, text in (
        ("scripts/run.py", "print(1)\n"),
        ("references/guide.md", "# Guide\n\n## Setup\n"),
        ("evals/evals.json", "[]\n"),
    ):
        path = root / "demo" / name
        path.parent.mkdir()
        path.write_text(text)


def cold(root: Path, name: str, text: str) -> Document | None:
    """Return a document as a new process would read it."""
    skills = tuple(summarise(load_skill(root / item)) for item in NAMES[:2])
    workspace, path = Workspace(root, skills), root / name
    problem = problem_of(text)
    source = Text("" if problem else text)
    if name.endswith("SKILL.md"):
        return Skill(source, path, KeptFolder(path.parent), workspace, (), problem)
    if name.endswith(".json"):
        return EvalFile(source, path, load_skill(root / NAMES[0], workspace), problem)
    return None


def expected(root: Path, name: str, text: str, encoding: Encoding) -> list[Any]:
    """Return code, message and range of each finding of a cold check."""
    document = cold(root, name, text)
    found = check(document).findings if document else ()
    source = Text(text)
    ends = [[source.units(at, encoding) for at in item.span] for item in found]
    return [(item.code, item.message, *where) for item, where in zip(found, ends, strict=True)]


def shown(diagnostics: list[dict[str, Any]]) -> list[Any]:
    return [
        (
            item["code"],
            item["message"],
            *(
                (item["range"][end]["line"], item["range"][end]["character"])
                for end in ("start", "end")
            ),
        )
        for item in diagnostics
    ]


async def play(root: Path, steps: list[Any], encoding: Encoding, pulls: bool) -> None:
    """Carry out the steps and check what comes back of each, and what is shown in the end."""
    editor = Editor()
    document = PULLS if pulls else None
    await editor.start(root, encoding=encoding, document=document, workspace=EDITS)
    texts: dict[str, str] = {}
    for step, name, value in steps:
        uri = (root / name).as_uri()
        if step == "write":
            texts[name] = as_sent(value)
            editor.change(uri, value) if uri in editor.versions else editor.open(uri, value)
        elif step == "close" and uri in editor.versions:
            editor.close_document(uri)
            texts.pop(name)
        elif step == "save" and uri in editor.versions:
            editor.save(uri)
        elif step in QUESTIONS:
            await ask(editor, step, uri, value, texts.get(name), encoding)
    await editor.settled()
    for name, text in texts.items():
        await check_shown(editor, root, name, text, encoding, pulls)
    reply = await editor.request("shutdown")
    assert "error" not in reply


async def ask(
    editor: Editor, step: str, uri: str, at: Any, text: str | None, encoding: Encoding
) -> None:
    """Ask one question: it has one answer, whose ranges lie in the text."""
    params = {"textDocument": {"uri": uri}, **QUESTIONS[step](at)}
    reply = await editor.request(f"textDocument/{step}", params)
    refused = reply.get("error", {}).get("code") == -32602  # no name to rename
    assert "error" not in reply or (step == "rename" and refused), reply
    result = reply.get("result")
    if step == "codeAction":
        for action in result or ():
            resolved = await editor.request("codeAction/resolve", action)
            assert "error" not in resolved, resolved
    if text is not None and step not in ("definition", "references", "rename", "documentLink"):
        for where in ranges(result):
            assert lies_inside(Text(text), where, encoding), (step, where)


async def check_shown(
    editor: Editor, root: Path, name: str, text: str, encoding: Encoding, pulls: bool
) -> None:
    """The findings of the last version are those of a cold check, and none came of an older one."""
    uri = (root / name).as_uri()
    wanted = expected(root, name, text, encoding)
    if pulls:
        report = await editor.about("diagnostic", uri)
        assert shown(report["items"]) == wanted
        assert not editor.published(uri)
        return
    sent = editor.published(uri)
    versions = [params["version"] for params in sent if params.get("version") is not None]
    found = sent[-1] if sent else {"diagnostics": []}
    assert shown(found["diagnostics"]) == wanted
    if wanted:
        assert found["version"] == editor.versions[uri] == versions[-1]
    for params in found["diagnostics"]:
        assert lies_inside(Text(text), params["range"], encoding)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, encoding=st.sampled_from(ENCODINGS), pulls=st.booleans())
def test_any_session(steps: list[Any], encoding: Encoding, pulls: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "w"
        make_workspace(root)
        asyncio.run(play(root, steps, encoding, pulls))


def lines(number: int) -> str:
    return "---\nname: demo\ndescription: D.\n---\n" + "".join(
        f"{index}. Read [x](no{index % 50}.md) 😀.\n" for index in range(number)
    )


BOMB = "---\na: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [*{old},*{old},*{old},*{old},*{old},*{old},*{old},*{old},*{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HUGE = {
    "ten megabytes in one line": lambda: "---\nname: demo\n---\n" + "word " * 2_000_000,
    "a hundred thousand lines": lambda: lines(100_000),
    "a hundred thousand short lines": lambda: lines(1) + "a\n" * 100_000,
    "eight thousand lines": lambda: lines(8_000),
    "YAML aliases that multiply": lambda: f"{BOMB}name: demo\ndescription: *i\n---\n# Demo\n",
    "deep brackets": lambda: "---\nname: " + "[" * 50_000 + "\n---\n# Demo\n",
    "deep lists": lambda: "# Demo\n" + "".join(f"{'  ' * depth}- a\n" for depth in range(1500)),
    "deep quotes": lambda: "# Demo\n" + ">" * 50_000 + " a\n",
    "open brackets": lambda: "---\nname: demo\ndescription: D.\n---\n" + "[" * 50_000,
    "binary": lambda: "\x00\x01\x02" * 5_000,
    "lone surrogates": lambda: "---\nname: \ud800\ndescription: \udc80 \udfff.\n---\n\ud83d\n",
    "CRLF": lambda: lines(200).replace("\n", "\r\n"),
    "lone CR": lambda: lines(200).replace("\n", "\r"),
}


@pytest.mark.parametrize("name", HUGE)
def test_hostile_texts(name: str, tmp_path: Path) -> None:
    """A text that is huge or twisted is judged as on the command line, and answers come."""
    root = tmp_path / "w"
    make_workspace(root)
    text = HUGE[name]()
    steps: list[Any] = [("write", NAMES[0], text)]
    steps += [(question, NAMES[0], (4, 3)) for question in sorted(QUESTIONS)]
    asyncio.run(play(root, steps, "utf-16", pulls=False))


@pytest.mark.parametrize("name", ["deep brackets", "binary", "lone surrogates"])
def test_hostile_evaluations(name: str, tmp_path: Path) -> None:
    """The same for an evaluation file."""
    root = tmp_path / "w"
    make_workspace(root)
    steps: list[Any] = [("write", NAMES[2], HUGE[name]())]
    steps += [(question, NAMES[2], (0, 3)) for question in sorted(QUESTIONS)]
    asyncio.run(play(root, steps, "utf-8", pulls=True))


async def test_a_burst_is_judged_once(tmp_path: Path) -> None:
    """Of changes that come faster than they can be judged, the last alone is."""
    root = tmp_path / "w"
    make_workspace(root)
    editor = Editor()
    await editor.start(root)
    uri = (root / NAMES[0]).as_uri()
    editor.open(uri, "---\nname: demo\ndescription: Sends: mail.\n---\n")
    for number in range(50):
        editor.change(uri, f"---\nname: demo\ndescription: Sends: mail {number}.\n---\n")
    await editor.settled()
    assert [params["version"] for params in editor.published(uri)] == [51]
