"""A command pipes a download straight into a shell or interpreter.

## Why is this bad?
`curl … | sh` runs whatever the address answers at that moment, and nobody has read it. Whoever
controls the server, its domain or the line to it then controls the machine of everyone who uses
the skill, and can answer the agent with another script than a person who looks at the address in
a browser. An agent runs the command without the second thought that a person may have.

Download the script, look at it or compare it with a known checksum, and then run it; or name a
package manager that checks signatures. Commands in text that warns of them are left alone.

## Bad
````skill
---
name: uv-setup
description: Installs uv. Use when uv is missing.
---
Install uv:

```bash
curl -LsSf https://astral.sh/uv/install.sh | sh
```
````

## Good
````skill
---
name: uv-setup
description: Installs uv. Use when uv is missing.
---
Install uv with `pipx install uv` or `brew install uv`. Never use `curl https://astral.sh/uv | sh`.
````

## References
- https://owasp.org/www-project-agentic-skills-top-10/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from skillgauge.document.skill import Skill
from skillgauge.patterns import lazy_pattern
from skillgauge.rule import Finding, Severity, rule
from skillgauge.rules.security._context import cautioned
from skillgauge.rules.security._find import words
from skillgauge.rules.security._shell import find_lines
from skillgauge.rules.security._words import Command, Pipeline, Word
from skillgauge.text import Span

_NEEDLES: Final = (
    "curl",
    "wget",
    "irm",
    "iwr",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
    "DownloadString",
)
_SHAPE: Final = lazy_pattern(
    r"(?i:\|[^|\n]*?\b(?:[a-z]{0,2}sh|fish|python|node|perl|ruby|php|pwsh|powershell|iex"
    r"|Invoke-Expression)\b|<\(|\$\(|\b(?:iex|Invoke-Expression)\b)"
)
_FETCHERS: Final = words(
    """
    curl wget fetch irm iwr invoke-webrequest invoke-restmethod curl.exe wget.exe
    """
)
_SHELLS: Final = words("sh bash zsh dash ksh ash fish")
_EVALUATORS: Final = words("iex invoke-expression")
_INTERPRETERS: Final = lazy_pattern(r"(?:python[\d.]*|node|perl|ruby|php|pwsh|powershell)\Z")
_SOURCING: Final = frozenset({"source", ".", *_SHELLS})
_ADDRESS: Final = lazy_pattern(r"https?://|[\w-]+\.[a-z]{2,}(?:/|\Z)|\A\$", re.IGNORECASE)
_LOCAL: Final = lazy_pattern(r"(?:https?://)?(?:localhost|127\.|0\.0\.0\.0|\[::1\])")
_POWERSHELL: Final = lazy_pattern(
    r"(?:\birm|\biwr|Invoke-(?:WebRequest|RestMethod)|DownloadString)\W{1,4}?"
    r"(?P<address>(?:https?://|\$)[^\s'\")]+)",
    re.IGNORECASE,
)


@rule("S010", Severity.WARNING)
def pipe_to_shell(skill: Skill) -> Iterator[Finding]:
    """Report each download that a shell runs unread."""
    for line in find_lines(skill, _NEEDLES, _SHAPE):
        seen = -1
        for pipeline in line.pipelines:
            found = _piped(pipeline) or _substituted(pipeline)
            if found is None or found[0].start < seen:
                continue
            span, address, runner = found
            seen = span.end
            if not cautioned(skill, span):
                yield Finding(
                    span,
                    f"{runner} runs whatever {address} answers at that moment, unread by anyone."
                    " Download it and check it first, or use a package manager.",
                )


def _piped(pipeline: Pipeline) -> tuple[Span, str, str] | None:
    """Find `curl … | sh`, with anything in between."""
    fetcher: Command | None = None
    for command in pipeline.commands:
        if fetcher is None:
            fetcher = command if command.program in _FETCHERS else None
        elif _runs_input(command):
            address = _address(fetcher.arguments)
            if address is None:
                return None
            return Span(fetcher.span.start, command.span.end), address, f"“{command.program}”"
    return None


def _substituted(pipeline: Pipeline) -> tuple[Span, str, str] | None:
    """Find `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(curl …)"` and `iex (irm …)`."""
    for command in pipeline.commands:
        program = command.program
        if program in _EVALUATORS:
            text = " ".join(word.text for word in command.arguments)
            match = _POWERSHELL.search(text)
            if match and not _LOCAL.match(match["address"]):
                return command.span, match["address"], f"“{program}”"
        for word in command.arguments:
            for kind, inner in word.inner:
                runs = (
                    program in _SOURCING or bool(_INTERPRETERS.match(program))
                    if kind == "<("
                    else program == "eval" or (program in _SHELLS and _has_c(command))
                )
                address = _fetched(inner) if runs else None
                if address is not None:
                    return command.span, address, f"“{program}”"
    return None


def _runs_input(command: Command) -> bool:
    """Return whether a command runs what it reads, rather than a script that it is given."""
    program = command.program
    if program in _EVALUATORS:
        return True
    arguments = [word.text for word in command.arguments]
    if program in _SHELLS:
        scripts = [text for text in arguments if not text.startswith(("-", "+"))]
        options = [text for text in arguments if text.startswith("-")]
        reads = "-" in options or any(re.match(r"-[a-z]*s", text) for text in options)
        return reads or not (scripts or _has_c(command))
    if _INTERPRETERS.match(program):
        return not arguments or arguments[0] == "-"
    return False


def _has_c(command: Command) -> bool:
    return any(re.match(r"-[a-z]*c\Z", word.text) for word in command.arguments)


def _fetched(pipelines: tuple[Pipeline, ...]) -> str | None:
    for pipeline in pipelines:
        for command in pipeline.commands:
            if command.program in _FETCHERS:
                return _address(command.arguments)
    return None


def _address(arguments: tuple[Word, ...]) -> str | None:
    """Return the address that is fetched; None without one, and for the machine itself."""
    address = next((word.text for word in arguments if _ADDRESS.search(word.text)), None)
    return None if address is None or _LOCAL.match(address) else address.strip("'\"")
