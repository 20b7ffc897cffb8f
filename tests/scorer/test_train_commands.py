"""`skillgauge train` from a folder of skills to a verdict, with a model made in the test."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

from skillgauge.cli import main
from skillgauge.train_report import render
from skillgauge_scorer import bundle
from skillgauge_scorer.models import DEFAULT, store
from skillgauge_scorer.models.store import Installed
from skillgauge_scorer.train import pairs as pair_files
from tests.scorer.bundles import install_tiny
from tests.scorer.test_train_splits import skill

Run = Callable[..., tuple[int, str, str]]
REPOSITORIES = 6
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model, a corpus, contrast pairs, and a table of measured skills."""
    folder = tmp_path_factory.mktemp("train")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILLGAUGE_MODELS", str(folder / "models"))
        install_tiny(tmp_path_factory.mktemp("wheel"))
    rows: list[dict[str, Any]] = []
    for number in range(16):
        one = number % (2 * REPOSITORIES)
        inside = Path(f"repository-{one % REPOSITORIES}", f"skill-{one}", "SKILL.md")
        (folder / "corpus" / inside).parent.mkdir(parents=True, exist_ok=True)
        (folder / "corpus" / inside).write_text(skill(one, words=16), encoding="utf-8")
        family = f"family-{number % 4}"
        rows.append(
            {"skill": str(inside), "family": family, "uplift": number % 5, "interval": None}
        )
    rows[0]["skill"] = "away/SKILL.md"
    rows[1]["skill"] = str(Path(rows[1]["skill"]).parent)
    (folder / "table.json").write_text(json.dumps(rows))
    (folder / "contrast").mkdir()
    for number in (101, 102, 103):
        text = skill(number, words=16)
        change = "## Steps\n\n- Do it.\n- Think about it.\n"
        parts = f"<!-- base -->\n{text}<!-- A2 -->\nTells of it.\n<!-- C1 -->\n{change}"
        matched = f"<!-- C1 + -->\n{change}<!-- C1 - -->\n## Steps\n\n1. First it.\n2. Then it.\n"
        (folder / "contrast" / f"c{number}.md").write_text(parts + matched)
    return folder


