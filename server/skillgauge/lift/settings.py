"""How a run is to go, as it was asked for and as the journal keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from skillgauge.lift.engines import Limits


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a worker has to know beside the plan."""

    skill_path: str
    """The skill's folder."""
    evals_path: str
    engine: str = "docker"
    """docker, or recorded for a run that was kept."""
    image: str = ""
    jobs: int = 2
    """How many trials run at once."""
    retries: int = 2
    """How often a trial with an infrastructure error is run again."""
    max_cost: float | None = None
    """In US dollars, over the whole run, the judge's calls with it."""
    prices: tuple[str, ...] = ()
    """The user's own, MODEL=IN,OUT in US dollars for a million tokens."""
    judge: str = ""
    """PROVIDER:MODEL; without it the judged metrics have no value."""
    script: str = ""
    """The command of the harness `script`."""
    replay_of: str = ""
    """The run whose recorded exchanges answer in the models' place."""
    scripted: bool = False
    """Whether a script stood in for the models, which a report has to say."""
    limits: Limits = field(default_factory=Limits)


def settings_of(body: Mapping[str, Any]) -> RunSettings:
    """Return the settings that the journal holds; keys of a newer version are left out."""
    known = {name: value for name, value in body.items() if name in RunSettings.__slots__}
    limits = known.pop("limits", {})
    kept = {name: value for name, value in limits.items() if name in Limits.__slots__}
    known["prices"] = tuple(known.get("prices", ()))
    return RunSettings(**known, limits=Limits(**kept))


def plain_settings(settings: RunSettings) -> dict[str, Any]:
    """Return settings as the journal takes them."""
    return asdict(settings)
