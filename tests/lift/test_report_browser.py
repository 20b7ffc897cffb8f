"""The page of a lift run in a real browser: nothing is refused, and nothing hostile runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from skillgauge.lift.report import render

from .hostile_run import hostile_page
from .made_runs import report_on

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> str:
    return render(report_on(tmp_path_factory.mktemp("usual")), "html")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return hostile_page(tmp_path_factory.mktemp("hostile"))


@pytest.mark.e2e
@pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium")
@pytest.mark.parametrize("kind", ["usual", "hostile"])
def test_in_a_browser(kind: str, usual: str, hostile: str, tmp_path: Path) -> None:
    """The script opens the case that is linked to; nothing is refused, nothing hostile runs."""
    page = tmp_path / "lift.html"
    page.write_text(usual if kind == "usual" else hostile, encoding="utf-8")
    dom, said = browse(f"{page.as_uri()}#case-3", tmp_path)
    assert said == []
    assert 'id="buttons"' in dom
    assert 'id="buttons" hidden' not in dom
    opened = re.findall(r'<details class="case [a-z]+" open="">.*?id="(case-\d+)"', dom, re.DOTALL)
    assert opened[:1] == ["case-3"]
    assert len(re.findall(r'<details class="case [a-z]+" open="">', dom)) == 1


@pytest.mark.e2e
@pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium")
def test_the_browser_tells_of_what_is_refused(usual: str, tmp_path: Path) -> None:
    """So that silence means something: what the policy forbids is heard of."""
    bad = "<body><script>document.title = 'stolen'</script><p style='color: red'>"
    page = tmp_path / "lift.html"
    page.write_text(usual.replace("<body>", bad), encoding="utf-8")
    dom, said = browse(page.as_uri(), tmp_path)
    assert len([line for line in said if "violates" in line]) == 2
    assert "<title>stolen</title>" not in dom


def browse(address: str, folder: Path) -> tuple[str, list[str]]:
    """Return the document as the browser has it, and what it said on the console."""
    done = subprocess.run(
        [
            *(str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *(f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr", "--v=0"),
            *("--virtual-time-budget=3000", "--dump-dom", address),
        ],
        capture_output=True,
        timeout=100,
        check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
    )
    said = [line for line in done.stderr.decode("utf-8", "replace").splitlines()
            if ":CONSOLE" in line]  # fmt: skip
    return done.stdout.decode("utf-8"), said
