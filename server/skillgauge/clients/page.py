"""The page `docs/clients.md`, written from the data of this package.

`python -m skillgauge.clients.page --write` brings the page up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from skillgauge.clients import Budget, Client, Figure, Key, Source, load, spec_keys, standing
from skillgauge.clients.conventions import COMMON_KEYS, Convention
from skillgauge.clients.sources import SPEC, SURVEY

PAGE = Path(__file__).parents[3] / "docs" / "clients.md"

_SIGNS = {
    "read": "●",
    "accepted": "○",
    "ignored": "·",
    "warning": "!",
    "error": "✕",
    "unknown": "?",
}
_INTRO = """\
# Clients

Which agent reads which frontmatter keys, where it looks for skills, and what its limits are.

<!-- Written by `python -m skillgauge.clients.page --write`: change the data, not this file. -->

The data is in [`server/skillgauge/clients/`](../server/skillgauge/clients), one file a client. Each
fact names its [source](#sources) and the day on which the source said so; **†** marks what is
second-hand, that is, reported by somebody else without the client's own docs or code at hand.
Corrections are welcome: change the client's file, give the source and today's date, and run the
command above.
"""
_LEGEND = (
    "● reads it · ○ accepts it, without any effect that is known · `·` ignores it · ! warns about "
    "it · ✕ refuses the skill · ? not known · † second-hand"
)
_LIMITS = {
    "name_max": "longest name, characters",
    "description_max": "longest description, characters",
    "description_cut": "description in the list is cut after, characters",
    "catalogue_percent": "whole list, percent of the context window",
    "catalogue_chars": "whole list if the window is not known, characters",
    "kept_tokens": "kept of a used skill after compaction, tokens",
    "kept_tokens_total": "kept of all used skills together, tokens",
    "upload_bytes": "all files of a skill together, bytes",
    "scan_depth": "levels below a skills folder that are searched",
}
_NAME_MISMATCH = {
    "no": "nothing happens",
    "warning": "a warning",
    "skipped": "the skill is skipped",
}


def render_table() -> str:
    """The whole page."""
    clients = load()
    cite = _Citations()
    parts = [
        _INTRO,
        _matrix(clients),
        _meanings(clients, cite),
        *(_client(client, cite) for client in clients),
        _conventions(cite),
    ]
    return "\n".join([*parts, cite.listed()])


class _Citations:
    """Numbers the sources in the order in which the page first uses them."""

    def __init__(self) -> None:
        self._numbers: dict[Source, int] = {}

    def __call__(self, source: Source) -> str:
        number = self._numbers.setdefault(source, len(self._numbers) + 1)
        return f"[{number}](#sources){_mark(source)}"

    def listed(self) -> str:
        lines = [f"{number}. {_described(source)}\n" for source, number in self._numbers.items()]
        return "## Sources\n\n" + "".join(lines)


def _mark(source: Source) -> str:
    return "" if source.firsthand else " †"


def _described(source: Source) -> str:
    name = f"<{source.url}>" if source.url.startswith("https://") else source.url
    note = f" ({source.note})" if source.note else ""
    return f"{name}{note}, {source.checked}{_mark(source)}"


def _matrix(clients: tuple[Client, ...]) -> str:
    names = [key.name for key in spec_keys()]
    names += sorted({key.name for client in clients for key in client.keys})
    rows = ([f"`{name}`", *(_cell(name, client) for client in clients)] for name in names)
    header = ["key", *(client.title for client in clients)]
    heading = (
        f"## Keys\n\nThe first six are the [specification]({SPEC.url})'s own.\n\n{_LEGEND}\n\n"
    )
    return heading + _table(header, rows, centred=True)


def _cell(name: str, client: Client) -> str:
    key = client.key(name)
    source = key.source if key else client.behaviour
    sign = _SIGNS[standing(name, client)]
    return sign if sign == "?" else sign + _mark(source)


def _meanings(clients: tuple[Client, ...], cite: _Citations) -> str:
    lines = ["## What the keys mean\n"]
    lines.append(_table(["key", "meaning"], ([f"`{k.name}`", k.meaning] for k in spec_keys())))
    lines.append(f"Source: {cite(SPEC)}\n")
    lines.append("Beyond the specification, or different from it:\n")
    found = [(key, client) for client in clients for key in client.keys + client.own_meanings]
    found.sort(key=lambda pair: pair[0].name)
    rows = (
        [f"`{key.name}`", client.title, _type(key), key.meaning, cite(key.source)]
        for key, client in found
    )
    lines.append(_table(["key", "client", "type", "meaning", "source"], rows))
    return "\n".join(lines)


def _type(key: Key) -> str:
    if not key.values:
        return key.type
    return f"{key.type}: " + ", ".join(f"`{value}`" for value in key.values)


def _client(client: Client, cite: _Citations) -> str:
    parts = [f"## {client.title}\n", _behaviour(client, cite)]
    if client.places:
        rows = ([f"`{p.path}`", p.scope, cite(p.source)] for p in client.places)
        parts.append(_table(["place", "scope", "source"], rows))
    limits = [
        [text, f"{figure.value:,}", cite(figure.source)] for text, figure in _limits(client.budget)
    ]
    if limits:
        parts.append(_table(["limit", "value", "source"], limits))
    if client.substitutions:
        rows = ([f"`{s.name}`", s.meaning, cite(s.source)] for s in client.substitutions)
        parts.append(_table(["placeholder", "stands for", "source"], rows))
    parts.extend(_tools(client, cite))
    if client.remarks:
        parts.append("".join(f"- {r.text} {cite(r.source)}\n" for r in client.remarks))
    return "\n".join(parts)


def _behaviour(client: Client, cite: _Citations) -> str:
    mismatch = client.name_must_match_folder
    facts = {
        "id": f"`{client.id}`",
        "guessed from": ", ".join(f"`{marker}`" for marker in client.folders) or "nothing",
        "unknown key": client.unknown_keys if client.unknown_keys != "unknown" else "not known",
        "needs frontmatter": _yes(client.needs_frontmatter),
        "needs a name": _yes(client.needs_name),
        "needs a description": _yes(client.needs_description),
        "name differs from the folder": _NAME_MISMATCH[mismatch] if mismatch else "not known",
        "frontmatter is not YAML": client.bad_yaml or "not known",
        "`allowed-tools` as": ", ".join(client.allowed_tools_forms) or "not known",
    }
    return _table(["", ""], ([name, value] for name, value in facts.items())) + (
        f"\nSource: {cite(client.behaviour)}\n"
    )


def _yes(value: bool | None) -> str:
    return "not known" if value is None else "yes" if value else "no"


def _limits(budget: Budget) -> Iterator[tuple[str, Figure]]:
    for field in fields(budget):
        figure: Figure | None = getattr(budget, field.name)
        if figure is not None:
            yield _LIMITS[field.name], figure


def _tools(client: Client, cite: _Citations) -> Iterator[str]:
    named = (
        ("Tools", client.tools, client.tools_source),
        ("Former tools", client.former_tools, client.former_tools_source),
    )
    for title, tools, source in named:
        if tools and source:
            yield f"{title}: {', '.join(f'`{tool}`' for tool in tools)}. {cite(source)}\n"


def _conventions(cite: _Citations) -> str:
    def where(convention: Convention) -> str:
        better = f"`{convention.instead}`" if convention.instead else ""
        if convention.under_metadata:
            return " or ".join(filter(None, [better, "`metadata`"]))
        return better or "the body"

    rows = ([f"`{c.name}`", c.meaning, where(c), c.advice] for c in COMMON_KEYS)
    heading = (
        "## Keys by habit\n\n"
        "Keys that authors write although the specification does not have them.\n\n"
    )
    table = _table(["key", "what authors mean", "belongs in", "advice"], rows)
    return f"{heading}{table}\nSource: {cite(SURVEY)}\n"


def _table(header: Iterable[str], rows: Iterable[Iterable[str]], *, centred: bool = False) -> str:
    head = list(header)
    rule = ["---", *((":-:" if centred else "---") for _ in head[1:])]
    lines = [head, rule, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(arguments: list[str]) -> int:
    """Print the page, or write it with `--write`."""
    if arguments == ["--write"]:
        PAGE.write_text(render_table(), encoding="utf-8", newline="\n")
        return 0
    if arguments:
        sys.stderr.write("usage: python -m skillgauge.clients.page [--write]\n")
        return 2
    sys.stdout.write(render_table())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
