"""GitHub Copilot in VS Code; Copilot's command line and cloud agent read the same folders."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Key, Place, Quirk, Source
from skillgauge.clients.sources import REPORTS, key_list

DOCS = Source(
    "https://code.visualstudio.com/docs/agent-customization/agent-skills",
    "2026-05-28",
)
EDITOR = Source(
    "https://github.com/microsoft/vscode/blob/1cf1df321b6e3187f143b0336cada8d4a7643fc4/"
    "src/vs/workbench/contrib/chat/common/promptSyntax/languageProviders/promptFileAttributes.ts",
    "2026-11-30",
    note="commit 1cf1df3",
)
WARNINGS = Source(
    "https://github.com/microsoft/vscode/issues/294520", "2026-11-30", firsthand=False
)

CLIENT = Client(
    id="vscode",
    title="VS Code",
    behaviour=Source(
        "https://code.visualstudio.com/docs/agent-customization/agent-skills",
        "2026-05-28",
        note="accepted keys: the editor's source at commit 1cf1df3; warnings on unknown keys: "
        "issue 294520 of microsoft/vscode",
    ),
    folders=(
        ".github/skills",
        ".github/copilot-instructions.md",
        ".github/instructions",
        ".github/prompts",
        ".github/agents",
        ".copilot",
    ),
    places=(
        Place(".github/skills", "project", DOCS),
        Place(".claude/skills", "project", DOCS),
        Place(".agents/skills", "project", DOCS),
        Place("~/.copilot/skills", "user", DOCS),
        Place("~/.claude/skills", "user", DOCS),
        Place("~/.agents/skills", "user", DOCS),
        Place("<plugin>/skills", "plugin", DOCS),
    ),
    reads_spec_keys=("name", "description", "allowed-tools"),
    accepts_spec_keys=("license", "compatibility", "metadata"),
    keys=(
        Key(
            "argument-hint",
            "string",
            "What the chat input shows as expected arguments when the skill is used as a slash "
            "command.",
            DOCS,
        ),
        Key(
            "user-invocable",
            "boolean",
            "When false the skill is left out of the `/` menu; the agent can still load it.",
            DOCS,
        ),
        Key(
            "disable-model-invocation",
            "boolean",
            "When true the agent does not load the skill by itself, only the slash command does.",
            DOCS,
        ),
        Key(
            "context",
            "enum",
            "With `fork` the skill runs in a subagent of its own and only its result comes back; "
            "experimental, behind a setting.",
            DOCS,
            values=("fork",),
        ),
    ),
    own_meanings=(
        Key(
            "allowed-tools",
            "string",
            "Tools that Copilot's command line lets the skill use without asking; the editor "
            "makes no use of it and in some versions warns about it.",
            key_list("CP-SK-001"),
        ),
    ),
    unknown_keys="warning",
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    name_must_match_folder="warning",
    budget=Budget(name_max=Figure(64, DOCS), description_max=Figure(1_024, DOCS)),
    tools=("execute", "read", "edit", "search", "agent", "web"),
    tools_source=EDITOR,
    remarks=(
        Quirk(
            "A name with characters outside a-z, 0-9 and the hyphen keeps the skill from loading, "
            "without a message.",
            DOCS,
        ),
        Quirk(
            "A name that differs from the folder gets a warning; some versions did not load such a "
            "skill at all.",
            REPORTS,
        ),
        Quirk(
            "Each key of another client gets a warning, since the editor checks against a fixed "
            "list.",
            WARNINGS,
        ),
        Quirk("In a plugin the name of the plugin is put before the command.", DOCS),
        Quirk("Bundled files are loaded only if SKILL.md refers to them.", DOCS),
        Quirk("More folders can be named in the setting `chat.agentSkillsLocations`.", DOCS),
    ),
)
