"""OpenClaw, the personal assistant, and ClawHub, its registry of skills."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Key, Place, Quirk, Source, Substitution
from skillgauge.clients.sources import REPORTS, key_list

DOCS = Source(
    "https://github.com/openclaw/openclaw/blob/00d92d90cae86713894630b2f3fcbe1153ba276e/"
    "docs/tools/skills.md",
    "2026-11-30",
    note="commit 00d92d9",
)
REGISTRY = Source(
    "https://clawhub.ai",
    "2026-11-30",
    note="from skills published there",
    firsthand=False,
)

CLIENT = Client(
    id="openclaw",
    title="OpenClaw",
    behaviour=DOCS,
    folders=(".openclaw", ".clawhub", ".clawdbot"),
    places=(
        Place("<workspace>/skills", "project", DOCS),
        Place(".agents/skills", "project", DOCS),
        Place("~/.agents/skills", "user", DOCS),
        Place("~/.openclaw/skills", "user", DOCS),
        Place("<plugin>/skills", "plugin", DOCS),
    ),
    reads_spec_keys=("name", "description", "metadata"),
    accepts_spec_keys=("license", "compatibility", "allowed-tools"),
    keys=(
        Key("homepage", "string", "An address shown as the skill's website.", DOCS),
        Key(
            "user-invocable",
            "boolean",
            "When false the skill is no slash command; true by default.",
            DOCS,
        ),
        Key(
            "disable-model-invocation",
            "boolean",
            "When true the skill stays out of the model's prompt; a command can still start it.",
            DOCS,
        ),
        Key(
            "command-dispatch",
            "enum",
            "With `tool` the slash command calls a tool directly, past the model.",
            DOCS,
            values=("tool",),
        ),
        Key("command-tool", "string", "The tool that such a command calls.", DOCS),
        Key(
            "command-arg-mode",
            "enum",
            "How such a command hands over its arguments: `raw`, as one string.",
            DOCS,
            values=("raw",),
        ),
        Key(
            "metadata.openclaw",
            "map",
            "What the skill requires (`requires.bins`, `anyBins`, `env`, `config`, `os`), how to "
            "install it, and how it looks (`emoji`, `homepage`).",
            DOCS,
        ),
        Key(
            "metadata.clawdbot",
            "map",
            "The older name of `metadata.openclaw`, read where that is absent.",
            DOCS,
        ),
        Key("version", "string", "The version that the registry shows.", REGISTRY),
    ),
    needs_frontmatter=True,
    needs_name=False,
    needs_description=True,
    name_must_match_folder="no",
    bad_yaml="read line by line",
    budget=Budget(scan_depth=Figure(6, DOCS)),
    substitutions=(Substitution("{baseDir}", "The folder of this SKILL.md.", DOCS),),
    remarks=(
        Quirk(
            "A skill whose requirements in `metadata.openclaw` are not met is not offered to the "
            "agent.",
            DOCS,
        ),
        Quirk("`metadata` may also be written as JSON.", DOCS),
        Quirk(
            "If the frontmatter is not valid YAML, keys on one line are read all the same.", DOCS
        ),
        Quirk("Without a `name` the folder's name is taken.", DOCS),
        Quirk("A skill of the workspace wins over all others of the same name.", DOCS),
        Quirk("The file may also be called `skill.md`.", REPORTS),
        Quirk("`metadata.clawdis` is another older name.", key_list("XP-SK-001")),
    ),
)
