"""What the commands of lift runs do: each asks a child, and answers with an object."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types as lsp

from skillgauge.errors import UserError
from skillgauge.lsp import lift_options
from skillgauge.lsp.features import lift as names
from skillgauge.lsp.features._lift_consent import Unasked, agreed, question, summary
from skillgauge.lsp.lift_news import has_own_interface
from skillgauge.lsp.lift_state import Run, read_run, read_runs
from skillgauge.lsp.uris import path_of

if TYPE_CHECKING:
    from skillgauge.lsp.server import SkillgaugeServer

log = logging.getLogger(__name__)

FORMATS: Final = {"html": "html", "json": "json", "markdown": "md", "junit": "xml", "text": "txt"}
"""The formats of a report, and how their files end."""
UNTRUSTED: Final = "This workspace is not trusted, so nothing of its skills is run"
ASK: Final = "ask"
"""No command of its own: what `run` does before it runs."""
Answer = dict[str, Any]


async def answer(server: SkillgaugeServer, name: str, given: object) -> Answer:
    """Do what a command asks for; what keeps it from that is told, and is in the answer."""
    try:
        if not server.lift.trusted:
            raise UserError(UNTRUSTED)
        return await _COMMANDS[name](server, _argument(given))
    except UserError as error:
        log.info("%s: %s", name, error)
        _tell(server, f"Skillgauge: {error}.".replace("..", "."), lsp.MessageType.Error)
        return _refusal(error)


async def state(server: SkillgaugeServer, params: object) -> Answer:
    """Return what the notification would have of a skill, once it is known."""
    try:
        folder = _folder(server, _argument(params))
        if server.lift.trusted and not server.lift.is_watched(folder):
            await server.lift.ask(folder)
    except UserError as error:
        return _refusal(error)
    return server.lift.news.state(folder)


def _refusal(error: UserError) -> Answer:
    parts = {"what": error.what, "why": error.why, "how": error.how}
    return {"error": {**parts, "message": str(error)}}


# --- the commands -----------------------------------------------------------------------------


async def _plan(server: SkillgaugeServer, given: Answer) -> Answer:
    folder = _folder(server, given)
    path = _measured(server, given, folder)
    words = _words(server, given)
    plan = await server.lift.command.ask("plan", str(path), *words, "--format", "json")
    uri = server.session.uri_of(folder / "SKILL.md")
    return {**plan, "uri": uri, "unsaved": _unsaved(server, folder)}


async def _run(server: SkillgaugeServer, given: Answer) -> Answer:
    folder = _folder(server, given)
    words = _words(server, given)
    if given.get("consent") is not True and not has_own_interface(server):
        # Some editors stand still until a command is answered, and give up after seconds.
        server.lift.spawn(answer(server, ASK, given))
        return {"run": None, "asking": True}
    path = _measured(server, given, folder)
    asked = ("run", str(path), *words, "--yes", "--detach", "--format", "json")
    # A start that was begun is finished, even if the client no longer waits for the answer.
    told = await asyncio.shield(server.lift.command.ask(*asked))
    await _follow(server, folder, told)
    return {"run": told.get("run"), "pid": told.get("pid")}


async def _ask(server: SkillgaugeServer, given: Answer) -> Answer:
    """Run if the user agrees; one whose editor can't ask may choose a code action instead."""
    plan = await _plan(server, given)
    agreed_to = {**given, "consent": True}
    try:
        if await agreed(server, plan):
            return await _run(server, agreed_to)
    except Unasked:
        title = f"Yes, {summary(plan)}"
        server.lift.offers[_folder(server, given)] = (title, agreed_to)
        text = f"{question(plan)} To agree, choose the code action “{title}”."
        _tell(server, text, lsp.MessageType.Info)
    return {}


async def _cancel(server: SkillgaugeServer, given: Answer) -> Answer:
    runs = [_named(given)] if "run" in given else await _open(server, given)
    for run in runs:
        await server.lift.command.ask("cancel", run, "--format", "json")
    return {"cancelled": runs}


async def _resume(server: SkillgaugeServer, given: Answer) -> Answer:
    run = _named(given) if "run" in given else next(iter(await _open(server, given, idle=True)), "")
    if not run:
        raise UserError("There is no run of this skill to go on with")
    told = await asyncio.shield(
        server.lift.command.ask("resume", run, "--detach", "--format", "json")
    )
    found = next((one for one in await _runs(server, run) if one.id == run), None)
    if found is not None:
        server.lift.follow(replace(found, working=True))
    return {"run": run, "pid": told.get("pid")}


async def _status(server: SkillgaugeServer, given: Answer) -> Answer:
    from skillgauge.lsp.features._lift import explanation

    news = server.lift.news
    if not given:
        runs = await _runs(server) if server.lift.has_journal() else ()
        return {"runs": [news.plain(run) for run in runs]}
    known = await server.lift.ask(_folder(server, given))
    text = explanation(server, known) or "There are no lift runs of this skill"
    _tell(server, text, lsp.MessageType.Info)
    return {"runs": [news.plain(run) for run in known.runs]}


