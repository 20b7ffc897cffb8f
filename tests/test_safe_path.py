"""Nothing in the folder that a child is started in is imported by it: that may be a hostile one."""

from __future__ import annotations

import subprocess
from pathlib import Path

from skillgauge.child import command_of


def test_a_module_of_the_current_folder_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("open('taken', 'w')\n")
    (tmp_path / "skillgauge_scorer.py").write_text("open('taken', 'w')\n")
    words = [*command_of(), "--idle", "1"]
    line = b'{"id": 1, "method": "describe", "params": {}}\n'
    subprocess.run(words, cwd=tmp_path, input=line, capture_output=True, check=False)
    assert not (tmp_path / "taken").exists()


def test_a_module_of_the_current_folder_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "only_here.py").write_text("print('run')\n")
    ran = subprocess.run(
        command_of(["only_here"]), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.stdout == ""
    assert "No module named only_here" in ran.stderr
