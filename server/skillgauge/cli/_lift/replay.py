"""`lift replay`: a run again, with its recorded exchanges in the models' place."""

from __future__ import annotations

from skillgauge.cli._lift._asked import refuse_missing
from skillgauge.cli._lift._runs import find_run, open_journal
from skillgauge.cli._lift._work import work_on
from skillgauge.cli._parser import Namespace
from skillgauge.lift import folders
from skillgauge.lift.settings import settings_of
from skillgauge.lift.start import begin_replay


def run(options: Namespace) -> int:
    """Replay, and return the exit status."""
    data = folders.data_folder()
    with open_journal() as reader:
        row = find_run(reader, options.subject)
        cells = tuple(dict.fromkeys(one.trial.cell for one in reader.trials(row.id)))
    settings = settings_of({**row.settings, "replay_of": row.settings.get("replay_of") or row.id})
    refuse_missing(settings, cells)
    return work_on(options, data, begin_replay(data, row.id))
