"""Reads a corpus of real skills: a folder with `index.jsonl` and the files that it names.

Each line of the index is a JSON object with `id`, `repo`, `path`, `file` (relative to the index)
`sibling_files`: the names of the other files of the skill's folder, whose contents are not kept, and
`n_siblings`: how many there were before that list was cut.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from skillgauge.document.files import check_size
from skillgauge.document.folder import MemoryFolder
from skillgauge.document.skill import Skill


@dataclass(frozen=True)
class Entry:
    """One skill of the corpus."""

    id: str
    repo: str
    skill: Skill


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
