"""Records the run that `skillgauge lift demo` plays.

    python -m tests.lift.record_demo --image IMAGE

The image needs Codex, Claude Code and python3 (`skillgauge image build --harness codex --harness
claude-code`), and DOCKER_HOST an engine. The agents' command lines are real; a script stands in for
their models and for the judge. Of the harnesses' logs only what our converters read is kept: the
rest holds texts of their makers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from skillgauge.lift import demo, folders, live, worker
from skillgauge.lift.harnesses import harness
from skillgauge.lift.journal_reader import JournalReader
from skillgauge.lift.source import SkillSource
from skillgauge.lift.start import Asked, begin, prepare
from tests.lift.demo_script import SKILL, script
from tests.lift.model_server import ModelServer

ROOT: Final = Path(__file__).parents[2]
HARNESSES: Final = ("codex", "claude-code")
SEED: Final = 7
JUDGE: Final = "local:scripted-judge"
HOME: Final = "/home/agent"
DATE: Final = (2026, 1, 1, 0, 0, 0)
_CLAUDE: Final = ("user", "assistant", "cost-state")
_CODEX: Final = ("session_meta", "response_item", "event_msg", "turn_context")
_INSTRUCTIONS: Final = ("base_instructions", "instructions", "developer_instructions")


async def record(image: str, data: Path, out: Path) -> None:
    """Run all trials, and pack what came of them."""
    servers = {name: ModelServer(script(f"{HOME}/{harness(name).SKILLS}")) for name in HARNESSES}
    async with servers["codex"] as openai, servers["claude-code"] as anthropic:
        os.environ |= {
            "ANTHROPIC_BASE_URL": anthropic.url,
            "OPENAI_BASE_URL": f"{openai.url}/v1",
            "SKILLGAUGE_JUDGE_BASE_URL": f"{openai.url}/v1",
            folders.VARIABLE: str(data),
        }
        skill = ROOT / "examples" / "skills" / SKILL
        prepared = prepare(Asked(skill, HARNESSES, image=image, judge=JUDGE, seed=SEED))
        run = begin(data, prepared)
        await worker.work(data, run, live.make_stage, live.hidden_of(os.environ))
    with JournalReader(folders.journal_path(data)) as journal:
        states = journal.counts(run)
        if set(states) != {"done"}:
            raise SystemExit(f"not all trials are done: {states}")
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, content in sorted(contents(journal, run, data, skill)):
                entry = zipfile.ZipInfo(name, DATE)
                entry.external_attr = (0o755 if name.endswith(".py") else 0o644) << 16
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def contents(
    journal: JournalReader, run: str, data: Path, skill: Path
) -> Iterator[tuple[str, bytes]]:
    """Yield the recording's files."""
    source = SkillSource(skill)
    for path in (*source.files, "evals/evals.json"):
        yield f"skill/{SKILL}/{path}", (skill / path).read_bytes()
    for file in sorted((skill / "evals" / "files").iterdir()):
        yield f"skill/{SKILL}/evals/files/{file.name}", file.read_bytes()
    rows = journal.trials(run)
    cells = list(dict.fromkeys(row.trial.cell for row in rows))
    about = {
        "skill": SKILL,
        "cells": [[cell.harness, cell.model] for cell in cells],
        "attempts": 1,
        "seed": SEED,
        "judge": JUDGE,
    }
    yield demo.ABOUT, _json(about)
    ran, judged = journal.results(run, "ran"), journal.results(run, "judged")
    for row in rows:
        key = row.trial.id
        folder = folders.trial_folder(data, run, key)
        ran[key]["artifacts"] = []  # they are collected anew
        ran[key]["usage"]["cost_usd"] = None  # nobody was paid
        yield f"{key}/trial.json", _json({"ran": ran[key], "judged": judged[key]})
        for path in sorted((folder / "logs").rglob("*.jsonl")):
            kept = "".join(trimmed(path.read_text(encoding="utf-8")))
            yield f"{key}/home/{path.relative_to(folder / 'logs').as_posix()}", kept.encode()
        for path in sorted((folder / "artifacts").rglob("*")):
            if path.is_file():
                name = path.relative_to(folder / "artifacts").as_posix()
                yield f"{key}/workspace/{name}", path.read_bytes()


def trimmed(log: str) -> Iterator[str]:
    """Yield the lines of a log that a converter reads, without what its maker wrote."""
    for line in log.split("\n"):
        row: dict[str, Any] = json.loads(line) if line else {}
        payload: dict[str, Any] = row.get("payload", {})
        if row.get("type") not in (*_CLAUDE, *_CODEX) or payload.get("role") == "developer":
            continue
        for name in _INSTRUCTIONS:
            payload.pop(name, None)
        yield f"{json.dumps(row, ensure_ascii=False, separators=(',', ':'))}\n"


def _json(value: object) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


def main() -> None:
    """Read the command line and record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", required=True)
    parser.add_argument("--out", type=Path, default=Path(demo.__file__).parent / demo.RECORDING)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(record(options.image, Path(folder), options.out))
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
