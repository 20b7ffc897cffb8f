"""What can be checked without a judge, offered to it as facts: names that a reference gives.

A file that the reference names is among the files left, or is not; a text in backticks stands in
the answer, in a file, in a result, or nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from skillgauge.lift.judge.clip import one_line
from skillgauge.lift.results import Artifact, Ran

if TYPE_CHECKING:
    from skillgauge.lift.metrics._trace import Trace

MAX_FACTS: Final = 12
MAX_FILES: Final = 200
"""Where so many files were kept there may be more, so that a missing one proves nothing."""
_QUOTED: Final = re.compile(r"`([^`\n]{4,120})`")
_FILE: Final = re.compile(
    r"(?<![\w/.:@-])(?:\.{0,2}/)?(?:[\w.-]{1,60}/){0,8}[\w.-]{1,80}\.(?:md|txt|json|jsonl|csv|tsv"
    r"|yaml|yml|toml|ini|xml|html|css|js|ts|tsx|jsx|py|sh|rb|rs|go|java|c|h|cpp|sql|ipynb|log"
    r"|pdf|docx|xlsx|pptx|png|jpg|jpeg|gif|svg|webp|zip|gz|tar|parquet|lock|tex|bib)"
    r"(?![\w/-]|\.\w)",
    re.IGNORECASE,
)


def facts(texts: Iterable[str], trace: Trace, ran: Ran) -> tuple[str, ...]:
    """Return what is known of the names in a reference and of how the run ended."""
    found: dict[str, None] = {}
    for fact in (*_ending(ran), *_named("\n".join(texts), trace, ran)):
        found[fact] = None
        if len(found) >= MAX_FACTS:
            break
    return tuple(found)


def _ending(ran: Ran) -> Iterator[str]:
    if ran.reason == "timeout":
        yield "The agent was stopped because its time was over."
    elif ran.exit_code:
        yield f"The agent's program ended with exit status {ran.exit_code}."


def _named(text: str, trace: Trace, ran: Ran) -> Iterator[str]:
    files = list(dict.fromkeys(match[0] for match in _FILE.finditer(text)))
    for name in files:
        yield from _file(name, ran.artifacts)
    for match in _QUOTED.finditer(text):
        if match[1].strip() and not _FILE.fullmatch(match[1].strip()):
            yield _token(match[1].strip(), trace, ran)


def _file(name: str, left: Sequence[Artifact]) -> Iterator[str]:
    plain = name.removeprefix("/workspace/").lstrip("./")
    for one in left:
        if one.path == plain or one.path.endswith(f"/{plain}"):
            size = f"{one.size:,} bytes"
            yield f"The file `{plain}` is among those that the agent made or changed ({size})."
            return
    if len(left) < MAX_FILES:
        yield f"The agent left no file `{plain}` that it made or changed in its workspace."


def _token(token: str, trace: Trace, ran: Ran) -> str:
    places = [
        ("the final answer", (ran.answer or trace.final,)),
        ("a file that it left", tuple(one.text or "" for one in ran.artifacts)),
        ("a result of a tool", tuple(call.output for call in trace.calls)),
    ]
    where = [name for name, texts in places if any(token in text for text in texts)]
    shown = one_line(token, 120)
    if where:
        return f"The text `{shown}` stands in {', in '.join(where)}."
    return f"The text `{shown}` stands neither in the answer nor in a file left nor in a result."
