"""The scorer as a process: requests and answers in JSON lines."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skillgauge_scorer.__main__ import serve


def ask(*lines: str) -> list[dict[str, Any]]:
    target = io.StringIO()
    serve(io.StringIO("".join(f"{line}\n" for line in lines)), target)
    return [json.loads(line) for line in target.getvalue().splitlines()]


def test_answers_carry_the_id(models: Path) -> None:
    answers = ask(
        '{"id": "a", "method": "model.remove", "params": {"name": "x"}}',
        "",
        '{"id": 2, "method": "model.verify"}',
    )
    assert answers[0] == {"id": "a", "result": {"name": "x", "removed": False}}
    assert answers[1]["id"] == 2
    assert answers[1]["error"]["what"] == "The model “smollm2-135m-instruct” is not installed"
    assert "skillgauge model install" in answers[1]["error"]["how"]


@pytest.mark.parametrize("line", ["{", "[]", "1", '{"id": 1}', '{"method": "x", "params": {}}'])
def test_what_is_no_request_gets_an_error_and_the_next_is_answered(line: str) -> None:
    answers = ask(line, '{"id": 5, "method": "model.none"}')
    assert "error" in answers[0]
    assert answers[1]["id"] == 5
    assert answers[1]["error"]["what"] == "The scorer has no method “model.none”"


def test_the_process_ends_with_its_input_and_loads_nothing_heavy() -> None:
    program = (
        "import runpy, sys\n"
        "try: runpy.run_module('skillgauge_scorer', run_name='__main__')\n"
        "except SystemExit as end: print(end.code, file=sys.stderr)\n"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)), file=sys.stderr)"
    )
    request = b'{"id": 1, "method": "model.list"}\n'
    done = subprocess.run([sys.executable, "-c", program], input=request, capture_output=True)
    assert json.loads(done.stdout)["result"]
    assert done.stderr.decode().split() == ["0", "[]"]
