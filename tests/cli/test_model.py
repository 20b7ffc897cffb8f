"""`skillgauge model`: what it asks the scorer, and what it prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillgauge import child
from skillgauge.cli._progress import Bar
from skillgauge.errors import UserError
from tests.cli.conftest import Run

NAME = "smollm2-135m-instruct"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def test_list_says_what_can_be_installed(models: Path, run: Run) -> None:
    done = run("model", "list")
    assert done.status == 0
    assert done.out.startswith(f"{NAME}  SmolLM2-135M-Instruct (Apache-2.0): not installed")
    assert [entry["installed"] for entry in run("model", "list", "--format", "json").json] == [
        False
    ]


def test_what_is_not_there_can_be_neither_verified_nor_removed(models: Path, run: Run) -> None:
    for action in ("verify", "remove"):
        done = run("model", action)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"skillgauge: The model “{NAME}” is not installed.")
        assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["instal"], "install"),
        (["list", NAME], "takes no name"),
        (["verify", "--again"], "is for `skillgauge model install` and `skillgauge model export`"),
        (["install", "--bits", "4"], "--bits is for `skillgauge model export`"),
        (["verify", "--texts", "."], "--texts is for `skillgauge model parity`"),
        (["export"], "OWNER/NAME"),
        (["export", ".", "--bits", "5"], "--bits is one of 4, 8"),
        (["export", ".", "--layers", "1,x"], "numbers with commas"),
        (["parity", "--limit", "2"], "--limit takes a whole number from 3"),
        (["install", "nothing"], NAME),
        (["install", "--from", "nowhere.whl"], "does not exist"),
    ],
)
def test_wrong_words(models: Path, run: Run, words: list[str], said: str) -> None:
    done = run("model", *words)
    assert done.status == 2
    assert said in done.err


def test_install_asks_for_what_the_options_say(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[Any] = []

    def ask(method: str, params: Any, progress: Callable[..., None]) -> Any:
        asked.append((method, params))
        progress("download", 1, 2)
        return {"name": NAME, "new": True, "folder": "F", "size": 3 << 20}

    monkeypatch.setattr(child, "ask", ask)
    monkeypatch.chdir(tmp_path)
    done = run("model", "install", NAME, "--from", "a.whl", "--again")
    assert asked == [
        ("model.install", {"name": NAME, "again": True, "from": str(tmp_path / "a.whl")})
    ]
    assert done.err == f"skillgauge: Installed {NAME} in F (3 MiB)\n"


def test_export_and_parity_ask_for_what_the_options_say(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    exported = {"name": "n", "folder": "F", "size": 3 << 20, "layers": [4, 8]}
    row = {"texts": 9, "spearman": 0.987654, "mean_difference": 0.01, "largest_difference": 0.1}
    compared = {"name": "n", "texts": 9, "of": "metric", "rows": [{"metric": "C1", **row}]}

    def ask(method: str, params: Any, progress: Callable[..., None]) -> Any:
        asked.append((method, params))
        return exported if method == "model.export" else compared

    monkeypatch.setattr(child, "ask", ask)
    words = ["--bits", "8", "--layers", "4,8", "--name", "n"]
    done = run("model", "export", "owner/name", *words)
    params = {"name": "owner/name", "bits": "8", "layers": [4, 8], "called": "n"}
    assert asked.pop() == ("model.export", params)
    assert done.err == "skillgauge: Exported n to F (3 MiB, layers 4, 8)\n"
    done = run("model", "parity", "n", "--texts", "skills", "--limit", "9")
    assert asked.pop() == ("model.parity", {"name": "n", "texts": "skills", "limit": 9})
    assert done.out.splitlines()[1].split() == ["C1", "9", "0.9877", "0.0100", "0.1000"]


def test_the_bar_is_drawn_on_terminals_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bar = Bar({})
    bar.show("download", 1, 2)
    bar.clear()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    bar.show("download", 10 << 20, 40 << 20)
    assert "25%  10 of 40 MiB" in capsys.readouterr().err
    bar.clear()
    assert capsys.readouterr().err.strip() == ""


def test_a_child_that_says_nothing_is_told_of() -> None:
    with pytest.raises(UserError, match="ended with status"):
        child.ask("x", {}, lambda *_: None, module=("keyword",))


def test_an_error_of_the_child_is_the_users() -> None:
    with pytest.raises(UserError, match="no method “nothing”"):
        child.ask("nothing", {}, lambda *_: None)
