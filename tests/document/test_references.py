"""References: every way to write one, with its exact ranges, its target, and what is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.document.folder import FileInfo, MemoryFolder
from skillgauge.document.markdown_reader import read_markdown
from skillgauge.document.references import Reference, read_references
from skillgauge.document.skill import Skill
from skillgauge.text import Text

HEAD = "---\nname: demo\ndescription: Demo.\n---\n"


def folder(*paths: str, complete: bool = True) -> MemoryFolder:
    return MemoryFolder("demo", dict.fromkeys(("SKILL.md", *paths)), complete=complete)


def found(body: str, *paths: str) -> tuple[Reference, ...]:
    return Skill(Text(HEAD + body), None, folder(*paths)).references


def one(body: str, *paths: str) -> Reference:
    (reference,) = found(body, *paths)
    return reference


def parts(body: str, *paths: str) -> list[tuple[str, str, str | None, bool | None]]:
    return [(item.kind, item.path, item.target, item.exists) for item in found(body, *paths)]


def shown(body: str, span: object) -> str:
    return (HEAD + body)[slice(*span)]  # type: ignore[misc]


def test_a_link_with_an_anchor() -> None:
    body = 'See ![x](./references/my%20file.md?plain=1#the-top "T").'
    link = one(body, "references/my file.md")
    assert (link.kind, link.path, link.target) == (
        "image",
        "./references/my file.md",
        "references/my file.md",
    )
    assert link.exists is True
    assert shown(body, link.span) == "./references/my%20file.md?plain=1#the-top"
    assert shown(body, link.path_span) == "./references/my%20file.md"
    assert link.anchor == "the-top"
    assert shown(body, link.anchor_span) == "the-top"
    assert link.link is not None


def test_an_anchor_of_the_document_itself() -> None:
    link = one("[x](#a%20b)")
    assert (link.path, link.target, link.exists, link.anchor) == ("", "", True, "a b")


def test_definitions_count_once_and_point_at_their_destination() -> None:
    body = (
        "[a][d], [d] and ![b][d]\n\n"
        "[d]: <references/a b.md>\n[unused]: references/c.md\n[^1]: note.md"
    )
    link = one(body, "references/a b.md")
    assert link.target == "references/a b.md"
    assert shown(body, link.path_span) == "references/a b.md"


def test_escapes_and_entities() -> None:
    assert parts(r"[x](references/a\_b&amp;c.md)", "references/a_b&c.md") == [
        ("link", "references/a_b&c.md", "references/a_b&c.md", True)
    ]


def test_html() -> None:
    body = (
        '<img src="assets/a.png"> <a href=\'references/b.md#c\'>b</a> <img src="https://x.y/z.png">'
    )
    assert parts(body, "assets/a.png") == [
        ("image", "assets/a.png", "assets/a.png", True),
        ("link", "references/b.md", "references/b.md", False),
    ]


@pytest.mark.parametrize(
    ("destination", "absolute", "escapes"),
    [
        ("/docs/a.md", True, False),
        ("file:///a.md", True, False),
        ("C:/a.md", True, False),
        (r"C:\a.md", True, False),
        ("../a.md", False, True),
        ("references/../../a.md", False, True),
        ("references/../a.md", False, False),
    ],
)
def test_where_a_link_leads(destination: str, absolute: bool, escapes: bool) -> None:
    link = one(f"[x]({destination})")
    assert (link.absolute, link.escapes) == (absolute, escapes)
    assert (link.target is None) == (absolute or escapes)


@pytest.mark.parametrize(
    "destination",
    ["https://x.y/a.md", "mailto:a@b.c", "//x.y/a.md", "vscode:x", "skill://a/b.md", "", "<>"],
)
def test_no_reference(destination: str) -> None:
    assert found(f"[x]({destination})") == ()


@pytest.mark.parametrize(
    "path",
    [
        "<name>.md", "{{x}}.md", "[topic].md", "*.md", "$X.md", "path/to/a.md", "your-file.md",
        "…", "...", "foo.md", "references/phaseN.md", "c4-component-name.md", "example.md",
        "YYYY-MM-DD.md",
    ],
)  # fmt: skip
def test_stand_ins_count_only_if_there_is_such_a_file(path: str) -> None:
    assert found(f"[x](<{path}>)" if "<" not in path else f"[x]({path})") == ()
    if not set(path) & set("<>{}*$[]…"):
        assert [item.exists for item in found(f"[x]({path})", path)] == [True]


def test_variables() -> None:
    body = (
        "`{baseDir}/scripts/a.py` [b](${CLAUDE_SKILL_DIR}/references/b.md)"
        " $CLAUDE_SKILL_DIR/scripts/a.py `${CLAUDE_PLUGIN_ROOT}/scripts/c.py`"
        " `<skill-dir>/scripts/a.py` `{skill_path}/scripts/gone.py`"
        " `$HOME/scripts/a.py` `${OTHER}/scripts/a.py`"
    )
    assert parts(body, "scripts/a.py") == [
        ("variable", "scripts/a.py", "scripts/a.py", True),
        ("variable", "references/b.md", "references/b.md", False),
        ("variable", "scripts/a.py", "scripts/a.py", True),
        ("variable", "scripts/c.py", None, None),
        ("variable", "scripts/a.py", "scripts/a.py", True),
    ]
    first = found(body, "scripts/a.py")[0]
    assert shown(body, first.span) == "{baseDir}/scripts/a.py"
    assert shown(body, first.path_span) == "scripts/a.py"


def test_the_skill_by_its_own_name() -> None:
    body = (
        "`.claude/skills/demo/scripts/a.py`, ~/.codex/skills/demo/scripts/b.py,"
        " skills/else/scripts/a.py"
    )
    assert parts(body, "scripts/a.py") == [
        ("code", "scripts/a.py", "scripts/a.py", True),
        ("bare", "scripts/b.py", "scripts/b.py", False),
    ]


def test_imports() -> None:
    body = (
        "@references/a.md, @./b.md, @c.md; @docs/gone.md @cuda.jit a@b.md @scope/pkg @192.168.0.1"
    )
    assert parts(body, "references/a.md", "c.md") == [
        ("import", "references/a.md", "references/a.md", True),
        ("import", "./b.md", "b.md", False),
        ("import", "c.md", "c.md", True),
    ]


def test_code_spans_and_prose() -> None:
    body = (
        "Run `python scripts/a.py --x`, see `references/b.md#c`, scripts/gone.sh, helper.py,"
        " other.py, **assets/d.png** and references/ with `assets/`."
    )
    assert parts(body, "scripts/a.py", "helper.py", "assets/d.png") == [
        ("code", "scripts/a.py", "scripts/a.py", True),
        ("code", "references/b.md", "references/b.md", False),
        ("bare", "scripts/gone.sh", "scripts/gone.sh", False),
        ("bare", "helper.py", "helper.py", True),
        ("bare", "assets/d.png", "assets/d.png", True),
        ("code", "assets/", "assets", True),
    ]
    run = found(body, "scripts/a.py")[0].invocation
    assert run is not None
    assert (run.interpreter, [word.text for word in run.arguments]) == ("python", ["--x"])


def test_a_path_alone_is_no_command_but_one_with_arguments_is() -> None:
    body = "`scripts/a.sh` `./scripts/a.sh` `scripts/a.sh --x` `references/b.md c`"
    runs = [item.invocation is not None for item in found(body, "scripts/a.sh", "references/b.md")]
    assert runs == [False, True, True, False]


def test_other_folders_of_the_skill_are_known_too() -> None:
    assert parts("`rules/a.md`, `rules/b.md`, `docs/c.md`", "rules/a.md") == [
        ("code", "rules/a.md", "rules/a.md", True),
        ("code", "rules/b.md", "rules/b.md", False),
    ]


def test_shell_fences() -> None:
    body = (
        "```bash\npython scripts/a.py\ncat references/b.md references/gone.md\n./scripts/gone.sh\n"
        "cat > scripts/new.py <<'EOF'\npython scripts/inner.py\nEOF\n```\n"
    )
    assert parts(body, "scripts/a.py", "references/b.md") == [
        ("fence", "scripts/a.py", "scripts/a.py", True),
        ("fence", "references/b.md", "references/b.md", True),
        ("fence", "./scripts/gone.sh", "scripts/gone.sh", False),
    ]


def test_fences_that_show_files() -> None:
    body = (
        "```\ndemo/\n├── scripts/a.py\n| scripts/a.py (first) |\npython scripts/a.py\n```\n\n"
        "```python\nopen('references/gone.md')\n```\n\n    python scripts/a.py\n"
    )
    assert [item.kind for item in found(body, "scripts/a.py")] == ["fence", "fence"]


def test_what_commands_make_is_marked() -> None:
    body = (
        "`mkdir -p assets/out`\n\n```sh\necho 1 > references/a.md\n```\n\n"
        "See `assets/out/b.md` and `references/a.md`, `references/c.md`."
    )
    assert [(item.path, item.created) for item in found(body, "assets/x")] == [
        ("assets/out/b.md", True),
        ("references/a.md", True),
        ("references/c.md", False),
    ]


def test_links_say_where_they_lead_not_their_text() -> None:
    body = "[`scripts/a.py`](https://x.y) [references/b.md](references/b.md)"
    assert parts(body) == [("link", "references/b.md", "references/b.md", False)]


def test_comments_frontmatter_and_urls_are_left_out() -> None:
    head = "---\nname: demo\ndescription: See scripts/a.py.\n---\n"
    text = head + "<!-- scripts/a.py --> https://x.y/scripts/a.py"
    assert Skill(Text(text), None, folder("scripts/a.py")).references == ()


def test_an_unknown_folder_judges_nothing() -> None:
    body = "[a](references/a.md) `scripts/b.py`"
    for known in (None, folder(complete=False)):
        skill = Skill(Text(HEAD + body), None, known)
        assert [item.exists for item in skill.references] == [None, None]


def test_what_is_listed_is_there_even_if_the_listing_was_cut() -> None:
    skill = Skill(Text(HEAD + "`scripts/b.py`"), None, folder("scripts/b.py", complete=False))
    assert [item.exists for item in skill.references] == [True]


def test_a_reference_file_resolves_from_its_own_folder_first() -> None:
    text = "[b](b.md) [c](../assets/c.png) `scripts/d.py` [up](../../e.md) [gone](gone.md)"
    files = folder("references/a.md", "references/b.md", "assets/c.png", "scripts/d.py")
    result = read_references(read_markdown(text), files, "references")
    assert [(item.target, item.exists, item.escapes) for item in result] == [
        ("references/b.md", True, False),
        ("assets/c.png", True, False),
        ("scripts/d.py", True, False),
        (None, None, True),
        ("references/gone.md", False, False),
    ]


def test_offsets_behind_astral_characters_and_crlf() -> None:
    body = "😀 `scripts/ü.py`\r\n[😀](references/😀.md) scripts/b.py\r\n"
    spans = [shown(body, item.path_span) for item in found(body, "references/😀.md")]
    assert spans == ["references/😀.md", "scripts/b.py"]


def test_many_files_and_long_texts_take_linear_time() -> None:
    files = MemoryFolder("demo", {}, infos=[FileInfo(f"f{n}.md", 1) for n in range(2000)])
    for body in ("a/b " * 30_000, "`scripts/a.py` " * 5_000, "/" * 100_000, "../" * 50_000):
        start = time.process_time()
        _ = Skill(Text(HEAD + body), None, files).references
        assert time.process_time() - start < 5


_PIECES = st.sampled_from(
    ("[a](", ")", "](", "`", "```sh\n", "```\n", "scripts/a.py", "references/", "/", "../", "./",
     "@", "{baseDir}/", "${X}/", "<", ">", "#", "?", "%", "%20", "\\", "$ ", "python ", " > ",
     "<<EOF\n", "EOF", "'", '"', "\n", "\r\n", "[d]: ", "<img src=\"", "C:\\", "é", "😀", "\ud800",
     "\x00", "skills/demo/", "…", "*", "~/", " "),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_is_read_with_ranges_inside_it(body: str) -> None:
    text = HEAD + body
    for item in Skill(Text(text), None, folder("scripts/a.py")).references:
        for span in (item.span, item.path_span, item.anchor_span or item.span):
            assert len(HEAD) <= span.start <= span.end <= len(text)
        assert item.target is None or not item.target.startswith(("/", "../"))
