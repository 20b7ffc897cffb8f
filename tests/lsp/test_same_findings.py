"""A text gets the same findings on the command line, from standard input, and in an editor."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .editor_client import EditorClient, connected, open_document

pytestmark = pytest.mark.e2e

Seen = Counter[tuple[str, int, int, int, int, str, str]]
"""Code, range from 1 in code points, severity and message of each finding."""

SEVERITIES = {1: "error", 2: "warning", 3: "info", 4: "hint"}
HEAD = "---\nname: {name}\ndescription: {description}\n---\n"
USE = "Cuts long files in two. Use when a file is too long to send, or “cut this” is asked."
TEXTS = {
    "colon": HEAD.format(name="colon", description="Cuts: files.") + "# Cut\n\nGo.\n",
    "twin": HEAD.format(name="twin", description=USE) + "# Cut\n\nGo.\n",
    "twin-too": HEAD.format(name="twin-too", description=USE) + "# Cut\n\nGo.\n",
    "links": HEAD.format(name="link", description=USE + " 😀 Not for images.")
    + "# Lïnks 😀\n\n😀 [x](gone.md), `references/GUIDE.md`, [y](#none).\n\n### Deep\n",
    "lines": (HEAD.format(name="lines", description=USE) + "# A\n\nSee `a\\b`.\u2028x\n").replace(
        "\n", "\r\n"
    ),
    "bare": "# No frontmatter\n\nGo.\n",
    "hidden": HEAD.format(name="hidden", description="Use when: a") + "x\u200b\u200b\u202ey\n",
    "silent": "---\nname: other\n# skillgauge: ignore F036\ndescription: x\n---\n<!-- skillgauge:"
    " ignore-file L001 -->\n[x](gone.md)\n",
    "empty": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with odd skills, some in a client's place, and evaluation files."""
    (tmp_path / ".git").mkdir()
    for name, text in TEXTS.items():
        folder = tmp_path / (".claude/skills" if name != "bare" else "skills") / name
        (folder / "references").mkdir(parents=True)
        (folder / "references" / "guide.md").write_text("# Guide\n")
        (folder / "SKILL.md").write_bytes(text.encode())
    evals = tmp_path / ".claude" / "skills" / "twin" / "evals"
    evals.mkdir()
    cases = {"skill_name": "other", "evals": [{"id": 1, "prompt": "cut a", "files": ["gone.txt"]}]}
    (evals / "evals.json").write_text(json.dumps(cases, indent=1))
    return tmp_path


def check(folder: Path, *words: str, stdin: bytes | None = None) -> dict[str, Seen]:
    done = subprocess.run(
        [sys.executable, "-m", "skillgauge", "check", "--format", "json", "--no-cache", *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Seen] = {}
    for file in json.loads(done.stdout)["files"]:
        seen: Seen = Counter()
        for item in file["findings"]:
            start, end = item["range"]["start"], item["range"]["end"]
            place = (start["line"], start["column"], end["line"], end["column"])
            seen[item["code"], *place, item["severity"], item["message"]] += 1
        found[file["path"]] = seen
    return found


def shown(client: EditorClient, uri: str) -> Seen:
    seen: Seen = Counter()
    for item in client.diagnostics.get(uri, ()):
        start, end = item.range.start, item.range.end
        place = (start.line + 1, start.character + 1, end.line + 1, end.character + 1)
        seen[str(item.code), *place, SEVERITIES[item.severity or 0], item.message] += 1
    return seen


async def test_the_editor_shows_what_the_command_line_says(project: Path) -> None:
    """With an editor that counts code points, so that columns can be held against each other."""
    wanted = check(project)
    assert len(wanted) == len(TEXTS) + 1
    codes = {code for seen in wanted.values() for code, *_ in seen}
    assert {"F001", "F011", "L001", "L008", "S002", "X002", "V010", "V017"} <= codes
    command = [sys.executable, "-m", "skillgauge", "server"]
    async with connected(command, "emacs", project) as client:
        assert client.offered.position_encoding == "utf-32"
        uris: dict[str, str] = {}
        for path in wanted:
            text = (project / path).read_bytes().decode()
            uris[path] = open_document(client, project / path, text)
        for path, uri in uris.items():
            try:
                await client.wait_until(lambda p=path, u=uri: shown(client, u) == wanted[p])
            except AssertionError:
                assert shown(client, uri) == wanted[path], path


def test_standard_input_says_what_the_file_says(project: Path) -> None:
    everything = check(project)
    for path in (f".claude/skills/{name}" for name in ("links/SKILL.md", "twin/evals/evals.json")):
        wanted = everything[path]
        assert wanted
        given = (project / path).read_bytes()
        assert check(project, "-", "--stdin-filename", path, stdin=given) == {path: wanted}
