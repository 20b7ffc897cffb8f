"""Keeps what a configuration file comes to, since reading one loads pydantic and every rule."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Final, cast

from skillgauge.cache import Cache, digest
from skillgauge.config import Config, Layer, load_config

SECTION: Final = "configuration"
_LAYERS: Final = ("base", "cli")


def load_cached(path: Path, folder: Path | None) -> Config:
    """Read a configuration file, or take what its bytes came to before. Raises a ConfigError."""
    if folder is None:
        return load_config(path)
    try:
        condition = digest(path.read_bytes())
    except OSError:
        return load_config(path)
    cache = Cache(folder, str(path))
    known = _from_plain(path, cache.get(SECTION, "file", condition))
    if known is not None:
        return known
    config = load_config(path)
    if config.cache:
        cache.put(SECTION, "file", condition, to_plain(config))
        cache.save()
    return config


def to_plain(config: Config) -> dict[str, Any]:
    """Return a configuration as plain values, without its place."""
    plain = {name: getattr(config, name) for name in _names(Config) if name not in ("path", "root")}
    plain |= {name: _layer(plain[name]) for name in _LAYERS}
    plain["overrides"] = [_layer(layer) for layer in config.overrides]
    return plain


def _layer(layer: Layer) -> dict[str, Any]:
    return {name: getattr(layer, name) for name in _names(Layer)}


def _names(kind: type[Config | Layer]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _from_plain(path: Path, plain: Any) -> Config | None:
    """Return the configuration again, None if the values are damaged."""
    try:
        values = {name: _tuples(value) for name, value in plain.items()}
        values |= {name: _to_layer(plain[name]) for name in _LAYERS}
        values["overrides"] = tuple(_to_layer(layer) for layer in plain["overrides"])
        return Config(path=path, root=path.parent, **values)
    except (AttributeError, KeyError, TypeError):
        return None


def _to_layer(plain: dict[str, Any]) -> Layer:
    return Layer(**{name: _tuples(value) for name, value in plain.items()})


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tuples(item) for item in cast("list[Any]", value))
    return value
