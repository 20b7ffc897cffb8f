"""What a replay takes over from the run that it plays again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skillgauge.lift import folders
from skillgauge.lift.kept_verdicts import kept_verdicts
from skillgauge.lift.results import Artifact, Ran, judged_of, ran_of

from .made_runs import CASES, CELLS, make_run, reader


@pytest.mark.parametrize("same", [True, False])
def test_verdicts_hold_for_what_is_as_before(tmp_path: Path, same: bool) -> None:
    run = make_run(tmp_path, cases=CASES[:1], cells=CELLS[:1], attempts=1)
    with reader(tmp_path) as journal:
        trial = journal.trials(run)[0].trial.id
        ran: Ran = ran_of(journal.result(run, trial, "ran"))
        before = judged_of(journal.result(run, trial, "judged"))
    changed = ran if same else replace(ran, artifacts=(*ran.artifacts, Artifact("new", 1, "x")))
    found = kept_verdicts(folders.journal_path(tmp_path), run, trial, changed)
    assert before
    if not same:
        assert found == {}
        return
    assert {name: one.judgement for name, one in found.items()} == {
        name: one.judgement for name, one in before.items()
    }
    assert {one.cost_usd for one in found.values()} <= {0.0, None}
