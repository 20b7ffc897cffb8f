"""The image of agents, made of a local base without a registry or a network."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skillgauge.cli import main
from skillgauge.errors import UserError
from skillgauge.lift import image, npm
from skillgauge.lift.doctor import observations
from skillgauge.lift.engines import Engine

from .conftest import BUSYBOX_IMAGE, Jobs

GEMINI = "0.61.0"
FAKE = Path(__file__).with_name("fake_npm.py")


def quiet(step: str, done: int, total: int) -> None:
    pass


@pytest.fixture
def tag(sdk: Any, run_id: str) -> Iterator[str]:
    """A name for the image of one test."""
    name = f"skillgauge-test/{run_id}:1"
    yield name
    for one in sdk.images(filters={"label": image.AGENTS}):
        if name in (one["RepoTags"] or ()):
            sdk.remove_image(name, force=True)


@pytest.fixture
def environ(docker_host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Where the engine is, with an npm that asks nobody."""
    found = tmp_path / "bin"
    found.mkdir()
    (found / "npm").write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} "$@"\n')
    (found / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{found}:{os.environ['PATH']}")
    monkeypatch.setenv("DOCKER_HOST", docker_host)
    monkeypatch.setenv("SKILLGAUGE_DATA", str(tmp_path / "data"))
    return {"DOCKER_HOST": docker_host, "SKILLGAUGE_DATA": str(tmp_path / "data")}


def test_an_agent_of_javascript_gets_a_node(
    environ: dict[str, str], busybox: str, tag: str, job: Jobs, engine: Engine, sdk: Any
) -> None:
    shown: list[tuple[str, int, int]] = []
    made = image.build(environ, busybox, ["gemini-cli"], tag, lambda *step: shown.append(step))
    assert made.tags == (tag,)
    assert made.labels["skillgauge.harness.gemini-cli"] == GEMINI
    assert made.labels["skillgauge.base"] == busybox
    assert [step[0] for step in shown if step[0] != "build"] == ["install", "install", "check"]
    built = [step for step in shown if step[0] == "build"]
    assert built == [("build", at, len(built)) for at in range(len(built))]
    words = {"entrypoint": ["gemini"], "user": "1000:1000"}
    container = sdk.create_container(tag, **words)
    try:
        sdk.start(container)
        sdk.wait(container)
        assert sdk.logs(container) == f"@google/gemini-cli {GEMINI} on v22.23.5\n".encode()
        stream, _ = sdk.get_archive(container, "/opt/agents")
        with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as tar:
            assert {member.uid for member in tar} == {0}
    finally:
        sdk.remove_container(container, force=True)


def test_one_that_does_not_start_gets_no_name(
    environ: dict[str, str], busybox: str, tag: str, sdk: Any
) -> None:
    """The program is found as it is, without the script that would start it, and is started."""
    before = {one["Id"] for one in sdk.images(all=True)}
    with pytest.raises(UserError, match=r"Codex does not start on .*applet not found"):
        image.build(environ, busybox, ["codex"], tag, quiet)
    assert {one["Id"] for one in sdk.images(all=True)} == before
    assert image.Images(environ).find(tag) is None


def test_a_new_one_takes_the_name(
    environ: dict[str, str], busybox: str, tag: str, sdk: Any, tmp_path: Path
) -> None:
    first = image.build(environ, busybox, ["gemini-cli"], tag, quiet)
    mark = image._engine(environ)._data
    labels = {"skillgauge.run": "image-999999999", "skillgauge.data": mark}
    sdk.create_container(busybox, ["true"], labels=labels)  # as of a build that was killed
    again = image.build(environ, busybox, ["gemini-cli"], tag, quiet)
    assert sdk.containers(all=True, filters={"label": f"skillgauge.data={mark}"}) == []
    found = image.Images(environ).find(tag)
    assert found is not None
    assert found.id == again.id
    listed = [one.id for one in image.listed(environ) if tag in one.tags]
    assert listed == [again.id]
    assert first.id == again.id or image.Images(environ).find(first.id) is None


def test_the_command_line(
    environ: dict[str, str], busybox: str, tag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["image", "build", "--base", busybox, "--harness", "gemini-cli", "--tag", tag]
    assert main([*words, "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["tags"] == [tag]
    assert said["harnesses"] == {"gemini-cli": GEMINI}
    assert main(["image", "list"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if tag in line]
    assert len(lines) == 1
    assert lines[0].endswith(f"gemini-cli {GEMINI}")
    assert main(["image", "remove", tag]) == 0
    assert main(["image", "remove", tag]) == 2
    assert f"There is no image “{tag}”" in capsys.readouterr().err


def test_only_our_own_are_removed(environ: dict[str, str], busybox: str) -> None:
    with pytest.raises(UserError, match="was not made by Skillgauge"):
        image.remove(environ, busybox)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["build", "--base", "no/such:base"], "The base “no/such:base” can't be had"),
        (["build", "--harness", "codx"], "There is no harness “codx”. Did you mean “codex”?"),
        (["build", "--harness", "script"], "is not installed"),
        (
            ["build", "--base", BUSYBOX_IMAGE, "--harness", "opencode"],
            "npm can't install opencode-ai@",
        ),
        (["remove"], "needs to know which"),
        (["list", "x"], "takes no name"),
        (["list", "--tag", "x"], "--tag is for `skillgauge image build`"),
    ],
)
def test_what_can_be_wrong(
    environ: dict[str, str],
    busybox: str,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    assert main(["image", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


def test_no_npm_anywhere(
    environ: dict[str, str], busybox: str, tag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillgauge.lift.image.find_npm", lambda: None)
    with pytest.raises(UserError, match=r"Neither this machine nor .* has npm"):
        image.build(environ, busybox, ["codex"], tag, quiet)


def test_the_bases_own_npm(
    environ: dict[str, str],
    busybox: str,
    tag: str,
    sdk: Any,
    run_id: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("skillgauge.lift.image.find_npm", lambda: None)
    script = '#!/bin/sh\n[ "$1" = --version ] && exec echo 11\nmkdir -p /usr/local/bin\n'
    script += 'for last; do :; done; printf "#!/bin/sh\\necho $last" > /usr/local/bin/gemini\n'
    script += "chmod 755 /usr/local/bin/gemini\n"
    base = f"skillgauge-test/{run_id}-npm:1"
    container = sdk.create_container(busybox, ["true"])
    with io.BytesIO() as data:
        with tarfile.open(fileobj=data, mode="w") as tar:
            info = tarfile.TarInfo("npm")
            info.size, info.mode = len(script), 0o755
            tar.addfile(info, io.BytesIO(script.encode()))
        sdk.put_archive(container, "/usr/bin", data.getvalue())
    sdk.commit(container, *base.split(":"))
    sdk.remove_container(container)
    try:
        made = image.build(environ, base, ["gemini-cli"], tag, quiet)
        assert made.labels["skillgauge.harness.gemini-cli"] == GEMINI
        said = image._run(environ, tag, ("gemini", "--version"))
        assert said == f"@google/gemini-cli@{GEMINI}\n"
    finally:
        sdk.remove_image(base, force=True)


def test_what_doctor_says(environ: dict[str, str], tag: str, busybox: str, sdk: Any) -> None:
    environ |= {"OPENAI_API_KEY": "sk-secret", "GEMINI_API_KEY": " "}
    found = {one.label: one for one in observations(environ)}
    assert found["engine"].value.startswith("Docker ")
    assert (found["models' keys"].state, found["models' keys"].value) == (
        "ok",
        "OPENAI_API_KEY set",
    )
    lost = {one.label: one for one in observations({"DOCKER_HOST": "unix:///no/such"})}
    assert lost["engine"].state == "note"
    assert "there is no /no/such" in lost["engine"].value
    assert "docker.io" in lost["engine"].mend
    assert "agents' image" not in lost
    assert "ANTHROPIC_API_KEY" in lost["models' keys"].mend


def test_what_npm_is_asked(tmp_path: Path, environ: dict[str, str]) -> None:
    """It runs no scripts, and installs for the container's system, not for this one."""
    found = npm.install(
        npm.Package("@openai/codex", "0.171.0", "codex"), tmp_path / "c", npm.Target("amd64")
    )
    native = "node_modules/@openai/codex-linux-x64/vendor/bin/codex"
    assert (found.programs, found.node) == ({"codex": native}, 0)
    script = npm.install(
        npm.Package("@google/gemini-cli", GEMINI, "gemini"), tmp_path / "g", npm.Target("arm64")
    )
    assert script.programs == {"gemini": "node_modules/@google/gemini-cli/bin/gemini"}
    assert script.node == 20
    with pytest.raises(UserError, match=r"npm can't install x@1: notarget No matching version"):
        npm.install(npm.Package("x", "1", "x"), tmp_path / "x", npm.Target("amd64"))
    with pytest.raises(UserError, match="no agents for the engine's processor riscv64"):
        npm.install(npm.Package("x", "1", "x"), tmp_path / "y", npm.Target("riscv64"))


def test_the_real_npm_takes_these_options(tmp_path: Path) -> None:
    """Its help knows the options that the tests' own takes."""
    if npm.find_npm() is None:
        pytest.skip("There is no npm")
    done = subprocess.run(
        ["npm", "install", "--help"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    for option in ("--ignore-scripts", "--no-audit", "--no-fund", "--cpu", "--os", "--libc"):
        assert option in done.stdout + done.stderr
