"""What stands in for a model where the demonstration run is recorded: the cases of csv-profile.

The commands really run, in a container, on the case's files; what is scripted is the choice of them
and what the agent says. The script is no model, so its figures say nothing of the skill: they show
what a report looks like. It helps in most cases, makes no difference in some, and does harm in one.
"""

from __future__ import annotations

import re
from typing import Any, Final

from tests.lift.model_server.script import Call, Case, Script, Turn

SKILL: Final = "csv-profile"
ORDERS = """\
No, not as it is. orders.csv has 10 rows and 6 columns, and it must be mended before the import:

- order_id 1007 is there twice, the whole row;
- customer is missing in 2 rows, paid in 1;
- ordered_on has one date as 04/02/2024 among ISO dates;
- quantity has n/a once, so the column is text.

I changed nothing."""
ORDERS_GUESSED = "Yes. orders.csv has a header and six well-formed columns: import it as it is."
CUSTOMERS = "2 orders have no customer: order_id 1004 and order_id 1008."
SENSORS = """\
Four readings in three columns: sensor, place and reading. The places are Zürich, Genève, Köln and
Málaga; the lowest reading is 19.8, the highest 27.4. The file is not UTF-8 but cp1252, and
separated by semicolons."""
SENSORS_GUESSED = (
    "It holds one column with four lines. Some letters are damaged, so I can't read them."
)
CONTACTS = """\
Two lines break it. Line 3 has four fields: the unquoted comma in “Novak, Svoboda and Partners”
splits the company. Line 5 has two: the city is missing."""
CONTACTS_GUESSED = """\
Line 3 and line 6 have a comma in the company, which splits it into two fields. Remove both."""
STAFF = "staff.csv has a header but holds no rows, so there is nobody to count."
CHART = """\
I can't draw revenue.png here: matplotlib is not installed. With it, and once quantity n/a and the
repeated row 1007 are settled, it takes one short script."""
CHART_PROFILED = "Here is the profile of orders.csv: 10 rows, 6 columns, 1 repeated row."
WORKBOOK = "There is no budget.xlsx here. Where is the workbook?"
FUNCTION = """\
```python
import csv
import io

def to_csv(rows: list[dict]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
```

The header is taken from the keys, in the order in which they first appear."""
WRONG: Final = (ORDERS_GUESSED, SENSORS_GUESSED, CONTACTS_GUESSED, CHART_PROFILED)
HOLDS: Final = (
    "FORMAT_FOLLOWED",
    "orders.csv has the same content as before.",
    "The reply names line 3 and says that an unquoted comma splits the company.",
)
"""What the scripted judge finds true of a wrong answer; of a right one it is everything."""


def judge(text: str) -> dict[str, Any]:
    """Return the verdicts on a question sheet, by the answer that is in its evidence."""
    sheet = _part(text, "statements")
    evidence = _part(text, "evidence")
    answers = (*WRONG, ORDERS, CUSTOMERS, SENSORS, CONTACTS, STAFF, CHART, WORKBOOK, FUNCTION)
    answer = next((one for one in answers if _flat(one) in _flat(evidence)), "")
    quote = answer.split("\n")[0].split(". ")[0]
    verdicts: list[dict[str, Any]] = []
    for name, statement in re.findall(r"(?m)^([A-Z_]+|\d+): (.+)$", sheet):
        right = answer not in WRONG or name in HOLDS or statement in HOLDS
        reason = "The answer says so." if right else "The answer says otherwise."
        verdicts.append({"id": name, "quote": quote, "reason": reason, "passed": right})
    return {"verdicts": verdicts}


def _part(text: str, name: str) -> str:
    found = re.search(rf"<{name} (\w+)>\n(.*?)\n</{name} \1>", text, re.DOTALL)
    return found[2] if found else ""


def _flat(text: str) -> str:
    return " ".join(text.split())


def script(place: str) -> Script:
    """Return what is answered to a harness that has its skills at `place`."""
    load = _load(place)

    def profile(name: str, options: str = "") -> Turn:
        program = f"python3 {place}/{SKILL}/scripts/profile_csv.py {name}"
        return _shell(" ".join(filter(None, (program, options, "--format json"))))

    return Script(
        cases=(
            _case(
                "Use the csv-profile skill on orders.csv",
                [load, profile("orders.csv"), Turn(ORDERS)],
                [_shell("head -n 4 orders.csv"), Turn(ORDERS_GUESSED)],
            ),
            _case(
                "How many orders in orders.csv have no customer?",
                [
                    load,
                    profile("orders.csv"),
                    _shell("""awk -F, '$2 == "" {print $1}' orders.csv"""),
                    Turn(CUSTOMERS),
                ],
                [_shell("cat orders.csv"), Turn(CUSTOMERS)],
            ),
            _case(
                "A colleague sent me sensors.csv from the lab",
                [
                    load,
                    profile("sensors.csv"),
                    profile("sensors.csv", "--delimiter ';' --encoding cp1252"),
                    Turn(SENSORS),
                ],
                [_shell("cat sensors.csv"), Turn(SENSORS_GUESSED)],
            ),
            _case(
                "My import of contacts.csv stops half way through",
                [
                    load,
                    profile("contacts.csv"),
                    _shell("sed -n '3p;5p' contacts.csv"),
                    Turn(CONTACTS),
                ],
                [_shell("cat contacts.csv"), Turn(CONTACTS_GUESSED)],
            ),
            _case(
                "Give me the number of people in each team",
                [load, profile("staff.csv"), Turn(STAFF)],
                [_shell("cat staff.csv"), Turn(STAFF)],
            ),
            _case(
                "Draw a bar chart of the revenue by day",
                [load, profile("orders.csv"), Turn(CHART_PROFILED)],
                [_shell("python3 -c 'import matplotlib'"), Turn(CHART)],
            ),
            _case(
                "Split budget.xlsx into one file for each sheet",
                [_shell("ls -la"), Turn(WORKBOOK)],
                [_shell("ls -la"), Turn(WORKBOOK)],
            ),
            _case("Write a Python function that turns a list", [Turn(FUNCTION)], [Turn(FUNCTION)]),
        ),
        judge=judge,
    )


def _case(when: str, with_skill: list[Turn], without: list[Turn]) -> Case:
    return Case(when, SKILL, tuple(with_skill), tuple(without))


def _load(place: str) -> Turn:
    call: Call = ("skill", {"name": SKILL, "path": f"{place}/{SKILL}/SKILL.md"})
    return Turn(f"I will use the {SKILL} skill.", (call,))


def _shell(command: str) -> Turn:
    return Turn("", (("shell", {"command": command}),))
