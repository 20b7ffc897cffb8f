"""A stage on which a recording is played: no engine, no model, no key.

What a harness left in its home folder and its workspace, what it printed and what the judge said
come from the recording; all that follows is the same as in a live run.

    FOLDER/skill/                 the skill with its evaluation cases
    FOLDER/TRIAL/trial.json       how it ended, what it used, and what the judge said
    FOLDER/TRIAL/{stdout,stderr}
    FOLDER/TRIAL/home/…           the harness's own logs
    FOLDER/TRIAL/workspace/…      the files that it made or changed
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from skillgauge.errors import InputError
from skillgauge.lift.cases import Case
from skillgauge.lift.engines import Ended
from skillgauge.lift.plan import Trial
from skillgauge.lift.results import Judged, Ran, judged_of, ran_of
from skillgauge.lift.stage import Part, Played
from skillgauge.lift.trajectory import find_logs
from skillgauge.lift.trajectory._types import Trajectory


class RecordedStage:
    """Plays what is recorded in a folder."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of a recording."""
        self.folder = folder

    async def prepare(self, is_alive: Callable[[str], bool]) -> None:
        """Do nothing: there is nothing to start."""

    def book(self, amount: float) -> None:
        """Do nothing: a recording costs nothing."""

    @property
    def is_spent(self) -> bool:
        """Return no: a recording costs nothing."""
        return False

    async def close(self) -> None:
        """Do nothing: there is nothing to stop."""

    async def play(self, part: Part) -> Played:
        """Put in place what the harness left, and tell how it ended."""
        folder = self.folder / part.trial.id
        ran = ran_of(self._kept(part.trial)["ran"])
        for name, place in (("home", part.room.home), ("workspace", part.room.workspace)):
            if (folder / name).is_dir():
                shutil.copytree(folder / name, place, dirs_exist_ok=True)
        out, err = (
            (folder / name).read_bytes() if (folder / name).is_file() else b""
            for name in ("stdout", "stderr")
        )
        reason: Any = ran.reason
        ended = Ended(ran.exit_code, reason, ran.seconds, stdout=out, stderr=err)
        return Played(ended, ran.usage, ran.version)

    async def judge(
        self, trial: Trial, case: Case, trajectory: Trajectory | None, ran: Ran
    ) -> Mapping[str, Judged]:
        """Return what the judge said when it was recorded."""
        return judged_of(self._kept(trial).get("judged", {}))

    def logs(self, part: Part) -> list[Path]:
        """Return the logs that were put in place."""
        return find_logs(part.trial.cell.harness, part.room.home)

    def _kept(self, trial: Trial) -> dict[str, Any]:
        path = self.folder / trial.id / "trial.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"The recording has no trial “{trial.id}”", str(error)) from error
