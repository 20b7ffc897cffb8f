"""What a client may ask for in `initializationOptions`, and later in its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from skillgauge.errors import UserError

if TYPE_CHECKING:
    from skillgauge.config import Config
    from skillgauge.lsp.lift_options import Asked

SECTION: Final = "skillgauge"
HOSTS: Final = ("vscode",)


@dataclass(frozen=True, slots=True)
class Options:
    """The options, each None or empty where the client says nothing."""

    profile: str | None = None
    clients: tuple[str, ...] = ()
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    host_diagnostics: str | None = None
    """The editor whose own findings are not to be repeated."""
    semantic_tokens: bool | None = None
    """Whether tokens are offered; None to decide by the editor."""
    scores: bool | None = None
    """Whether skills are scored, as far as there is a model; None for yes."""
    model: str | None = None
    """The model that scores, None for the default one."""
    trusted: bool | None = None
    """Whether the workspace is trusted; None for yes."""
    lift: Asked = ()
    """What lift runs are to do where a command doesn't say it."""

    def adjust(self, config: Config) -> Config:
        """Return a configuration with these choices, which win over those of its file."""
        chosen = (self.profile, self.select, self.clients, self.extend_select, self.ignore)
        if chosen == (None, None, (), (), ()):
            return config
        return config.with_cli(
            select=self.select,
            extend_select=self.extend_select,
            ignore=self.ignore,
            profile=self.profile,
            clients=self.clients,
        )


def read_options(given: object, before: Options | None = None) -> tuple[Options, list[str]]:
    """Return options as a client sends them, and what is wrong with them.

    The object may be wrapped in one with the key `skillgauge`, as settings are. A wrong value
    counts as not given, so that the rest still works. Lua writes an empty object as an empty list.
    """
    options, faults = before or Options(), list[str]()
    if given is None or given == []:
        return options, faults
    if not isinstance(given, Mapping):
        return options, [f"options must be an object, not {type(given).__name__}"]
    values = cast("Mapping[str, Any]", given)
    if isinstance(values.get(SECTION), Mapping):
        values = cast("Mapping[str, Any]", values[SECTION])
    for key, value in values.items():
        reader = READERS.get(key)
        if reader is None:
            faults.append(_unknown(key))
            continue
        try:
            options = replace(options, **{reader[0]: reader[1](value)})
        except UserError as error:
            faults.append(f"“{key}”: {error}")
    return options, faults


def _unknown(key: str) -> str:
    from skillgauge.selectors import did_you_mean

    hint = did_you_mean(key, READERS)
    return f"there is no option “{key}”" + (f". {hint}" if hint else "")


def _flag(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise UserError("true or false is wanted")


def _name(value: object) -> str | None:
    if value is None or (isinstance(value, str) and value.strip()):
        return value
    raise UserError("the name of a model is wanted")


def _lift(value: object) -> Asked:
    from skillgauge.lsp.lift_options import read

    return read(value)


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    if isinstance(value, list | tuple):
        items = cast("list[object]", value)
        if all(isinstance(item, str) for item in items):
            return tuple(cast("list[str]", items))
    if value is None:
        return ()
    raise UserError("a list of texts is wanted")


def _profile(value: object) -> str | None:
    from skillgauge.config import PROFILE_NAMES

    if value is None or value in PROFILE_NAMES:
        return cast("str | None", value)
    raise UserError(f"one of {', '.join(PROFILE_NAMES)} is wanted")


def _host(value: object) -> str | None:
    if value is None or value in HOSTS:
        return cast("str | None", value)
    raise UserError(f"one of {', '.join(HOSTS)} is wanted")


def _selectors(value: object) -> tuple[str, ...]:
    from skillgauge.config import check_selector

    words = _words(value)
    for word in words:
        check_selector(word)
    return words


def _select(value: object) -> tuple[str, ...] | None:
    return None if value is None else _selectors(value)


def _clients(value: object) -> tuple[str, ...]:
    from skillgauge.config import check_client

    words = _words(value)
    for word in words:
        check_client(word)
    return words


READERS: Final = {
    "profile": ("profile", _profile),
    "clients": ("clients", _clients),
    "select": ("select", _select),
    "extendSelect": ("extend_select", _selectors),
    "ignore": ("ignore", _selectors),
    "hostDiagnostics": ("host_diagnostics", _host),
    "semanticTokens": ("semantic_tokens", _flag),
    "scores": ("scores", _flag),
    "model": ("model", _name),
    "trusted": ("trusted", _flag),
    "lift": ("lift", _lift),
}
