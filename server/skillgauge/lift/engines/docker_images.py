"""Makes, lists and removes images with Docker's engine: its own builder, which every one has.

Unlike the engine's other calls these block: the command line waits for them, and nothing else does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from errno import ENOSPC
from pathlib import Path
from typing import Any, Final

from skillgauge.errors import UserError
from skillgauge.lift.engines import EngineFault
from skillgauge.lift.engines._docker_api import Refused, connected, fault_of

Show = Callable[[str, int, int], None]
"""Takes the name of a step, how much of it is done, and how much there is."""
FULL: Final = "no space left on device"


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the engine."""

    id: str
    tags: tuple[str, ...]
    size: int
    created: int
    """In seconds since 1970."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])


class Images:
    """The images of an engine; UserError where none answers."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Connect to the engine that the environment names."""
        self._client, _ = connected(environ)

    def architecture(self) -> str:
        """Return the processor of the engine's machine, such as amd64."""
        with _translated():
            return str(self._client.version()["Arch"])

    def find(self, name: str) -> Image | None:
        """Return the image of a name or an id, None if there is none."""
        try:
            with _translated():
                found = self._client.inspect_image(name)
        except Refused as error:
            if error.status == 404:
                return None
            raise
        tags = tuple(found.get("RepoTags") or ())
        return Image(found["Id"], tags, found["Size"], 0, found["Config"].get("Labels") or {})

    def labelled(self, label: str) -> list[Image]:
        """Return the images with a label, the newest first."""
        with _translated():
            listed = self._client.images(filters={"label": label})
        found = [
            Image(
                one["Id"],
                tuple(tag for tag in one["RepoTags"] or () if tag != "<none>:<none>"),
                one["Size"],
                one["Created"],
                one["Labels"] or {},
            )
            for one in listed
        ]
        return sorted(found, key=lambda one: -one.created)

    def pull(self, name: str, show: Show) -> None:
        """Fetch an image from its registry."""
        exact = "@" in name or ":" in name.split("/")[-1]
        wanted = name if exact else f"{name}:latest"  # without a tag all would be fetched
        layers: dict[str, tuple[int, int]] = {}
        with _translated():
            for event in self._client.pull(wanted, stream=True, decode=True):
                _raise_said(event)
                detail: dict[str, Any] = event.get("progressDetail") or {}
                if event.get("status") == "Downloading" and detail.get("total"):
                    layers[event["id"]] = (detail["current"], detail["total"])
                    show("pull", *(sum(pair) for pair in zip(*layers.values(), strict=True)))

    def build(self, context: Path, steps: int, show: Show, *, network: bool) -> str:
        """Make an image of a tar with a Dockerfile, and return its id; it has no name yet."""
        made = ""
        with context.open("rb") as tar, _translated():
            for event in self._client.build(
                fileobj=tar,
                custom_context=True,
                decode=True,
                rm=True,
                forcerm=True,
                network_mode=None if network else "none",
                use_config_proxy=network,
            ):
                _raise_said(event)
                words = str(event.get("stream", "")).split()
                if words[:1] == ["Step"]:
                    show("build", int(words[1].split("/")[0]) - 1, steps)
                aux: dict[str, Any] = event.get("aux") or {}
                made = str(aux.get("ID", made))
        if not made:
            raise EngineFault("The engine did not say what it made")
        return made

    def tag(self, identity: str, name: str) -> None:
        """Give an image a name, taken from the one that had it, which goes if nothing else has."""
        before = self.find(name)
        with _translated():
            self._client.tag(identity, name)
        if before and before.id != identity:
            self.discard(before.id)

    def discard(self, identity: str) -> None:
        """Remove an image unless it has a name or is in use."""
        with contextlib.suppress(EngineFault), _translated():
            if not self._client.inspect_image(identity).get("RepoTags"):
                self._client.remove_image(identity)

    def remove(self, name: str) -> None:
        """Remove an image by its name."""
        with _translated():
            self._client.remove_image(name)


def _raise_said(event: Mapping[str, Any]) -> None:
    """Raise what the engine says has gone wrong in the midst of its answer."""
    if "error" in event:
        raise EngineFault(str(event["error"])[:1000])


@contextlib.contextmanager
def _translated() -> Generator[None]:
    """Turn exceptions of the SDK into faults of the engine; a full disk is the user's to mend."""
    try:
        yield
    except Exception as error:
        fault = error if isinstance(error, EngineFault) else fault_of(error)
        if FULL in str(error).lower() or getattr(error, "errno", 0) == ENOSPC:
            how = "`docker system df` shows what takes it, `docker image prune` gives some back"
            raise UserError("The engine's disk is full", how=how) from error
        if fault is None or fault is error:
            raise
        raise fault from error
