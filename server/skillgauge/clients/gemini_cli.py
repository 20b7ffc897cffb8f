"""Gemini CLI, Google's agent for the terminal."""

from __future__ import annotations

from skillgauge.clients.facts import Budget, Client, Figure, Place, Quirk, Source, words

DOCS = Source("https://geminicli.com/docs/cli/using-agent-skills/", "2026-08-21")
LOADER = Source(
    "https://github.com/google-gemini/gemini-cli/blob/5411f113ca/"
    "packages/core/src/skills/skillLoader.ts",
    "2026-08-21",
    note="commit 5411f11",
)
MANAGER = Source(
    "https://github.com/google-gemini/gemini-cli/blob/5411f113ca/"
    "packages/core/src/skills/skillManager.ts",
    "2026-08-21",
    note="commit 5411f11",
)
TOOLS = Source(
    "https://github.com/google-gemini/gemini-cli/blob/5411f113ca/"
    "packages/core/src/tools/tool-names.ts",
    "2026-08-21",
    note="commit 5411f11",
)

CLIENT = Client(
    id="gemini-cli",
    title="Gemini CLI",
    behaviour=LOADER,
    folders=(".gemini", "GEMINI.md", "gemini-extension.json"),
    places=(
        Place(".gemini/skills", "project", DOCS),
        Place(".agents/skills", "project", DOCS),
        Place("~/.gemini/skills", "user", DOCS),
        Place("~/.agents/skills", "user", DOCS),
        Place("<extension>/skills", "plugin", DOCS),
    ),
    reads_spec_keys=("name", "description"),
    unknown_keys="ignored",
    needs_frontmatter=True,
    needs_name=True,
    needs_description=True,
    name_must_match_folder="no",
    bad_yaml="read line by line",
    budget=Budget(scan_depth=Figure(1, LOADER)),
    tools=words(
        """
        activate_skill ask_user complete_task enter_plan_mode exit_plan_mode get_internal_docs
        glob google_web_search grep_search invoke_agent list_directory list_mcp_resources read_file
        read_many_files read_mcp_resource replace run_shell_command tracker_add_dependency
        tracker_create_task tracker_get_task tracker_list_tasks tracker_update_task
        tracker_visualize update_topic web_fetch write_file write_todos
        """
    ),
    tools_source=TOOLS,
    remarks=(
        Quirk("A skill without a name or a description is skipped without a message.", LOADER),
        Quirk(
            "If the frontmatter is not valid YAML, the lines that begin with `name:` and "
            "`description:` are read all the same.",
            LOADER,
        ),
        Quirk("The first line of the file must be `---`, with nothing before it.", LOADER),
        Quirk("In a name, characters such as `:` and `/` are replaced by hyphens.", LOADER),
        Quirk(
            "With one name in both folders, `.agents/skills` wins over `.gemini/skills`, and the "
            "workspace over the user.",
            MANAGER,
        ),
        Quirk("Skills of a workspace load only in a folder that the user trusts.", MANAGER),
        Quirk("The user is asked for consent each time a skill is activated.", DOCS),
    ),
)
