"""The six frontmatter keys of the Agent Skills specification."""

from __future__ import annotations

from skillgauge.clients.facts import Key
from skillgauge.clients.sources import SPEC

KEYS = (
    Key(
        "name",
        "string",
        "The skill's identifier: 1 to 64 lower-case letters, digits and single hyphens, equal to "
        "the name of its folder.",
        SPEC,
    ),
    Key(
        "description",
        "string",
        "What the skill does and when to use it, in 1 to 1,024 characters: all that an agent sees "
        "before it decides to open the skill.",
        SPEC,
    ),
    Key(
        "license",
        "string",
        "The licence of the skill: its name, or the name of a licence file in the folder.",
        SPEC,
    ),
    Key(
        "compatibility",
        "string",
        "What the skill needs to run (a product, system packages, network access), in at most 500 "
        "characters; leave it out if it needs nothing special.",
        SPEC,
    ),
    Key(
        "metadata",
        "map",
        "A map from strings to strings for whatever else is to be recorded about the skill, such "
        "as author or version.",
        SPEC,
    ),
    Key(
        "allowed-tools",
        "string",
        "Tools that the skill may use without asking, as one string with blanks between them; "
        "experimental, support differs from client to client.",
        SPEC,
    ),
)
