"""Makes the image that agents run in: a base of the user's choice, and the agents of npm on it.

Where the host has npm, the packages are installed here and copied, so that the build itself needs
no network; else the base's own npm installs them. An image gets its name last, when each of its
agents has shown that it starts.
"""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skillgauge import __version__
from skillgauge.errors import UserError
from skillgauge.lift.engines import Engine, EngineFault, Job, Limits
from skillgauge.lift.engines.docker import connect
from skillgauge.lift.engines.docker_images import Image, Images, Show
from skillgauge.lift.folders import VARIABLE, data_folder
from skillgauge.lift.harnesses import LABEL, Package, harness, names
from skillgauge.lift.npm import LEFT_OUT, Installed, Target, find_npm, install, install_node

BASE: Final = "node:22-bookworm"
"""Has Git and Python as well, which the scripts of skills often need; its -slim has not."""
AGENTS: Final = "skillgauge.agents"
"""The label of all images that are made here."""
BASE_LABEL: Final = "skillgauge.base"
FOLDER: Final = "/opt/agents"
PROGRAMS: Final = "/usr/local/bin"
_LIMITS: Final = Limits(memory_mb=2048, seconds=180)
_RUN: Final = "image-"
_PROBE: Final = """\
echo "node $(node --version 2>/dev/null)"
echo "path $PATH"
echo "npm $(npm --version 2>/dev/null)"
for file in /lib/ld-musl-*; do [ -e "$file" ] && echo "libc musl"; done
true"""


@dataclass(frozen=True, slots=True)
class Base:
    """What a base image has."""

    name: str
    id: str
    node: int
    """Node's major version, 0 without it."""
    npm: bool
    path: str
    """Where programs are looked for."""
    target: Target


@dataclass(slots=True)
class Context:
    """The tar that an image is built of, and the lines of its Dockerfile."""

    tar: tarfile.TarFile
    lines: list[str] = field(default_factory=list[str])
    programs: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, found: Installed) -> None:
        """Add a folder of packages, of which nothing belongs to this host's user."""
        self.tar.add(found.folder / "node_modules", f"{name}/node_modules", filter=_plain)
        self.lines.append(f"COPY {name} {FOLDER}/{name}")
        for program, path in found.programs.items():
            self.programs.setdefault(program, f"{FOLDER}/{name}/{path}")

    def finish(self, base: str, labels: Mapping[str, str]) -> int:
        """Write the links and the Dockerfile; return how many steps it has."""
        for program, path in self.programs.items():
            link = tarfile.TarInfo(f"bin/{program}")
            link.type, link.linkname = tarfile.SYMTYPE, path
            self.tar.addfile(link)
        links = [f"COPY bin {PROGRAMS}"] if self.programs else []
        marks = " ".join(f'{key}="{value}"' for key, value in labels.items())
        text = "\n".join((f"FROM {base}", *self.lines, *links, f"LABEL {marks}", ""))
        info = tarfile.TarInfo("Dockerfile")
        info.size = len(text.encode())
        self.tar.addfile(info, io.BytesIO(text.encode()))
        return text.count("\n")


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if LEFT_OUT.search(f"/{info.name}"):
        return None
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mode = 0o755 if info.isdir() or info.mode & 0o111 else 0o644
    return info


def packages_of(chosen: Sequence[str]) -> dict[str, Package]:
    """Return the packages of harnesses by name, of all that have one if none is chosen."""
    found: dict[str, Package] = {}
    for name in chosen or names():
        package = harness(name).PACKAGE
        if package:
            found[name] = package
        elif chosen:
            raise UserError(f"The harness “{name}” is not installed: it runs what you give it")
    return found


def build(
    environ: Mapping[str, str], base: str, chosen: Sequence[str], tag: str, show: Show
) -> Image:
    """Make an image with agents, and return it."""
    packages = packages_of(chosen)
    images = Images(environ)
    try:
        asyncio.run(_engine(environ).sweep(_works))
        found = _base(environ, images, base, show)
        with tempfile.TemporaryDirectory(prefix="skillgauge-image-") as folder:
            context = Path(folder, "context.tar")
            steps, network = _collect(Path(folder), context, found, packages, show)
            made = images.build(context, steps, show, network=network)
        try:
            _check(environ, made, base, packages, show)
        except UserError:
            images.discard(made)
            raise
        images.tag(made, tag)
        return images.find(tag) or Image(made, (tag,), 0, 0)
    except EngineFault as error:
        raise UserError("The image can't be made", str(error)) from error
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UserError(
            f"The image can't be put together in {tempfile.gettempdir()}", why
        ) from error


