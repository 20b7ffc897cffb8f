"""A recorded run of an example skill, and how it is played: with no key, no engine and no model.

The recording was made with real command lines of agents in containers; a script stood in for their
models and for the judge. So it shows how a run goes and what a report says, not what a skill is
worth.
"""

from __future__ import annotations

import asyncio
import json
import zipfile
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from skillgauge.lift import folders
from skillgauge.lift.journal import Journal
from skillgauge.lift.plan import Cell, Request, make_plan
from skillgauge.lift.recorded import RecordedStage
from skillgauge.lift.settings import RunSettings, plain_settings
from skillgauge.lift.source import SkillSource
from skillgauge.lift.start import load, new_id
from skillgauge.lift.worker import work

RECORDING: Final = "recording.zip"
ABOUT: Final = "run.json"


def replay(data: Path) -> str:
    """Play the recording below a data folder, and return the run's id. It takes a few seconds."""
    run = new_id()
    recording = folders.run_folder(data, run) / "recording"
    unpack(resources.files(__name__).joinpath(RECORDING).read_bytes(), recording)
    about: dict[str, Any] = json.loads((recording / ABOUT).read_text(encoding="utf-8"))
    folder = recording / "skill" / about["skill"]
    evals, found = load(folder)
    cells = tuple(Cell(*cell) for cell in about["cells"])
    plan = make_plan(found.cases, Request(cells, about["attempts"], seed=about["seed"]))
    source = SkillSource(folder)
    settings = RunSettings(
        str(folder), str(evals), engine="recorded", judge=about["judge"], scripted=True, jobs=4
    )
    with Journal(folders.journal_path(data)) as journal:
        journal.begin(
            run,
            plan,
            skill=source.name,
            digest=source.digest,
            settings=plain_settings(settings),
        )

    def make_stage(settings: RunSettings, folder: Path, cells: tuple[Cell, ...]) -> RecordedStage:
        return RecordedStage(recording)

    asyncio.run(work(data, run, make_stage))
    return run


def unpack(archive: bytes, folder: Path) -> None:
    """Unpack a recording of ours; `zipfile` lets nothing lead out of the folder."""
    folder.mkdir(mode=0o700, parents=True)
    with zipfile.ZipFile(BytesIO(archive)) as file:
        for entry in file.infolist():
            place = Path(file.extract(entry, folder))
            if entry.external_attr >> 16 & 0o100:
                place.chmod(0o755)
