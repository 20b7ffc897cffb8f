"""What inlay hints say: estimated tokens, and where a client cuts the description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from skillgauge.document.nodes import Scalar
from skillgauge.text import Span
from skillgauge.tokens import estimate_tokens

if TYPE_CHECKING:
    from skillgauge.lsp.snapshot import Snapshot

SHOWN_FROM: Final = 50
"""Percent of a client's list that must be taken before it is worth a hint."""
BODY_TOKENS: Final = 5_000
"""What the specification recommends as the most for a skill's body."""


def hints(snapshot: Snapshot) -> Iterator[tuple[int, str, str]]:
    """Yield offset, label and tooltip of each hint."""
    skill = snapshot.skill
    total = estimate_tokens(skill.text.slice(skill.body))
    if skill.frontmatter is not None:
        share = round(100 * total / BODY_TOKENS)
        yield (
            skill.frontmatter.opening.end,
            f"≈ {total} tokens",
            f"The body has about {total} tokens, {share} % of the {BODY_TOKENS} that the"
            " specification recommends as the most. An estimate from characters.",
        )
    for section in skill.markdown.sections:
        own = estimate_tokens(skill.text.slice(section.own))
        whole = estimate_tokens(skill.text.slice(section.span))
        label = f"≈ {own}" if own == whole else f"≈ {own} of {whole}"
        line = skill.text.line_span(skill.text.line_of(section.heading.span.start))
        yield line.end, label, "Estimated tokens: of this section alone, and with all below it."
    value = skill.value("description")
    if value is not None:
        yield from _cuts(snapshot, value)
        yield from _lists(snapshot, value)
    yield from _kept(snapshot, total)


def _cuts(snapshot: Snapshot, value: Scalar) -> Iterator[tuple[int, str, str]]:
    """Yield where each targeted client cuts the description in the list that the model reads."""
    from skillgauge.clients import by_id

    for client_id in snapshot.clients:
        client = by_id(client_id)
        cut = client.budget.description_cut if client else None
        if client is None or cut is None or len(value.text) <= cut.value:
            continue
        span: Span = snapshot.skill.find_in_value(value, cut.value, cut.value + 1)
        yield (
            span.start,
            f"✂ {client.title}",
            f"{client.title} cuts the description here, at character {cut.value}: its model never"
            " sees the rest.",
        )


def _lists(snapshot: Snapshot, value: Scalar) -> Iterator[tuple[int, str, str]]:
    """Yield how full each targeted client's list of skills is, where that begins to matter."""
    from skillgauge.listing import fullness, listings_of, overflow

    if snapshot.workspace is None or snapshot.path is None:
        return
    for found, _ in listings_of(snapshot.workspace, snapshot.path, snapshot.clients):
        if found.percent >= SHOWN_FROM:
            title = found.client.title
            text = f"{title}'s list of skills: {fullness(found)}. {overflow(found.client)}"
            yield value.span.end, f"{title}'s list {found.percent} % full", text.rstrip()


def _kept(snapshot: Snapshot, total: int) -> Iterator[tuple[int, str, str]]:
    """Yield the line from which a client keeps nothing once it compacts the conversation."""
    from skillgauge.clients import by_id

    skill = snapshot.skill
    for client_id in snapshot.clients:
        client = by_id(client_id)
        kept = client.budget.kept_tokens if client else None
        if client is not None and kept is not None and total > kept.value:
            start, end = skill.body
            last = skill.text.line_of(start + (end - start) * kept.value // total)
            yield (
                skill.text.line_span(last).end,
                f"✂ {client.title} after compaction",
                f"When {client.title} compacts the conversation it keeps about the first"
                f" {kept.value:,} tokens of a skill, which end near this line.",
            )
