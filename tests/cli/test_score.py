"""`skillgauge score`: its formats, what it says of what can't be scored, and its one child."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

from skillgauge import child
from skillgauge.score_report import html
from tests.cli.conftest import Run
from tests.scorer.bundles import SKILL, TERMS, install_tiny, write_bundle


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILLGAUGE_MODELS", str(place))
        write_bundle(install_tiny(tmp_path_factory.mktemp("wheel")))
    return place


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The children that were started."""
    made: list[Any] = []
    popen = child.subprocess.Popen

    def counted(*words: Any, **options: Any) -> Any:
        made.append(popen(*words, **options))
        return made[-1]

    monkeypatch.setattr(child.subprocess, "Popen", counted)
    return made


@pytest.fixture
def two(repo: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project of two skills, one of which has no description."""
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(models))
    for name, text in (("csv-report", SKILL), ("bare", "---\nname: bare\n---\nOnly <b>text</b>\n")):
        (repo / name).mkdir()
        (repo / name / "SKILL.md").write_text(text)
    return repo


def test_json(two: Path, run: Run, starts: list[Any]) -> None:
    done = run("score", "--format", "json", "csv-report", "bare")
    assert (done.status, done.err, len(starts)) == (0, "", 1)
    assert done.json["schema_version"] == 1
    bare, full = done.json["profiles"]
    assert (bare["path"], full["path"]) == ("bare/SKILL.md", "csv-report/SKILL.md")
    assert list(full["metrics"]) == ["A1", *TERMS]
    assert full["metrics"]["A1"] == {"passed": True, "reasons": []}
    assert bare["metrics"]["A1"]["reasons"] == ["The frontmatter has no key “description”"]
    score = full["metrics"]["D1"]
    assert set(score["lines"][0]) == {"line", "contribution"}
    assert sum(item["contribution"] for item in score["lines"]) == pytest.approx(score["z"])
    assert 0 < score["probability"] < 1
    none = bare["metrics"]["A2"]
    assert (none["z"], none["lines"], none["reason"]) == (None, [], "The skill has no description")
    assert bare["metrics"]["D1"]["z"] is not None
    assert full["truncated"] is False
    assert full["tokens"] > bare["tokens"] > 0


def test_text(two: Path, run: Run) -> None:
    done = run("score", "csv-report", "bare")
    assert (done.status, done.err) == (0, "")
    blocks = done.out.split("\n\n")
    assert blocks[0].startswith("bare/SKILL.md  ")
    assert "  A1  Format validity                FAILED\n      The frontmatter has no" in blocks[0]
    assert "A2  Trigger clarity                no score: The skill has no description" in blocks[0]
    rows = [line for line in blocks[1].splitlines() if line.startswith("  C2 ")]
    assert len(rows) == 1
    assert rows[0].endswith("  surface")
    assert "D1" not in blocks[1]
    assert "Not shown, since counting words does as well: D1." in done.out


def test_explain(two: Path, run: Run) -> None:
    plain = json.loads(run("score", "--format", "json", "csv-report").out)["profiles"][0]
    lines = {item["line"]: item["contribution"] for item in plain["metrics"]["B2"]["lines"]}
    done = run("score", "csv-report", "--explain", "b2,C1")
    assert "  B2 Technical specificity\n      The body has the details" in done.out
    lowest = min(lines, key=lambda line: lines[line])
    text = SKILL.splitlines()[lowest - 1]
    assert f"{lowest} {lines[lowest]:+.3f} | {text}".rstrip() in done.out
    assert "lines 10–14, Steps (" in done.out.partition("C1 Workflow integrity\n")[2]


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_html(two: Path, run: Run, tmp_path: Path) -> None:
    done = run(
        "score", "--format", "html", "--output", str(tmp_path / "a.html"), "csv-report", "bare"
    )
    assert (done.status, done.out) == (0, "")
    page = Page()
    page.feed((tmp_path / "a.html").read_text())
    names = [tag for tag, _ in page.tags]
    assert names.count("h2") == 2
    assert "b" not in names
    assert "script" not in names
    assert "Only <b>text</b>" in page.words
    assert not [attrs for _, attrs in page.tags if {"style", "src", "href"} & attrs.keys()]
    shades = {
        str(attrs["title"]): attrs["class"]
        for tag, attrs in page.tags
        if "title" in attrs and tag == "td"
    }
    plain = json.loads(run("score", "--format", "json", "csv-report").out)["profiles"][0]
    shares = [item["contribution"] for item in plain["metrics"]["A2"]["lines"]]
    for share in shares:
        kind = "m" if share < 0 else "p"
        step = round(html.STEPS * abs(share) / max(map(abs, shares)))
        assert shades[f"A2 {share:+.3f}"] == f"h {kind}{step}"


def test_standard_input(two: Path, run: Run) -> None:
    done = run("score", "-", "--format", "json", stdin=SKILL.encode())
    (profile,) = done.json["profiles"]
    assert profile["path"] == "-"
    assert profile["metrics"]["A1"]["passed"]


def test_scores_are_kept(two: Path, run: Run, tmp_path: Path) -> None:
    first = run("score", "--format", "json", "csv-report", "--cache-dir", str(tmp_path / "kept"))
    assert len(list((tmp_path / "kept" / "scores").iterdir())) == 1
    again = run("score", "--format", "json", "csv-report", "--cache-dir", str(tmp_path / "kept"))
    assert again.out == first.out
    run("score", "csv-report", "--no-cache")
    assert not (tmp_path / "cache" / "skillgauge" / "scores").exists()


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(two: Path, run: Run) -> None:
    (two / "bare" / "SKILL.md").write_bytes(b"\0" * 100)
    done = run("score", "--format", "json", "csv-report", "bare")
    assert done.status == 2
    assert done.err == "skillgauge: “bare/SKILL.md” can't be read: it is a binary file\n"
    assert [item["path"] for item in done.json["profiles"]] == ["csv-report/SKILL.md"]


def test_a_child_that_dies_loses_one_score(
    two: Path, run: Run, starts: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = child.Child.ask

    def killing(self: child.Child, method: str, params: dict[str, Any], progress: Any) -> Any:
        if method == "score" and len(starts) == 1:
            starts[0].kill()
            starts[0].wait()
            starts[0].poll = lambda: None  # as if it had died only after the question
        return ask(self, method, params, progress)

    monkeypatch.setattr(child.Child, "ask", killing)
    done = run("score", "--format", "json", "csv-report", "bare")
    assert done.status == 2
    assert done.err.startswith("skillgauge: bare/SKILL.md: The scorer ended with status -9")
    assert [item["path"] for item in done.json["profiles"]] == ["csv-report/SKILL.md"]
    assert len(starts) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--explain", "X1"], "There is no metric “X1” to explain"),
        (["--format", "xml"], "--format is one of html, json, text, not “xml”"),
        (["nowhere"], "“nowhere” does not exist"),
    ],
)
def test_wrong_words(two: Path, run: Run, words: list[str], said: str) -> None:
    done = run("score", *words)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_no_model(repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (repo / "SKILL.md").write_text(SKILL)
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(tmp_path / "none"))
    done = run("score", ".")
    assert (done.status, done.out) == (2, "")
    assert "is not installed. Run `skillgauge model install smollm2-135m-instruct`" in done.err
    assert done.err.count("\n") == 1