async def _report(server: SkillgaugeServer, given: Answer) -> Answer:
    from skillgauge.cache import default_folder

    kind = given.get("format") or "html"
    if kind not in FORMATS:
        raise UserError(f"A report is one of {', '.join(FORMATS)}")
    run = _named(given) if "run" in given else await _ended(server, given)
    folder = default_folder() / "lift-reports"
    await asyncio.to_thread(folder.mkdir, mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{run}.{FORMATS[kind]}"
    await server.lift.command.tell("report", run, "--format", kind, "--output", str(path))
    uri = server.session.uri_of(path)
    if not has_own_interface(server):
        await _show(server, path, uri)
    return {"run": run, "format": kind, "path": str(path), "uri": uri}


_COMMANDS: Final[dict[str, Callable[[SkillgaugeServer, Answer], Awaitable[Answer]]]] = {
    names.PLAN: _plan,
    names.RUN: _run,
    ASK: _ask,
    names.CANCEL: _cancel,
    names.RESUME: _resume,
    names.STATUS: _status,
    names.REPORT: _report,
}


# --- their arguments --------------------------------------------------------------------------


def _argument(given: object) -> Answer:
    """Return a command's argument as an object; a text alone is a URI."""
    if isinstance(given, str):
        return {"uri": given}
    value = _plain(given)
    return cast("Answer", value) if isinstance(value, dict) else {}


def _plain(value: object) -> object:
    """Return JSON as Python has it: objects come as named tuples from some readers."""
    if hasattr(value, "_asdict"):
        value = cast("Any", value)._asdict()
    if isinstance(value, Mapping):
        given = cast("Mapping[str, object]", value)
        return {key: _plain(item) for key, item in given.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("list[object]", value)]
    return value


def _folder(server: SkillgaugeServer, given: Answer) -> Path:
    """Return the folder of the skill that a command is about."""
    from skillgauge.discover import find_skill, kind_of

    path = path_of(str(given.get("uri") or ""))
    if path is None:
        raise UserError("There is no file of a skill to run", how="Save it first")
    if kind_of(str(path)) == "evals":
        return path.parent.parent
    for folder in (path, *path.parents):
        if find_skill(str(folder)) is not None:
            return folder
    raise UserError(f"“{path}” belongs to no skill")


def _measured(server: SkillgaugeServer, given: Answer, folder: Path) -> Path:
    """Return what the command line is given: the evaluation file that was named, or the skill."""
    from skillgauge.discover import kind_of

    path = path_of(str(given.get("uri") or ""))
    return path if path is not None and kind_of(str(path)) == "evals" else folder


def _words(server: SkillgaugeServer, given: Answer) -> list[str]:
    asked = {key: value for key, value in given.items() if key not in ("uri", "consent")}
    return lift_options.words(server.session.around.options.lift, lift_options.read(asked))


def _named(given: Answer) -> str:
    """Return the id of a run, which becomes a word of a command line and part of a path."""
    run = given.get("run")
    if not isinstance(run, str) or not run.replace("-", "").isalnum() or not run.isascii():
        raise UserError("“run” takes the id of a run")
    if run.startswith("-"):
        raise UserError("“run” takes the id of a run")
    return run


def _unsaved(server: SkillgaugeServer, folder: Path) -> list[str]:
    """Return the files of a skill that the editor holds with changes."""
    from skillgauge.document.files import read_file
    from skillgauge.lsp.lift import normal

    found: list[str] = []
    for snapshot in server.session.open_snapshots():
        path = snapshot.path
        if path is None or not path.is_relative_to(folder):
            continue
        if normal(read_file(path)[0].content) != normal(snapshot.text.content):
            found.append(path.relative_to(folder).as_posix())
    return sorted(found)


# --- runs -------------------------------------------------------------------------------------


async def _runs(server: SkillgaugeServer, run: str = "") -> tuple[Run, ...]:
    words = ("status", run) if run else ("status",)
    return read_runs(await server.lift.command.ask(*words, "--format", "json"))


async def _open(server: SkillgaugeServer, given: Answer, *, idle: bool = False) -> list[str]:
    """Return the open runs of a skill, or those that nobody works on."""
    known = await server.lift.ask(_folder(server, given))
    return [run.id for run in known.runs if run.is_open and not (idle and run.working)]


async def _ended(server: SkillgaugeServer, given: Answer) -> str:
    known = await server.lift.ask(_folder(server, given))
    found = next((run.id for run in known.runs if not run.is_open), "")
    if not found:
        raise UserError("No run of this skill has ended yet")
    return found


async def _follow(server: SkillgaugeServer, folder: Path, told: Answer) -> None:
    """Show a run that was just begun."""
    blank = {"run": told.get("run"), "path": str(folder), "state": "open", "working": True}
    run = read_run(blank)
    if run is None:
        raise UserError("`skillgauge lift run` answers what can't be understood")
    server.lift.follow(run)


# --- the client -------------------------------------------------------------------------------


def _tell(server: SkillgaugeServer, text: str, kind: lsp.MessageType) -> None:
    if not has_own_interface(server):
        server.window_show_message(lsp.ShowMessageParams(kind, text))


async def _show(server: SkillgaugeServer, path: Path, uri: str) -> None:
    """Open a report as far as the client can, else say where it is."""
    window = server.client_capabilities.window
    if window is not None and window.show_document is not None and window.show_document.support:
        params = lsp.ShowDocumentParams(uri, external=path.suffix == ".html")
        try:
            if (await server.window_show_document_async(params)).success:
                return
        except Exception as error:  # whatever a client answers, the report is there
            log.info("The client shows no report: %s", error)
    _tell(server, f"The report is in {path}", lsp.MessageType.Info)
