"""The keys of evaluation files: which part of a case each stands for, and which tools read it."""

from __future__ import annotations

from typing import Final, Literal

Dialect = Literal[
    "agentskills",  # {skill_name, evals: [{id, prompt, expected_output, assertions, files}]}
    "skill-creator",  # the same with `expectations`
    "flat",  # [{id, question, ground_truth, expected_behavior}], also a case on each line
    "benchflow",  # {version, cases: [{question, ground_truth, expected_behavior}]}
    "single",  # one case without anything around it
    "trigger",  # [{query, should_trigger}]
    "config",  # evals/config.yml: how to run, no cases
    "unknown",
]
Role = Literal[
    "id",
    "prompt",
    "expected_output",
    "assertions",
    "files",
    "expected_skill",
    "expected_script",
    "acceptable_skills",
    "should_trigger",
]

ROLES: Final[dict[Role, tuple[str, ...]]] = {
    "id": ("id",),
    "prompt": ("prompt", "question", "query"),
    "expected_output": ("expected_output", "ground_truth"),
    "assertions": ("assertions", "expected_behavior", "expectations"),
    "files": ("files",),
    "expected_skill": ("expected_skill",),
    "expected_script": ("expected_script",),
    "acceptable_skills": ("acceptable_skills", "acceptable_alternates"),
    "should_trigger": ("should_trigger",),
}
"""The names of each part of a case, the one of agentskills.io first."""

ROLE_OF: Final[dict[str, Role]] = {key: role for role, keys in ROLES.items() for key in keys}
"""The part that a key stands for."""

MODERN: Final = frozenset({"prompt", "expected_output", "assertions"})
"""Names of agentskills.io that the flat dialect calls otherwise."""
FLAT: Final[dict[str, str]] = {
    "question": "prompt",
    "ground_truth": "expected_output",
    "expected_behavior": "assertions",
}
"""Names of the flat dialect (and BenchFlow's) with those of agentskills.io."""

CONTAINERS: Final = ("evals", "cases")
"""Keys under which tools look for the list of cases."""
SKILL_KEYS: Final = ("skill_name", "skill")
"""Keys that name the skill under test."""

CASE_KEYS: Final = frozenset(ROLE_OF) | {
    # Notes to the reader, which no tool judges.
    *("name", "eval_name", "title", "description", "category", "tags", "notes", "note"),
    *("comment", "difficulty", "metadata", "kind", "type", "priority", "bucket", "source"),
    # SkillEvaluator, for cases that concern a whole plugin.
    *("cross_component", "expected_skills", "expected_tools", "acceptable_tools"),
    *("decoy_tools", "tool_arguments", "expected_order", "handoffs", "conflict_probes"),
    # BenchFlow, and other runners of the same files.
    *("environment", "timeout_sec", "timeout", "timeout_seconds", "max_turns", "runs"),
    *("tools", "tool_choice", "tool_assertions", "model", "models", "skip", "network"),
}
"""Keys of a case that some tool reads, or that are plainly notes."""
FILE_KEYS: Final = frozenset(CONTAINERS) | {
    *SKILL_KEYS,
    *("$schema", "version", "schema_version", "defaults", "models", "metadata", "tags"),
    *("name", "title", "description", "notes", "note", "comment", "author", "updated", "license"),
}
"""Keys beside the list of cases that some tool reads, or that are plainly notes."""
