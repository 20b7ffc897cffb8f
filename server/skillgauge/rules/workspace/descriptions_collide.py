"""Two skills claim the same requests, so that an agent can't tell which one to use.

## Why is this bad?
An agent chooses by descriptions alone. Where two claim the same example request, or say the same
in nearly the same words, which of them is loaded is a matter of chance, and the other's work is
lost. Say in each what it is for and what it is not for; naming the other (“not for X: use
skill-y”) settles the pair.

Words in a negative clause do not count as claimed, and pairs that name each other are left alone.
So are sisters that differ in a word of name and first sentence, such as one skill for AWS and one
for Azure.

## Bad
````skill
---
name: journal-entry
description: Prepares journal entries with debits, credits and supporting detail. Use when
  booking accruals, depreciation, amortization or prepaid expenses.
---
Prepare the entry.
````
````neighbour journal-entry-prep
---
name: journal-entry-prep
description: Prepares journal entries with debits, credits and documentation. Use when booking
  accruals, prepaid amortization or depreciation.
---
Prepare the entry.
````

## Good
````skill
---
name: journal-entry
description: Prepares journal entries with debits, credits and supporting detail. Use when
  booking accruals, depreciation, amortization or prepaid expenses. Not for
  month-end batches, use journal-entry-prep.
---
Prepare the entry.
````
````neighbour journal-entry-prep
---
name: journal-entry-prep
description: Prepares journal entries with debits, credits and documentation. Use when booking
  accruals, prepaid amortization or depreciation.
---
Prepare the entry.
````
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.routing import Collision
from skillgauge.document.skill import Skill
from skillgauge.rule import Finding, Related, Severity, rule

MAX_NEIGHBOURS: Final = 5


@rule("X002", Severity.WARNING, needs=("workspace",))
def descriptions_collide(skill: Skill) -> Iterator[Finding]:
    """Report the neighbours that this skill's description can't be told from."""
    value = skill.value("description")
    if value is None or skill.workspace is None or skill.path is None:
        return
    for collision in skill.workspace.collisions.get(skill.path, ())[:MAX_NEIGHBOURS]:
        other = collision.other
        place = Related(f"What “{other.name}” claims", None, other.path, other.start, other.end)
        yield Finding(
            value.span,
            f"“{other.name}” {_what(collision)}, so an agent can’t tell which to use. Say what each"
            " is not for, and name the other.",
            related=(place,),
        )


def _what(collision: Collision) -> str:
    if collision.phrases:
        shown = ", ".join(f"“{phrase}”" for phrase in collision.phrases[:3])
        return f"claims {shown} too"
    if not collision.words:
        return "says the same in other words"
    return f"says nearly the same ({', '.join(collision.words)})"
