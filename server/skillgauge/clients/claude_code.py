"""Claude Code, Anthropic's coding agent."""

from __future__ import annotations

from skillgauge.clients.facts import (
    Budget,
    Client,
    Figure,
    Key,
    Place,
    Quirk,
    Source,
    Substitution,
    words,
)
from skillgauge.clients.sources import key_list

DOCS = Source("https://code.claude.com/docs/en/skills", "2026-08-22")
ENV_VARS = Source("https://code.claude.com/docs/en/env-vars", "2026-08-22")
TOOLS = Source("https://code.claude.com/docs/en/tools-reference", "2026-08-22")
FORMER_TOOLS = Source(
    "https://code.claude.com/docs/en/agent-sdk/typescript",
    "2026-08-22",
    note="together with the changelog; TodoRead from public skills that still list it",
)
MODELS = Source("https://code.claude.com/docs/en/model-config", "2026-08-22")
SEEN_ELSEWHERE = key_list("CC-SK-017")

CLIENT = Client(
    id="claude-code",
    title="Claude Code",
    behaviour=DOCS,
    folders=(".claude", ".claude-plugin", "CLAUDE.md"),
    places=(
        Place(".claude/skills", "project", DOCS),
        Place("~/.claude/skills", "user", DOCS),
        Place("<managed settings folder>/.claude/skills", "system", DOCS),
        Place("<plugin>/skills", "plugin", DOCS),
    ),
    reads_spec_keys=("name", "description", "allowed-tools"),
    accepts_spec_keys=("license", "compatibility", "metadata"),
    keys=(
        Key(
            "when_to_use",
            "string",
            "When to use the skill, with trigger phrases or example requests; put after the "
            "description in the list of skills and cut together with it.",
            DOCS,
        ),
        Key(
            "argument-hint",
            "string",
            "What the completion of the slash command shows as expected arguments, such as "
            "`[issue-number]`.",
            DOCS,
        ),
        Key(
            "arguments",
            "string-or-list",
            "Names for the arguments by position, so that `$name` in the body stands for one of "
            "them.",
            DOCS,
        ),
        Key(
            "disable-model-invocation",
            "boolean",
            "When true only the user can start the skill: it stays out of the model's list, of "
            "subagents and of scheduled runs.",
            DOCS,
        ),
        Key(
            "user-invocable",
            "boolean",
            "When false only the model can start the skill: it is left out of the `/` menu.",
            DOCS,
        ),
        Key(
            "disallowed-tools",
            "string-or-list",
            "Tools that the model cannot use while the skill is active, until the user's next "
            "message.",
            DOCS,
        ),
        Key(
            "model",
            "string",
            "The model for the rest of the turn: an alias, a full model name, or `inherit`.",
            MODELS,
            values=(
                "inherit",
                "default",
                "best",
                "fable",
                "opus",
                "opus[1m]",
                "sonnet",
                "sonnet[1m]",
                "haiku",
                "opusplan",
            ),
        ),
        Key(
            "effort",
            "enum",
            "How much the model thinks while the skill is active, in place of the session's "
            "setting.",
            DOCS,
            values=("low", "medium", "high", "xhigh", "max"),
        ),
        Key(
            "context",
            "enum",
            "With `fork` the skill runs in a subagent of its own instead of the conversation.",
            DOCS,
            values=("fork",),
        ),
        Key("agent", "string", "The type of subagent that runs a forked skill.", DOCS),
        Key(
            "background",
            "boolean",
            "When false the turn waits for the result of a forked skill; needs version 2.1.218.",
            DOCS,
        ),
        Key(
            "hooks",
            "map",
            "Hooks that are registered when the skill is used and stay for the rest of the "
            "session.",
            DOCS,
        ),
        Key(
            "paths",
            "string-or-list",
            "Glob patterns: the model loads the skill by itself only while it works on files that "
            "match one.",
            DOCS,
        ),
        Key(
            "shell",
            "enum",
            "The shell for commands that are run while the skill is loaded.",
            DOCS,
            values=("bash", "powershell"),
        ),
        Key(
            "display-name",
            "string",
            "Accepted as a key; what it does is not documented.",
            SEEN_ELSEWHERE,
        ),
        Key(
            "default-enabled",
            "boolean",
            "Accepted as a key; what it does is not documented.",
            SEEN_ELSEWHERE,
        ),
        Key(
            "fallback",
            "string",
            "Accepted as a key; what it does is not documented.",
            SEEN_ELSEWHERE,
        ),
    ),
    own_meanings=(
        Key(
            "name",
            "string",
            "The label in lists of skills, the folder's name by default; in a plugin it is the "
            "last part of the command.",
            DOCS,
        ),
        Key(
            "description",
            "string",
            "What the skill does and when to use it, by which the model chooses it; without it "
            "the first paragraph of the body is taken.",
            DOCS,
        ),
        Key(
            "allowed-tools",
            "string-or-list",
            "Tools and rules such as `Bash(git add *)` that need no permission during the turn in "
            "which the skill is used, with blanks or commas between them or as a list.",
            DOCS,
        ),
    ),
    unknown_keys="ignored",
    needs_frontmatter=False,
    needs_name=False,
    needs_description=False,
    name_must_match_folder="no",
    bad_yaml="loaded without metadata",
    allowed_tools_forms=("blanks", "commas", "list"),
    budget=Budget(
        description_cut=Figure(1_536, DOCS),
        catalogue_percent=Figure(1, DOCS),
        catalogue_chars=Figure(8_000, ENV_VARS),
        kept_tokens=Figure(5_000, DOCS),
        kept_tokens_total=Figure(25_000, DOCS),
    ),
    tools=words(
        """
        Agent Artifact AskUserQuestion Bash CronCreate CronDelete CronList Edit EndConversation
        EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep LSP ListAgents
        ListMcpResourcesTool Monitor NotebookEdit PowerShell PushNotification Read
        ReadMcpResourceTool RemoteTrigger ReportFindings ScheduleWakeup SendMessage SendUserFile
        ShareOnboardingGuide Skill TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate
        TodoWrite ToolSearch WaitForMcpServers WebFetch WebSearch Workflow Write
        """
    ),
    former_tools=words(
        """
        AgentOutputTool BashOutput KillBash KillShell LS MCPSearch MultiEdit
        SlashCommand Task TodoRead
        """
    ),
    tools_source=TOOLS,
    former_tools_source=FORMER_TOOLS,
    substitutions=(
        Substitution(
            "$ARGUMENTS",
            "All arguments as typed; without this placeholder they are put at the end of the body.",
            DOCS,
        ),
        Substitution("$ARGUMENTS[N]", "One argument, counted from 0.", DOCS),
        Substitution("$N", "Short for `$ARGUMENTS[N]`: `$0` is the first argument.", DOCS),
        Substitution("$name", "The argument to which `arguments` gives that name.", DOCS),
        Substitution("${CLAUDE_SESSION_ID}", "The id of the session.", DOCS),
        Substitution("${CLAUDE_EFFORT}", "The effort level in force.", DOCS),
        Substitution("${CLAUDE_SKILL_DIR}", "The folder of this SKILL.md.", DOCS),
        Substitution("${CLAUDE_PROJECT_DIR}", "The root folder of the project.", DOCS),
        Substitution(
            "${CLAUDE_PLUGIN_ROOT}", "The folder of the plugin; in plugin skills only.", DOCS
        ),
        Substitution(
            "${CLAUDE_PLUGIN_DATA}",
            "The folder for data that outlives updates of the plugin; in plugin skills only.",
            DOCS,
        ),
    ),
    remarks=(
        Quirk(
            "The command is named after the folder and `name` is only a label, except in a plugin, "
            "where `name` is the last part of the command.",
            DOCS,
        ),
        Quirk("Without a description the first paragraph of the body takes its place.", DOCS),
        Quirk(
            "If the frontmatter is not valid YAML the body still works as a command, but the model "
            "has no description by which to find it.",
            DOCS,
        ),
        Quirk(
            "The description and `when_to_use` share one limit in the list of skills.",
            DOCS,
        ),
        Quirk(
            "When the list outgrows its budget, the skills used least lose their descriptions "
            "first.",
            DOCS,
        ),
        Quirk(
            "A skill of the user's wins over one of the project's with the same name.",
            DOCS,
        ),
        Quirk("`synced` is reserved as the name of a skill folder.", DOCS),
        Quirk("A grant by `allowed-tools` ends with the user's next message.", DOCS),
        Quirk(
            "Commands written as !`command` run before the model sees the text.",
            DOCS,
        ),
        Quirk("`\\$` keeps a dollar sign from being read as a placeholder.", DOCS),
    ),
)