@pytest.fixture
def run(place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(place)
    monkeypatch.setenv("SKILLGAUGE_MODELS", str(place / "models"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "cache"))

    def call(*words: str) -> tuple[int, str, str]:
        status = main(["train", *words])
        told = capsys.readouterr()
        return status, told.out, told.err

    return call


@pytest.fixture
def pairs(place: Path, run: Run) -> str:
    """The file of pairs that the first command makes."""
    if not (place / "pairs.jsonl").exists():
        status, out, err = run("pairs", "corpus", "--out", "pairs.jsonl", "--words", "30-400")
        assert (status, err) == (0, "")
        assert out.startswith(
            f"{len(list(pair_files.read(place / 'pairs.jsonl')))} pairs of 6 groups"
        )
    return "pairs.jsonl"


@pytest.fixture
def fitted(place: Path, run: Run, pairs: str) -> Path:
    """The bundle that the second command writes."""
    folder = place / "paper"
    if not folder.exists():
        words = ("fit", "--pairs", pairs, "--contrast", "contrast", "--out", "paper")
        status, out, err = run(*words, "--recipe", "paper")
        assert (status, err) == (0, "")
        assert "Cross-validated within the training pairs" in out
        assert "On the 9 pairs to validate on" in out
    return folder


@pytest.fixture
def own(place: Path, run: Run, pairs: str) -> dict[str, Any]:
    """What the second command says of the bundle that it writes by the default recipe."""
    words = ("fit", "--pairs", pairs, "--contrast", "contrast", "--out", "own", "--format", "json")
    kept = place / "own.json"
    if not kept.exists():
        status, out, _ = run(*words)
        assert status == 0
        kept.write_text(out)
    return json.loads(kept.read_text())


def model(place: Path) -> Installed:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILLGAUGE_MODELS", str(place / "models"))
        return store.load(DEFAULT)


def test_pairs(place: Path, run: Run, pairs: str) -> None:
    made = list(pair_files.read(place / pairs))
    assert {pair.group for pair in made} <= {f"repository-{at}" for at in range(REPOSITORIES)}
    assert {"C1", "D1"} <= {pair.metric for pair in made}
    status, out, _ = run(
        *("pairs", "corpus", "--out", "again.jsonl", "--words", "30-400", "--most", "1"),
        *("--written", "contrast", "--format", "json"),
    )
    found = json.loads(out)
    assert (status, found["schema_version"], found["skills"], found["seen"]) == (0, 1, 6, 12)
    assert found["metrics"]["C1"]["matched"] == 3
    written = [pair for pair in pair_files.read(place / "again.jsonl") if not pair.how]
    assert {pair.group for pair in written} == {"c101", "c102", "c103"}


def test_the_papers_recipe(place: Path, fitted: Path) -> None:
    found = bundle.load(fitted)
    bundle.check(found, model(place))
    assert (found.mode, found.manifest["recipe"]) == ("full", "paper")
    assert found.manifest["training"]["name"] == "pairs.jsonl"
    assert len(found.manifest["training"]["sha256"]) == 64
    for code, metric in found.metrics.items():
        facts = found.manifest["metrics"][code]
        assert facts["recipe"]["method"] == "mean"
        assert facts["confounds"] == ["formatting", "length"]
        assert {term.pooling for term in metric.terms} == {"last" if code == "D1" else "mean"}
        assert metric.figures["cross-validated"]["rule"]["pairs"] > 2
    assert found.metrics["C1"].figures["matched"]["pairs"] == 3
    assert "tf-idf" in found.metrics["C1"].figures["plain"]["baselines"]


def test_the_default_recipe_chooses(place: Path, own: dict[str, Any]) -> None:
    assert (own["schema_version"], own["recipe"]) == (1, "default")
    made = bundle.load(place / "own")
    assert (made.id, made.mode) == (own["bundle"], "sections")
    assert own["training"]["validated_on"] == 9


def test_evaluate(place: Path, run: Run, pairs: str, fitted: Path, own: dict[str, Any]) -> None:
    words = ("evaluate", "--contrast", "contrast", "--pairs", pairs, "--plots", "plots")
    chosen = ("--directions", "paper", "--directions", "own")
    status, out, err = run(*words, *chosen, "--format", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    text = render("evaluate", found)
    for title in (
        "Pairs that differ in the metric",
        "Keyword-matched pairs",
        "AUROC of the baselines",
        "AUROC by layer",
        "Margin by layer",
        "AUROC / margin by pooling",
        "Pearson r of score and token length",
        "Agreement",
    ):
        assert title in text, title
    assert sorted({path.name.rpartition("-")[2] for path in (place / "plots").iterdir()}) == [
        "agreement.svg",
        "auroc.svg",
        "length.svg",
        "margin.svg",
        "matched.svg",
        "paired.svg",
        "plain.svg",
    ]
    assert (found["schema_version"], len(found["plots"])) == (1, 13)
    assert found["agreement"]["mean"][0][0] == found["agreement"]["mean"][1][1] == 1.0
    one, other = found["bundles"]
    assert (one["bundle"], other["bundle"]) == (bundle.load(fitted).id, own["bundle"])
    figures = one["figures"]["metrics"]["C1"]["matched"]
    # What the bundle says of itself comes out again.
    assert figures == one["metrics"]["C1"]["figures"]["matched"]
    assert [row["layer"] for row in one["layers"]["C1"]] == [0, 2]
    assert [row["pooling"] for row in one["poolings"]["C1"]] == ["mean", "normed", "last"]
    assert set(one["length"]["metrics"]["D1"]) == {"before", "after", "finished"}


def test_evaluate_without_training_pairs(run: Run, fitted: Path) -> None:
    status, out, _ = run("evaluate", "--contrast", "contrast", "--directions", "paper")
    assert status == 0
    assert "by layer" not in out
    assert "tf-idf" not in out
    assert "as it is" in out


def test_uplift(place: Path, run: Run, fitted: Path) -> None:
    words = ("uplift", "table.json", "--skills", "corpus", "--directions", "paper")
    status, out, err = run(*words, "--plots", "uplift")
    assert (status, err) == (0, "")
    assert "15 measured skills of 4 families" in out
    assert "1 more could not be read" in out
    assert "All metrics are no better than the baselines" in out
    assert len(list((place / "uplift").iterdir())) == 3
    status, out, _ = run(*words, "--format", "json")
    found = json.loads(out)
    assert found["verdict"]["better"] is False
    assert {"all", "structure", "tokens", "C1"} <= set(found["predictors"])
    assert found["map"]["level"] == 0.9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pairs"], "`skillgauge train pairs` needs a folder of skills"),
        (["pairs", "corpus"], "needs --out"),
        (["pairs", "nowhere", "--out", "x"], "nowhere” does not exist"),
        (["pairs", "contrast", "--out", "x"], "holds nothing to make pairs of"),
        (["pairs", "corpus", "--out", "x", "--words", "9"], "--words takes a range"),
        (["pairs", "corpus", "--out", "x", "--llm", "http://a"], "go together"),
        (["pairs", "corpus", "--out", "x", "--plots", "p"], "--plots is for `skillgauge train"),
        (["fit"], "needs --pairs"),
        (["fit", "--pairs", "away.jsonl"], "away.jsonl” does not exist"),
        (["fit", "more", "--pairs", "x"], "takes no “more”"),
        (["fit", "--pairs", "table.json"], "Line 1 of"),
        (["fit", "--pairs", "x", "--model", "a", "--model", "b"], "takes one --model"),
        (["evaluate", "--contrast", "corpus"], "holds no pairs"),
        (["evaluate", "--contrast", "contrast"], "were made for another model"),
        (["evaluate", "--contrast", "contrast", "--model", "none"], "is not installed"),
        (["uplift", "table.json"], "needs --skills"),
        (["uplift", "away.json", "--skills", "."], "away.json” can't be read"),
        (["learn"], "The action is one of"),
    ],
)
def test_what_goes_wrong_is_one_line(run: Run, words: list[str], said: str) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
