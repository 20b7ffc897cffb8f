"""Reads a corpus of real skills: a folder with `index.jsonl` and the files that it names.

Each line of the index is a JSON object with `id`, `repo`, `path`, `file` (relative to the index),
`sibling_files`: the names of the other files of the skill's folder, whose contents are not kept
except for evaluation files, and `n_siblings`: how many there were before that list was cut.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from skillgauge.discover import kind_of
from skillgauge.document.evals import EvalFile
from skillgauge.document.files import check_size
from skillgauge.document.folder import MemoryFolder
from skillgauge.document.skill import Skill


@dataclass(frozen=True)
class Entry:
    """One skill of the corpus."""

    id: str
    repo: str
    skill: Skill


@dataclass(frozen=True)
class EvalEntry:
    """One evaluation file of the corpus, with the skill that it lies beside."""

    id: str
    repo: str
    file: EvalFile


def read_evals(corpus: Path, sample: int | None = None, seed: int = 7) -> Iterator[EvalEntry]:
    """Yield the evaluation files in index order: those that the corpus holds beside its skills."""
    for entry in read(corpus, sample, seed):
        if entry.skill.path is None:
            continue
        for path in sorted((corpus / "skills" / entry.id / "evals").glob("*")):
            if kind_of(str(path)) == "evals":
                text, problem = check_size(path.read_bytes())
                where = entry.skill.path.parent / "evals" / path.name
                file = EvalFile(text, where, entry.skill, problem)
                yield EvalEntry(f"{entry.id}/evals/{path.name}", entry.repo, file)


def read(corpus: Path, sample: int | None = None, seed: int = 7) -> Iterator[Entry]:
    """Yield the skills in index order; with `sample`, that many, drawn with a fixed seed."""
    with (corpus / "index.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    if sample is not None:
        chosen = set(random.Random(seed).sample(sorted(row["id"] for row in rows), sample))
        rows = [row for row in rows if row["id"] in chosen]
    for row in rows:
        where = PurePosixPath(row["path"])
        text, problem = check_size((corpus / row["file"]).read_bytes())
        names = {where.name: None, **dict.fromkeys(row["sibling_files"])}
        complete = row.get("n_siblings", 0) <= len(row["sibling_files"])
        folder = MemoryFolder(
            where.parent.name or row["repo"].split("/")[-1], names, complete=complete
        )
        path = Path("/corpus", row["repo"], row["path"])
        yield Entry(row["id"], row["repo"], Skill(text, path, folder, None, (), problem))
