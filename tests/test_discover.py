"""Which files are found: names, hidden folders, .gitignore, excludes, links, arguments."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillgauge.config import Config, load_config
from skillgauge.discover import Walker, kind_of, walk_workspace
from skillgauge.errors import InputError
from skillgauge.project import Project

SKILL = "---\nname: a\ndescription: b\n---\n"


def write(root: Path, *names: str, text: str = SKILL) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "root"
    (made / ".git").mkdir(parents=True)
    monkeypatch.chdir(made)
    return made


def found(root: Path, *paths: str, **options: bool) -> list[str]:
    targets = Project(load_config).targets(paths or (str(root),), **options)
    return [Path(target.path).relative_to(root).as_posix() for target in targets]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a/SKILL.md", "skill"),
        ("a/skill.md", "skill"),
        ("a/SKILL.MD", "skill"),
        ("SKILL.md", "skill"),
        ("a/SKILL.mdx", None),
        ("a/MY-SKILL.md", None),
        ("a/evals/evals.json", "evals"),
        ("a/evals/evals.jsonl", "evals"),
        ("a/evals/evals.yaml", "evals"),
        ("a/evals/evals.yml", "evals"),
        ("a/evals/config.yaml", "evals"),
        ("a/evals/cases.json", None),
        ("a/evals.json", None),
    ],
)
def test_kind_of(path: str, kind: str | None) -> None:
    assert kind_of(os.path.join(os.sep, *path.split("/"))) == kind


def test_every_skill_is_found_in_a_fixed_order(root: Path) -> None:
    write(root, "b/SKILL.md", "a/SKILL.MD", "a/b/skill.md", ".claude/skills/x/SKILL.md", "SKILL.md")
    write(root, "b/README.md", "b/notes/skills.md")
    expected = [".claude/skills/x/SKILL.md", "SKILL.md", "a/SKILL.MD", "a/b/skill.md", "b/SKILL.md"]
    assert found(root) == expected


def test_evaluations_are_found_beside_a_skill_only(root: Path) -> None:
    write(root, "a/SKILL.md", "a/evals/evals.json", "a/evals/evals.yml", "b/evals/evals.json")
    assert found(root) == ["a/SKILL.md", "a/evals/evals.json", "a/evals/evals.yml"]


def test_folders_of_tools_are_passed_over(root: Path) -> None:
    write(root, "a/SKILL.md")
    for name in (".git", "node_modules", ".venv", "venv", "site-packages", "__pycache__"):
        write(root, f"{name}/x/SKILL.md", f"deep/{name}/x/SKILL.md")
    assert found(root) == ["a/SKILL.md"]


def test_gitignore_is_respected_with_nested_files_and_exceptions(root: Path) -> None:
    write(root, ".gitignore", text="/build/\n*.tmp/\nvendor/*\n!vendor/keep\n")
    write(root, "sub/.gitignore", text="# all\n*\n!*/\n!yes/**\n")
    write(root, "info/SKILL.md", "build/a/SKILL.md", "sub/build/SKILL.md", "x.tmp/SKILL.md")
    write(root, "vendor/lib/SKILL.md", "vendor/keep/SKILL.md")
    write(root, "sub/no/SKILL.md", "sub/yes/SKILL.md")
    (root / ".git/info").mkdir()
    write(root, ".git/info/exclude", text="info\n")
    assert found(root) == ["sub/yes/SKILL.md", "vendor/keep/SKILL.md"]


def test_gitignore_above_the_argument_counts(root: Path) -> None:
    write(root, ".gitignore", text="ignored\n")
    write(root, "a/b/ignored/SKILL.md", "a/b/c/SKILL.md")
    assert found(root, str(root / "a" / "b")) == ["a/b/c/SKILL.md"]


def test_what_is_named_is_checked_even_if_ignored(root: Path) -> None:
    write(root, ".gitignore", text="build\n")
    write(root, "skillgauge.toml", text='extend-exclude = ["old/**"]')
    write(root, "build/a/SKILL.md", "build/b/SKILL.md", "old/c/SKILL.md")
    named = ("build/a/SKILL.md", "build", "old/c")
    assert found(root, *named) == ["build/a/SKILL.md", "build/b/SKILL.md", "old/c/SKILL.md"]
    assert found(root, *named, force_exclude=True) == []
    assert found(root) == []


def test_excludes_of_the_configuration(root: Path) -> None:
    write(root, "a/SKILL.md", "b/SKILL.md", "c/d/SKILL.md", "node_modules/e/SKILL.md")
    write(root, "skillgauge.toml", text='extend-exclude = ["b", "/c/d"]')
    assert found(root) == ["a/SKILL.md"]
    write(root, "skillgauge.toml", text='exclude = ["a"]')
    assert found(root) == ["b/SKILL.md", "c/d/SKILL.md", "node_modules/e/SKILL.md"]
    write(root, "skillgauge.toml", text='extend-exclude = ["c/*", "!c/d"]')
    assert found(root) == ["a/SKILL.md", "b/SKILL.md", "c/d/SKILL.md"]


def test_excludes_of_a_nested_configuration_count_below_it(root: Path) -> None:
    write(root, "x/SKILL.md", "sub/x/SKILL.md", "sub/y/SKILL.md")
    write(root, "sub/skillgauge.toml", text='extend-exclude = ["x"]')
    expected = ["sub/y/SKILL.md", "x/SKILL.md"]
    assert found(root) == expected
    assert found(root, "sub", "x") == expected


needs_links = pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")


@needs_links
def test_links_are_followed_once_and_loops_end(root: Path) -> None:
    write(root, ".agents/skills/a/SKILL.md")
    (root / ".claude").mkdir()
    (root / ".claude/skills").symlink_to("../.agents/skills")
    (root / ".agents/skills/loop").symlink_to(root)
    assert found(root) == [".agents/skills/a/SKILL.md"]
    assert found(root, ".claude/skills") == [".claude/skills/a/SKILL.md"]
    (root / ".claude/skills").unlink()
    (root / ".claude/skills").mkdir()
    (root / ".claude/skills/a").symlink_to("../../.agents/skills/a")
    assert found(root, ".claude/skills") == [".claude/skills/a/SKILL.md"]


@needs_links
def test_links_out_of_the_project_lead_to_skills_only(root: Path) -> None:
    outside = root.parent / "outside"
    write(outside, "skill/SKILL.md", "skill/more/SKILL.md", "collection/b/SKILL.md")
    (root / "skills").mkdir()
    (root / "skills/one").symlink_to(outside / "skill")
    (root / "skills/all").symlink_to(outside)
    assert found(root) == ["skills/one/SKILL.md"]


def test_globs(root: Path) -> None:
    write(root, "skills/a/SKILL.md", "skills/b/SKILL.md", "skills/README.md", ".hidden/c/SKILL.md")
    assert found(root, "skills/*/SKILL.md") == ["skills/a/SKILL.md", "skills/b/SKILL.md"]
    assert found(root, "skills/*") == ["skills/a/SKILL.md", "skills/b/SKILL.md"]
    assert found(root, ".h*/**/*.md") == [".hidden/c/SKILL.md"]
    assert found(root, "*/[c]/SKILL.md") == [".hidden/c/SKILL.md"]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("nowhere", "“nowhere” does not exist. Name a skill's folder or a SKILL.md"),
        ("nowhere/*.md", "No skill matches “nowhere/*.md”"),
        ("a.py", "“a.py” is neither a skill nor an evaluation file. Name a folder, a Markdown"
         " file, or one of *.json, *.jsonl, *.yaml, *.yml"),
    ],
)  # fmt: skip
def test_wrong_arguments(root: Path, argument: str, message: str) -> None:
    write(root, "a.py")
    with pytest.raises(InputError) as raised:
        found(root, argument)
    assert str(raised.value) == message


def test_other_markdown_is_a_skill_when_it_is_named(root: Path) -> None:
    write(root, "draft.md", "cases.json")
    assert found(root, "draft.md", "cases.json") == ["cases.json", "draft.md"]
    assert found(root) == []


def test_the_neighbours_are_those_of_the_project_however_it_is_called(root: Path) -> None:
    write(root, "a/SKILL.md", "b/c/SKILL.md", "b/evals/evals.json")
    absolute = str(root / "a")
    for arguments in (["."], ["a"], ["a/SKILL.md"], ["b/c/SKILL.md"], ["b", "a"], [absolute]):
        project = Project(load_config)
        roots = {target.root for target in project.targets(arguments)}
        assert roots == {str(root)}
        assert project.neighbours(str(root)) == [
            str(root / "a/SKILL.md"),
            str(root / "b/c/SKILL.md"),
        ]


def test_without_a_repository_the_folder_of_the_skills_is_the_project(tmp_path: Path) -> None:
    write(tmp_path, "skills/a/SKILL.md", "skills/b/SKILL.md", "other/c/SKILL.md")
    project = Project(load_config)
    target = project.targets([str(tmp_path / "skills/a/SKILL.md")])[0]
    assert target.root == str(tmp_path / "skills")
    assert len(project.neighbours(target.root)) == 2
    both = [str(tmp_path / "skills/a/SKILL.md"), str(tmp_path)]
    for arguments in (both, both[::-1]):
        project = Project(load_config)
        assert {target.root for target in project.targets(arguments)} == {str(tmp_path)}


def test_the_folder_of_the_configuration_is_the_project(root: Path) -> None:
    write(root, "pkg/skillgauge.toml", text="")
    write(root, "pkg/a/SKILL.md", "b/SKILL.md")
    roots = [target.root for target in Project(load_config).targets(["."])]
    assert roots == [str(root), str(root / "pkg")]


def test_workspace_in_steps(root: Path) -> None:
    write(root, "b/SKILL.md", "a/SKILL.md", "node_modules/c/SKILL.md")
    steps = list(walk_workspace(root, Config.default(root)))
    assert steps[-1] is not None
    assert [summary.path for summary in steps[-1].skills] == [
        root / "a/SKILL.md",
        root / "b/SKILL.md",
    ]
    assert steps[:-1] == [None] * 5  # three folders, two files


def test_a_limit_ends_the_walk(root: Path) -> None:
    write(root, *(f"{index}/SKILL.md" for index in range(9)))
    walker = Walker(lambda folder: Config.default(root), limit=4)
    assert sum(item is not None for item in walker.walk(str(root), str(root))) == 3


PARTS = st.sampled_from(["a", "b", "c.d"])
NAMES = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
WORDS = st.sampled_from(["a", "b", "*", "c.*", "?", "**"])
PATTERN = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/", "**/"]),
    st.lists(st.sampled_from(["a", "b", "*", "c.*", "?", "**"]), min_size=1, max_size=3).map(
        "/".join
    ),
    st.sampled_from(["", "/"]),
)


@settings(max_examples=25, deadline=None)
@given(
    folders=st.lists(NAMES, min_size=1, max_size=6, unique=True),
    outer=st.lists(PATTERN, max_size=4),
    inner=st.lists(PATTERN, max_size=3),
)
def test_git_sees_the_same_files(
    tmp_path_factory: pytest.TempPathFactory, folders: list[str], outer: list[str], inner: list[str]
) -> None:
    root = tmp_path_factory.mktemp("git")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    write(root, *(f"{folder}/SKILL.md" for folder in folders))
    write(root, ".gitignore", text="\n".join(outer) + "\n")
    write(root, "a/.gitignore", text="\n".join(inner) + "\n")
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "*SKILL.md"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    assert sorted(found(root)) == sorted(filter(None, listed))
