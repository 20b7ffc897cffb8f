"""Looks at what lift runs need beside the rest: Docker's engine, the agents' image, keys."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Final

from skillgauge.doctor import Observation
from skillgauge.errors import SkillgaugeError, UserError

ENGINE: Final = "engine"
IMAGE_LABEL: Final = "agents' image"
KEYS: Final = "models' keys"


def observations(environ: Mapping[str, str]) -> list[Observation]:
    """Return what was found; nothing of it keeps the other commands from working."""
    found = list(_engine(environ))
    if found[-1].state == "ok":
        found += _image(environ)
    return [*found, *_keys(environ)]


def _engine(environ: Mapping[str, str]) -> Iterator[Observation]:
    from skillgauge.lift.engines.docker import connect

    try:
        described = asyncio.run(connect(environ).describe())
    except SkillgaugeError as error:
        yield _missing(ENGINE, error)
    else:
        yield Observation("ok", ENGINE, described)


def _image(environ: Mapping[str, str]) -> Iterator[Observation]:
    from skillgauge.lift.engines.docker_images import Images
    from skillgauge.lift.harnesses import IMAGE, LABEL

    try:
        found = Images(environ).find(IMAGE)
    except SkillgaugeError as error:
        yield _missing(IMAGE_LABEL, error)
        return
    if found is None:
        mend = "skillgauge image build"
        yield Observation("note", IMAGE_LABEL, f"there is no {IMAGE}", mend)
        return
    versions = sorted(
        f"{label.removeprefix(LABEL)} {version}"
        for label, version in found.labels.items()
        if label.startswith(LABEL)
    )
    agents = ", ".join(versions) or "no agents that are known"
    yield Observation("ok", IMAGE_LABEL, f"{IMAGE}, {found.size >> 20:,} MiB: {agents}")


def _keys(environ: Mapping[str, str]) -> Iterator[Observation]:
    """Tell which variables are set, and never to what."""
    from skillgauge.lift.gateway.endpoints import key_names
    from skillgauge.lift.judge.endpoint import KEY

    names = (*key_names(), KEY)
    there = [name for name in names if environ.get(name, "").strip()]
    if there:
        yield Observation("ok", KEYS, f"{', '.join(there)} set")
    else:
        mend = f"Set the one for the models that you use: {', '.join(names)}"
        yield Observation("note", KEYS, "none is set; replays and `lift demo` need none", mend)


def _missing(label: str, error: SkillgaugeError) -> Observation:
    if not isinstance(error, UserError):
        return Observation("note", label, str(error))
    value = f"{error.what}: {error.why}" if error.why else error.what
    return Observation("note", label, value, error.how)
