"""`evals/config.yml` has a key that SkillEvaluator does not know.

## Why is this bad?
The file says how cases are run: attempts, threshold, model, workspace. SkillEvaluator is strict
about it: one unknown key, a missing `schema_version` or a mode that it does not have, and nothing
is run.

## Bad
````evals name=config.yml
schema_version: 1
harbor:
  n_atempts: 3
````

## Good
````evals name=config.yml
schema_version: 1
harbor:
  n_attempts: 3
grading:
  mode: default
````

## Fix safety
Which key was meant is a guess. `schema_version: 1` is added safely: there is no other version.

## References
- https://github.com/NVIDIA/SkillEvaluator
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from skillgauge.document.evals import EvalFile
from skillgauge.document.nodes import Entry, Mapping, Node, Scalar
from skillgauge.rule import Edit, Finding, Fix, Severity, rule
from skillgauge.rules.evals._shared import listed, rename
from skillgauge.rules.format._near import nearest
from skillgauge.text import Span

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "": ("schema_version", "harbor", "skill_workspace", "grading"),
    "harbor": (
        *("task_source", "custom_dockerfile_mode", "base_image_mode", "n_attempts"),
        *("pass_threshold", "stop_on_pass", "n_concurrent", "max_agents", "timeout_multiplier"),
        *("agent_runtime_preflight", "plugin_canary", "agent_workdir", "resources"),
        *("runtime_env", "passthrough_env", "pre_agent_setup", "setup_commands", "agents"),
    ),
    "harbor.resources": ("cpus", "memory_mb", "storage_mb"),
    "harbor.agents": (),  # any name of an agent
    "skill_workspace": ("mode", "include"),
    "grading": ("mode",),
}
"""The keys at each place."""
AGENTS: Final = "harbor.agents"
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "harbor.task_source": ("auto", "evals_json", "native_harbor"),
    "harbor.custom_dockerfile_mode": ("preserve", "rebase"),
    "harbor.base_image_mode": ("reuse", "rebuild", "disabled"),
    "skill_workspace.mode": ("isolated", "group"),
    "grading.mode": (
        *("default", "default_plus_custom", "custom_only"),
        *("aces_default", "aces_plus_custom"),
    ),
}


@rule("V023", Severity.ERROR, target="evals", fix="mixed", reveals=True)
def eval_config_invalid(file: EvalFile) -> Iterator[Finding]:
    """Report what keeps the configuration from being taken; files of other tools are left alone."""
    root = file.head
    if file.dialect != "config" or not file.is_ours or root is None or not file.complete:
        return
    yield from _version(file, root)
    yield from _mapping(file, root, "", KEYS[""])


def _version(file: EvalFile, root: Mapping) -> Iterator[Finding]:
    entry = root.last("schema_version")
    if entry is None:
        at = root.span.start
        line_break = "\r\n" if "\r\n" in file.source else "\n"
        edit = Edit(Span(at, at), f"schema_version: 1{line_break}")
        fix = Fix("Add schema_version: 1", (edit,)) if not root.flow else None
        yield Finding(
            file.top, "“schema_version: 1” is missing, without which no key is read.", fix
        )
    elif isinstance(entry.value, Scalar) and (entry.value.type, entry.value.text) != ("int", "1"):
        span = entry.value.span
        edit = Edit(span, "1" if span.start < span.end else " 1")
        yield Finding(
            span if span.start < span.end else entry.key_span,
            "“schema_version” must be the number 1.",
            Fix("Write 1", (edit,)),
        )


def _mapping(
    file: EvalFile, node: Mapping, place: str, known: tuple[str, ...]
) -> Iterator[Finding]:
    """Judge the keys of a mapping, and what is below them."""
    for entry in node.entries:
        below = f"{place}.{entry.key}" if place else entry.key
        if place != AGENTS and entry.key not in known and entry.key != "<<":
            yield _unknown(file, node, entry, place, known)
        if below in CHOICES:
            yield from _choice(entry.value, below)
        elif isinstance(entry.value, Mapping):
            keys = ("model",) if place == AGENTS else KEYS.get(below)
            if keys is not None:
                yield from _mapping(file, entry.value, below, keys)


def _unknown(
    file: EvalFile, node: Mapping, entry: Entry, place: str, known: tuple[str, ...]
) -> Finding:
    near = nearest(entry.key.lower().replace("-", "_"), known, 2)
    fix = None
    if near and near not in {other.key for other in node.entries}:
        fix = Fix(f"Write “{near}”", (rename(file, entry, near),), safe=False)
    where = f" below “{place}”" if place else ""
    meant = f"is it meant to be “{near}”?" if fix else f"it knows {listed(known)}."
    return Finding(entry.key_span, f"SkillEvaluator has no key “{entry.key}”{where}; {meant}", fix)


def _choice(value: Node, place: str) -> Iterator[Finding]:
    known = CHOICES[place]
    if isinstance(value, Scalar) and value.type != "null" and value.text not in known:
        yield Finding(
            value.span, f"“{value.text}” is no value of “{place}”; choose from {listed(known)}."
        )
