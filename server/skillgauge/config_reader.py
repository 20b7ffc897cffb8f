"""Reads a configuration file and says at which line and column each of its faults stands."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, cast, get_args

from pydantic import ValidationError

from skillgauge.clients import by_id, load
from skillgauge.config import DEFAULT_EXCLUDE, PYPROJECT, Config, Layer
from skillgauge.config_model import ConfigModel, FailOn, Level, OverrideModel, Profile
from skillgauge.errors import ConfigError
from skillgauge.selectors import did_you_mean, is_known, known
from skillgauge.text import Text
from skillgauge.toml_places import Path as Keys
from skillgauge.toml_places import Place, read_places

MAX_BYTES: Final = 1024 * 1024
_AT: Final = re.compile(r" \(at line (\d+), column (\d+)\)$| \(at end of document\)$")
_TYPES: Final = {
    "string_type": "a string",
    "list_type": "a list",
    "dict_type": "a table",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "model_type": "a table",
}


def read_config(path: Path, text: str | None = None) -> tuple[Config, list[ConfigError]]:
    """Return the configuration and its faults; with a fault the configuration is the default.

    `text` is read in place of what stands in the file.
    """
    path = Path(os.path.abspath(path))
    default = Config.default(path.parent)
    try:
        text = _read(path) if text is None else text
        document = _parse(path, text)
    except ConfigError as error:
        return default, [error]
    prefix: Keys = ("tool", "skillgauge") if path.name == PYPROJECT else ()
    table: Any = document
    for key in prefix:
        table = cast("dict[str, Any]", table).get(key, {}) if isinstance(table, dict) else {}
    reader = _Reader(path, text, prefix, read_places(text))
    model = reader.validate(table)
    if model is None or reader.faults:
        return default, sorted(reader.faults, key=lambda fault: (fault.line, fault.column))
    return _config(path, model), []


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ConfigError(path, 0, 0, "the configuration can't be read", why) from error
    if len(data) > MAX_BYTES:
        raise ConfigError(path, 0, 0, "the configuration is larger than 1 MiB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[data.rfind(b"\n", 0, error.start) + 1 : error.start].decode()) + 1
        raise ConfigError(path, line, column, "this byte is not UTF-8") from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        # A byte order mark is no part of TOML, but editors write one; positions don't change.
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))
        what = str(error)[: found.start()] if found else str(error)
        line, column = (found[1], found[2]) if found and found[1] else (_last_line(text), 1)
        raise ConfigError(path, int(line), int(column), f"this is not TOML: {what}") from error


def _last_line(text: str) -> int:
    return text.rstrip("\n").count("\n") + 1


class _Reader:
    """Collects the faults of one file."""

    def __init__(self, path: Path, text: str, prefix: Keys, places: dict[Keys, Place]) -> None:
        self.path, self.text, self.prefix, self.places = path, Text(text), prefix, places
        self.faults: list[ConfigError] = []

    def validate(self, table: Any) -> ConfigModel | None:
        try:
            model = ConfigModel.model_validate(table)
        except ValidationError as error:
            for item in error.errors(include_url=False):
                context = item.get("ctx", {})
                self.invalid(item["loc"], item["type"], context, item["input"])
            return None
        for keys, selector in _selectors(model):
            if not is_known(selector):
                key = keys[-2] == "severity"
                hint = did_you_mean(selector, known())
                self.add(keys, f"no rule is called “{selector}”", hint, at_key=key)
        for index, client in enumerate(model.clients):
            if by_id(client) is None:
                hint = did_you_mean(client, [known.id for known in load()])
                self.add(("clients", index), f"no client is called “{client}”", hint)
        return model

    def invalid(self, keys: Keys, kind: str, context: Any, value: Any) -> None:
        """Add what pydantic found, in our words."""
        name = next((key for key in reversed(keys) if isinstance(key, str)), "skillgauge")
        if kind == "extra_forbidden":
            model = OverrideModel if keys[0] == "overrides" else ConfigModel
            names = [field.alias or key for key, field in model.model_fields.items()]
            self.add(keys, f"unknown key “{name}”", did_you_mean(str(name), names), at_key=True)
        elif kind == "literal_error":
            words = _words(keys)
            hint = did_you_mean(str(value), words)
            self.add(keys, f"“{name}” is one of {', '.join(words)}, not {_shown(value)}", hint)
        elif kind == "missing":
            self.add(keys[:-1], f"this override lacks “{name}”", "It says which files it is for")
        elif kind in _TYPES:
            what = f"an item of “{name}”" if keys and isinstance(keys[-1], int) else f"“{name}”"
            self.add(keys, f"{what} must be {_TYPES[kind]}, not {_kind(value)}")
        elif kind == "greater_than_equal":
            self.add(keys, f"“{name}” must be at least {context['ge']}, not {value}")
        else:
            self.add(keys, f"“{name}” must not be empty")

    def add(self, keys: Keys, what: str, how: str = "", *, at_key: bool = False) -> None:
        keys = self.prefix + keys
        while keys and keys not in self.places:
            keys = keys[:-1]
        place = self.places.get(keys, Place(0, 0))
        line, column = self.text.position(place.key if at_key else place.value)
        self.faults.append(ConfigError(self.path, line + 1, column + 1, what, how=how))


def _selectors(model: ConfigModel) -> Iterator[tuple[Keys, str]]:
    owners: list[tuple[Keys, ConfigModel | OverrideModel]] = [((), model)]
    owners += [(("overrides", index), item) for index, item in enumerate(model.overrides)]
    for keys, owner in owners:
        lists = (
            ("select", owner.select or []),
            ("extend-select", owner.extend_select),
            ("ignore", owner.ignore),
        )
        for key, selectors in lists:
            yield from (((*keys, key, index), word) for index, word in enumerate(selectors))
        yield from (((*keys, "severity", selector), selector) for selector in owner.severity)


def _words(keys: Keys) -> tuple[str, ...]:
    if "severity" in keys:
        return get_args(Level)
    return get_args(FailOn if keys[-1] == "fail-on" else Profile)


def _shown(value: Any) -> str:
    return f"“{value}”" if isinstance(value, str) else _kind(value)


def _kind(value: Any) -> str:
    kinds: dict[type, str] = {bool: "a truth value", str: "a string", list: "a list"}
    kinds |= {int: "a number", float: "a number", dict: "a table"}
    return kinds.get(value.__class__, "a date")


def _config(path: Path, model: ConfigModel) -> Config:
    return Config(
        path=path,
        root=path.parent,
        base=_layer(model),
        overrides=tuple(_layer(item, item.paths) for item in model.overrides),
        clients=tuple(model.clients),
        exclude=DEFAULT_EXCLUDE if model.exclude is None else tuple(model.exclude),
        extend_exclude=tuple(model.extend_exclude),
        fail_on=model.fail_on,
        baseline=model.baseline,
        jobs=model.jobs,
        cache=model.cache,
    )


def _layer(model: ConfigModel | OverrideModel, paths: Iterable[str] = ()) -> Layer:
    return Layer(
        profile=model.profile,
        select=None if model.select is None else tuple(model.select),
        extend_select=tuple(model.extend_select),
        ignore=tuple(model.ignore),
        severity=tuple(model.severity.items()),
        paths=tuple(paths),
    )