def _base(environ: Mapping[str, str], images: Images, name: str, show: Show) -> Base:
    """Return what a base has; it is fetched if it isn't there."""
    if images.find(name) is None:
        try:
            images.pull(name, show)
        except EngineFault as error:
            how = "Name an image that is there with --base; `docker image ls` lists them"
            raise UserError(f"The base “{name}” can't be had", str(error), how) from error
    found = images.find(name)
    if found is None:
        raise UserError(f"The base “{name}” can't be had")
    said = dict(
        line.split(" ", 1) for line in _run(environ, name, ("/bin/sh", "-c", _PROBE)).splitlines()
    )
    version = said["node"].removeprefix("v").split(".")[0]
    target = Target(images.architecture(), said.get("libc", "glibc"))
    return Base(name, found.id, int(version or 0), bool(said["npm"]), said["path"], target)


def _engine(environ: Mapping[str, str]) -> Engine:
    """Return the engine, with a mark of its own on containers, for these are of no run."""
    return connect({**environ, VARIABLE: str(data_folder(environ) / "images")})


def _works(run: str) -> bool:
    """Return whether the process that makes an image is still there."""
    try:
        os.kill(int(run.removeprefix(_RUN)), 0)
    except (OSError, ValueError):
        return False
    return True


def _run(environ: Mapping[str, str], image: str, command: tuple[str, ...]) -> str:
    """Return what a command says in an image; UserError with its last words if it fails."""
    run, home = f"{_RUN}{os.getpid()}", {"HOME": "/tmp"}
    job = Job(run, "probe", image, command, "/tmp", home, limits=_LIMITS)
    ended = asyncio.run(_engine(environ).run(job))
    if ended.exit_code:
        last = (ended.stderr or ended.stdout).decode("utf-8", "replace").strip().splitlines()
        raise UserError(f"{command[0]} failed", last[-1][:300] if last else "it said nothing")
    return ended.stdout.decode("utf-8", "replace")


def _collect(
    folder: Path, tar: Path, base: Base, packages: Mapping[str, Package], show: Show
) -> tuple[int, bool]:
    """Write what is built; return how many steps that takes, and whether they need the network."""
    labels = {
        AGENTS: __version__,
        BASE_LABEL: base.name,
        f"{BASE_LABEL}.id": base.id,
        **{f"{LABEL}{name}": package.version for name, package in packages.items()},
    }
    with tarfile.open(tar, "w") as out:
        context = Context(out)
        if find_npm():
            _install_here(folder, context, base, packages, show)
        elif base.npm:
            wanted = " ".join(f"{one.name}@{one.version}" for one in packages.values())
            context.lines.append(f"USER 0\nRUN npm install --global --no-audit --no-fund {wanted}")
        else:
            how = f"Install Node with npm, or name a base that has it, such as {BASE}"
            raise UserError(f"Neither this machine nor “{base.name}” has npm", how=how)
        if PROGRAMS not in base.path.split(":"):
            context.lines.append(f"ENV PATH={PROGRAMS}:{base.path}")
        return context.finish(base.name, labels), not find_npm()


def _install_here(
    folder: Path, context: Context, base: Base, packages: Mapping[str, Package], show: Show
) -> None:
    """Install the packages one after the other, and keep no more than one beside the tar."""
    least = 0
    for at, (name, package) in enumerate(packages.items()):
        show("install", at, len(packages) + 1)
        place = folder / name
        found = install(package, place, base.target)
        least = max(least, found.node)
        context.add(name, found)
        shutil.rmtree(place)
    show("install", len(packages), len(packages) + 1)
    if least > base.node:
        context.add("node", install_node(folder / "node", base.target))
        shutil.rmtree(folder / "node")


def _check(
    environ: Mapping[str, str],
    image: str,
    base: str,
    packages: Mapping[str, Package],
    show: Show,
) -> None:
    """Start each agent once; UserError if one doesn't run on this base."""
    for at, (name, package) in enumerate(packages.items()):
        show("check", at, len(packages))
        try:
            _run(environ, image, (package.program, "--version"))
        except UserError as error:
            what = f"{harness(name).TITLE} does not start on “{base}”"
            raise UserError(what, error.why, f"A base such as {BASE} has what it needs") from error


def listed(environ: Mapping[str, str]) -> list[Image]:
    """Return the images that were made here."""
    return Images(environ).labelled(AGENTS)


def remove(environ: Mapping[str, str], name: str) -> None:
    """Remove an image that was made here; UserError for any other."""
    images = Images(environ)
    found = images.find(name)
    if found is None:
        raise UserError(f"There is no image “{name}”", how="`skillgauge image list` shows them")
    if AGENTS not in found.labels:
        raise UserError(
            f"The image “{name}” was not made by Skillgauge", how="Use `docker image rm`"
        )
    try:
        images.remove(name)
    except EngineFault as error:
        raise UserError(f"The image “{name}” can't be removed", str(error)) from error
