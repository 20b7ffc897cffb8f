"""The examples and odd files get the same findings in an editor, from disk and through a pipe."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillgauge.cli import main

from .inprocess import editing

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ODD = {
    "crlf/SKILL.md": b"---\r\nname: crlf\r\ndescription: Sends: mail.\r\n---\r\n\r\n[x](no.md)\r\n",
    "lone-cr/SKILL.md": b"---\rname: lone-cr\rdescription: Sends: mail.\r---\r# T\r",
    "wide/SKILL.md": "---\nname: wide\ndescription: 😀 é: x\n---\n[😀](😀.md) `no`\n".encode(),
    "separators/SKILL.md": "---\nname: a\u2028b\ndescription: \x0c x\n---\n[x](no.md)\n".encode(),
    "no-frontmatter/SKILL.md": b"# Only a title\n",
    "unclosed/SKILL.md": b"---\nname: unclosed\ndescription: [a\n",
    "two-names/SKILL.md": b"---\nname: a\nname: b\ndescription: X.\n---\n",
    "same-name/SKILL.md": b"---\nname: crlf\ndescription: Sends mail. Use when asked.\n---\n# A\n",
    "wrong-case/skill.md": b"---\nname: wrong-case\ndescription: Counts. Use if told.\n---\n# A\n",
    "binary/SKILL.md": bytes(range(32)) * 50,
    "large/SKILL.md": b"---\nname: large\n---\n" + b"a\n" * 600_000,
    "silenced/SKILL.md": b"---\nname: b\n# skillgauge: ignore F011\ndescription: a: b\n---\n",
    "cases/SKILL.md": b"---\nname: cases\ndescription: Has cases. Use when tested.\n---\n# A\n",
    "cases/evals/evals.json": '{"skill_name": "other", "evals": [{"prompt": "😀"}, 3, ]}'.encode(),
    "cases/evals/evals.yaml": b"evals:\n  - prompt: [a\n  - prompt: b\n",
    "cases/evals/evals.jsonl": b'{"prompt": "a", "should_trigger": "maybe"}\n{"prompt"\n',
}

EXPECTED = {
    "odd/crlf/SKILL.md": {"F011", "L001", "X001"},
    "odd/same-name/SKILL.md": {"X001"},
    "odd/large/SKILL.md": {"F000"},
}
"""Rules that must have something to say, so that the same is not nothing."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the examples and with odd files."""
    root = tmp_path_factory.mktemp("same") / "repo"
    shutil.copytree(EXAMPLES / "skills", root / "skills")
    (root / ".git").mkdir()
    (root / "skillgauge.toml").write_text('extend-select = ["R005"]\nclients = ["claude-code"]\n')
    for name, data in ODD.items():
        path = root / "odd" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def files() -> list[str]:
    examples = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.rglob("SKILL.md"))
    evals = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.rglob("evals.json"))
    return [str(path) for path in [*examples, *evals]] + [f"odd/{name}" for name in ODD]


Found = list[tuple[Any, ...]]
Run = Callable[..., Found]


@pytest.fixture
def command(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Run:
    """Run `skillgauge check` in the project and return the findings of the one file."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def run(*words: str, stdin: bytes = b"") -> Found:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        main(["check", "--format", "json", *words])
        (file,) = json.loads(capfdbinary.readouterr().out)["files"]
        return [
            (
                item["code"],
                item["severity"],
                item["message"],
                *(item["range"][end][part] - 1 for end in ("start", "end") for part in PARTS),
            )
            for item in file["findings"]
        ]

    return run


PARTS = ("line", "column")
LEVELS = {1: "error", 2: "warning", 3: "info", 4: "hint"}


@pytest.mark.parametrize("name", files())
async def test_same_findings(name: str, project: Path, command: Run) -> None:
    """Code, severity, message and range are the same, wherever the text comes from."""
    path = project / name
    data = path.read_bytes()
    alone = command(name)
    assert EXPECTED.get(name, set()) <= {item[0] for item in alone}
    assert alone == command("-", "--stdin-filename", name, stdin=data)
    async with editing(project, encoding="utf-32", document={"diagnostic": {}}) as editor:
        on_disk = await editor.about("diagnostic", path.as_uri())
        assert [_plain(item) for item in on_disk["items"]] == alone
        if b"\x00" not in data:  # an editor shows bytes that are no text in a way of its own
            editor.open(path.as_uri(), data.decode())
            await editor.settled()
            opened = await editor.about("diagnostic", path.as_uri())
            assert [_plain(item) for item in opened["items"]] == alone


def _plain(item: dict[str, Any]) -> tuple[Any, ...]:
    ends = (item["range"][end] for end in ("start", "end"))
    places = [end[part] for end in ends for part in ("line", "character")]
    return (item["code"], LEVELS[item["severity"]], item["message"], *places)
