"""What may stand in a configuration file, as pydantic models: types, words, and their meaning.

Imported only when a configuration file has to be read. The descriptions are what an editor shows.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Profile = Literal["default", "spec", "aces", "strict"]
Level = Literal["error", "warning", "info", "hint", "off"]
FailOn = Literal["error", "warning", "info", "hint", "never"]
Word = Annotated[str, StringConstraints(min_length=1)]
Table = dict[str, Level]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=_kebab)


class _Rules(_Model):
    profile: Profile | None = Field(None, description="The set of rules to begin with.")
    select: list[Word] | None = Field(
        None, description="Only these rules, also those that the profile leaves out."
    )
    extend_select: list[Word] = Field([], description="These rules beside those of the profile.")
    ignore: list[Word] = Field([], description="Not these rules. The more specific selector wins.")
    severity: Table = Field(
        {},
        description="A severity for a code, the beginning of codes or a name. A rule named in full"
        " is turned on by it, and “off” turns rules off.",
    )


class OverrideModel(_Rules):
    """Other rules for some paths."""

    paths: list[Word] = Field(
        min_length=1,
        description="Patterns as in a .gitignore file, relative to this file's folder.",
    )


class ConfigModel(_Rules):
    """The whole of skillgauge.toml, or of [tool.skillgauge] in pyproject.toml."""

    clients: list[Word] = Field(
        [],
        description="The agents that read these skills. By default they are guessed by their"
        " folders, such as .claude.",
    )
    exclude: list[Word] | None = Field(
        None,
        description="Patterns of files and folders to pass over, instead of the built-in ones.",
    )
    extend_exclude: list[Word] = Field([], description="Further patterns to pass over.")
    fail_on: FailOn = Field(
        "error", description="The lowest severity for which `skillgauge check` ends with status 1."
    )
    baseline: Word | None = Field(
        None, description="A file of known findings, relative to this file's folder."
    )
    jobs: int | None = Field(
        None, ge=1, description="The number of processes. By default one for each processor."
    )
    cache: bool = Field(True, description="Whether results are kept for the next run.")
    overrides: list[OverrideModel] = Field(
        [], description="Other rules for some paths; later entries count more."
    )


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a configuration file, with every selector and client by name."""
    from skillgauge.clients import load
    from skillgauge.selectors import known

    made = ConfigModel.model_json_schema(by_alias=True)
    made["$schema"] = "http://json-schema.org/draft-07/schema#"
    made["title"] = "Configuration of Skillgauge"
    made["definitions"] = {
        name: _flat(value, "definitions") for name, value in made.pop("$defs").items()
    }
    made = _flat(made, "definitions")
    selector = {"anyOf": [{"enum": known()}, {"type": "string", "pattern": "^[A-Z][0-9]{1,3}$"}]}
    made["definitions"]["Selector"] = selector
    reference = {"$ref": "#/definitions/Selector"}
    for owner in (made, made["definitions"]["OverrideModel"]):
        for key in ("select", "extend-select", "ignore"):
            owner["properties"][key]["items"] = reference
        owner["properties"]["severity"]["propertyNames"] = reference
    made["properties"]["clients"]["items"] = {"enum": sorted(client.id for client in load())}
    return made


def _flat(value: Any, definitions: str) -> Any:
    """Simplify what pydantic wrote: no titles, no `null` (TOML has none), other references."""
    if isinstance(value, list):
        return [_flat(item, definitions) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
        if key == "title" or (key == "default" and item is None):
            continue
        if key == "anyOf" and {"type": "null"} in item:
            made.update(_flat(item[0], definitions))
        elif key == "$ref":
            made[key] = item.replace("#/$defs/", f"#/{definitions}/")  # pyright: ignore[reportUnknownMemberType]
        else:
            made[key] = _flat(item, definitions)
    return made
