"""The configuration: where it is found, what it means, and where its faults are said to stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillgauge import docs, rules
from skillgauge.config import Config, Layer, config_faults, find_config, load_config, settings_of
from skillgauge.config_model import ConfigModel, OverrideModel
from skillgauge.errors import ConfigError, UserError
from skillgauge.rule import Rule, Severity
from skillgauge.toml_places import read_places


def make_rule(code: str, name: str, severity: Severity | None) -> Rule:
    severities = {"strict": severity or Severity.INFO, "spec": Severity.ERROR}
    if severity:
        severities["default"] = severity
    return Rule(
        code, name, lambda document: (), "Finds.", "m", severities, "skill", None, frozenset(), None
    )


RULES = (
    make_rule("F001", "no-frontmatter", Severity.ERROR),
    make_rule("F011", "bare-colon", Severity.ERROR),
    make_rule("F012", "tab-indent", Severity.WARNING),
    make_rule("D001", "no-trigger", None),
    make_rule("D002", "vague-word", Severity.HINT),
)


@pytest.fixture
def few_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings_of.cache_clear()
    monkeypatch.setattr(rules, "all_rules", lambda: RULES)
    yield
    settings_of.cache_clear()


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def faults(folder: Path, text: str, name: str = "skillgauge.toml") -> list[str]:
    path = write(folder / name, text)
    return [str(fault).removeprefix(f"{path}:") for fault in config_faults(path)]


# --- finding -------------------------------------------------------------------------------------


def test_nearest_file_upwards_is_found(tmp_path: Path) -> None:
    outer = write(tmp_path / "skillgauge.toml", "")
    inner = write(tmp_path / "a" / "skillgauge.toml", "")
    skill = write(tmp_path / "a" / "b" / "SKILL.md", "")
    assert find_config(skill) == inner
    assert find_config(skill.parent) == inner
    assert find_config(tmp_path) == outer


def test_search_ends_at_the_repository(tmp_path: Path) -> None:
    write(tmp_path / "skillgauge.toml", "")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert find_config(tmp_path / "repo" / "SKILL.md") is None
    own = write(tmp_path / "repo" / "skillgauge.toml", "")
    assert find_config(tmp_path / "repo" / "SKILL.md") == own


def test_pyproject_counts_only_with_our_table(tmp_path: Path) -> None:
    outer = write(tmp_path / "pyproject.toml", "[tool.skillgauge]\nprofile = 'spec'\n")
    write(tmp_path / "a" / "pyproject.toml", "[project]\ndependencies = ['skillgauge']\n")
    assert find_config(tmp_path / "a") == outer
    assert load_config(outer).profile == "spec"
    write(tmp_path / "a" / "pyproject.toml", "[tool.skillgauge]\nbroken = [\n")
    assert find_config(tmp_path / "a") == tmp_path / "a" / "pyproject.toml"


def test_own_file_wins_over_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.skillgauge]\n")
    own = write(tmp_path / "skillgauge.toml", "")
    assert find_config(tmp_path) == own


# --- reading -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few_rules")
def test_all_keys_are_read(tmp_path: Path) -> None:
    path = write(
        tmp_path / "skillgauge.toml",
        """
        profile = "strict"
        select = ["F"]
        extend-select = ["D002"]
        ignore = ["F012"]
        clients = ["claude-code"]
        exclude = ["a"]
        extend-exclude = ["b/*"]
        fail-on = "warning"
        baseline = "known.json"
        jobs = 3
        cache = false
        [severity]
        F011 = "hint"
        [[overrides]]
        paths = ["drafts/**"]
        profile = "spec"
        """,
    )
    assert load_config(path) == Config(
        path=path,
        root=tmp_path,
        base=Layer("strict", ("F",), ("D002",), ("F012",), (("F011", "hint"),)),
        overrides=(Layer("spec", paths=("drafts/**",)),),
        clients=("claude-code",),
        exclude=("a",),
        extend_exclude=("b/*",),
        fail_on="warning",
        baseline="known.json",
        jobs=3,
        cache=False,
    )


def test_empty_file_is_the_default_with_a_path(tmp_path: Path) -> None:
    path = write(tmp_path / "skillgauge.toml", "\ufeff")
    config = load_config(path)
    assert config.path == path
    assert config.layers(None) == Config.default(tmp_path).layers(None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('profil = "x"', "1:1: unknown key “profil”. Did you mean “profile”?"),
        ('\n\nprofile = "strikt"', "3:11: “profile” is one of default, spec, aces, strict, not"
         " “strikt”. Did you mean “strict”?"),
        ('select = ["F",\n  "bare-colons"]', "2:3: no rule is called “bare-colons”. Did you mean"
         " “bare-colon”?"),
        ('ignore = "F"', "1:10: “ignore” must be a list, not a string"),
        ('ignore = {F = 1}', "1:10: “ignore” must be a list, not a table"),
        ("severity = []", "1:12: “severity” must be a table, not a list"),
        ('overrides = {paths = ["a"]}', "1:13: “overrides” must be a list, not a table"),
        ("jobs = 0", "1:8: “jobs” must be at least 1, not 0"),
        ('cache = "no"', "1:9: “cache” must be true or false, not a string"),
        ('clients = ["claude-cod"]', "1:12: no client is called “claude-cod”. Did you mean"
         " “claude-code”?"),
        ('[severity]\nF011 = "eror"', "2:8: “F011” is one of error, warning, info, hint, off, not"
         " “eror”. Did you mean “error”?"),
        ('[severity]\n"F 9" = "off"', "2:1: no rule is called “F 9”"),
        ("[[overrides]]\npaths = ['a']\n[[overrides]]\nignore = ['F']", "3:1: this override lacks"
         " “paths”. It says which files it is for"),
        ("[[overrides]]\npaths = []", "2:9: “paths” must not be empty"),
        ("[[overrides]]\npath = ['a']\npaths = ['b']", "2:1: unknown key “path”. Did you mean"
         " “paths”?"),
        ("a = 1\na = 2", "2:1: this is not TOML: Cannot overwrite a value"),
        ("a = [", "1:1: this is not TOML: Invalid value"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("few_rules")
def test_a_fault_is_said_with_its_place(tmp_path: Path, text: str, expected: str) -> None:
    found = faults(tmp_path, text)
    assert found == [expected]


@pytest.mark.usefixtures("few_rules")
def test_all_faults_are_reported_in_order(tmp_path: Path) -> None:
    found = faults(tmp_path, 'jobs = "2"\nfoo = 1\nprofile = 3\n')
    assert [fault.partition(" ")[0] for fault in found] == ["1:8:", "2:1:", "3:11:"]
    with pytest.raises(ConfigError) as raised:
        load_config(tmp_path / "skillgauge.toml")
    assert (raised.value.line, raised.value.column) == (1, 8)


@pytest.mark.usefixtures("few_rules")
def test_faults_in_pyproject_have_their_place(tmp_path: Path) -> None:
    text = '[project]\nname = "x"\n[tool.skillgauge]\nselect = ["Q"]\n'
    assert faults(tmp_path, text, "pyproject.toml") == ["4:11: no rule is called “Q”"]
    text = "tool = {skillgauge = 3}"
    assert faults(tmp_path, text, "pyproject.toml") == [
        "1:22: “skillgauge” must be a table, not a number"
    ]


def test_bytes_that_are_not_utf8_have_their_place(tmp_path: Path) -> None:
    path = tmp_path / "skillgauge.toml"
    path.write_bytes(b"# caf\xc3\xa9\n# \xc3\xa9\xff\n")
    fault = config_faults(path)[0]
    assert (fault.line, fault.column, fault.what) == (2, 4, "this byte is not UTF-8")


def test_missing_file_is_a_fault(tmp_path: Path) -> None:
    assert "no such file" in str(config_faults(tmp_path / "skillgauge.toml")[0])


def test_places_of_every_kind_of_toml() -> None:
    text = (
        '"a b" = [ # [\n  1, "]", [2]]\nx.y = {z = "}", w = """\n"}"""}\n'
        '[[t]]\nk = 1979-05-27 07:32:00\n[t."u"]\n[[t]]\nk = 1\n'
    )
    found = {keys: text[place.key : place.key + 3] for keys, place in read_places(text).items()}
    assert found == {
        ("a b",): '"a ',
        ("a b", 0): "1, ",
        ("a b", 1): '"]"',
        ("a b", 2): "[2]",
        ("a b", 2, 0): "2]]",
        ("x",): "x.y",
        ("x", "y"): "y =",
        ("x", "y", "z"): "z =",
        ("x", "y", "w"): "w =",
        ("t",): "t]]",
        ("t", 0): "[[t",
        ("t", 0, "k"): "k =",
        ("t", 0, "u"): '"u"',
        ("t", 1): "[[t",
        ("t", 1, "k"): "k =",
    }


# --- meaning -------------------------------------------------------------------------------------


def levels(*layers: Layer) -> dict[str, str]:
    found = settings_of((Layer(), *layers)).severities
    return {code: severity.label for code, severity in found.items()}


DEFAULT = {"F001": "error", "F011": "error", "F012": "warning", "D002": "hint"}
SOME_F = {"F001": "error", "F012": "warning"}


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (Layer(), DEFAULT),
        (Layer("spec"), dict.fromkeys(["F001", "F011", "F012", "D001", "D002"], "error")),
        (Layer("strict"), {**DEFAULT, "D001": "info"}),
        (Layer(select=("D",)), {"D001": "info", "D002": "hint"}),
        (Layer(select=("F01",)), {"F011": "error", "F012": "warning"}),
        (Layer(select=("vague-word", "F001")), {"D002": "hint", "F001": "error"}),
        (Layer(select=()), {}),
        (Layer(extend_select=("all",)), {**DEFAULT, "D001": "info"}),
        (Layer(ignore=("F",)), {"D002": "hint"}),
        (Layer(ignore=("all",)), {}),
        (Layer(extend_select=("F011",), ignore=("F",)), {"D002": "hint", "F011": "error"}),
        (Layer(extend_select=("F",), ignore=("bare-colon",)), {**SOME_F, "D002": "hint"}),
        (Layer(extend_select=("D001",), ignore=("D001",)), DEFAULT),
        (Layer(severity=(("D001", "warning"),)), {**DEFAULT, "D001": "warning"}),
        (Layer(severity=(("D", "error"),)), {**DEFAULT, "D002": "error"}),
        (
            Layer(severity=(("F011", "info"), ("F", "hint"))),
            {**dict.fromkeys(DEFAULT, "hint"), "F011": "info"},
        ),
        (Layer(severity=(("F", "off"), ("F012", "error"))), {"F012": "error", "D002": "hint"}),
        (Layer(select=("F",), severity=(("D002", "error"),)), {**SOME_F, "F011": "error"}),
    ],
)
@pytest.mark.usefixtures("few_rules")
def test_layer(layer: Layer, expected: dict[str, str]) -> None:
    assert levels(layer) == expected


@pytest.mark.usefixtures("few_rules")
def test_later_layers_win() -> None:
    first = Layer(ignore=("F011",), severity=(("F012", "error"),))
    assert levels(first, Layer(select=("F01",))) == {"F011": "error", "F012": "error"}
    assert levels(first, Layer("spec", ignore=("D",))) == {"F001": "error", "F012": "error"}
    assert levels(Layer("strict"), Layer(profile="spec")) == levels(Layer("spec"))


@pytest.mark.usefixtures("few_rules")
def test_overrides_are_relative_to_the_file_and_not_to_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(
        tmp_path / "skillgauge.toml",
        '[[overrides]]\npaths = ["drafts/**", "*.old.md"]\nselect = ["F001"]\n'
        '[[overrides]]\npaths = ["/drafts/keep/"]\nextend-select = ["D001"]\n',
    )
    config = load_config(path)

    def codes(name: str) -> set[str]:
        return set(config.settings(Path(name)).severities)

    assert codes(str(tmp_path / "drafts" / "a" / "SKILL.md")) == {"F001"}
    assert codes(str(tmp_path / "drafts" / "keep" / "SKILL.md")) == {"F001", "D001"}
    assert codes(str(tmp_path / "x" / "a.old.md")) == {"F001"}
    assert codes(str(tmp_path / "x" / "SKILL.md")) == set(DEFAULT)
    assert codes(str(tmp_path.parent / "drafts" / "SKILL.md")) == set(DEFAULT)
    (tmp_path / "drafts").mkdir()
    monkeypatch.chdir(tmp_path / "drafts")
    assert codes("SKILL.md") == {"F001"}
    assert config.settings(None).severities.keys() == DEFAULT.keys()


@pytest.mark.usefixtures("few_rules")
def test_command_line_wins_over_everything(tmp_path: Path) -> None:
    path = write(
        tmp_path / "skillgauge.toml",
        'profile = "strict"\nignore = ["F011"]\n'
        '[[overrides]]\npaths = ["*"]\nprofile = "spec"\nignore = ["D"]\n',
    )
    config = load_config(path).with_cli(select=["F011", "D002"], profile="default")
    assert config.profile == "default"
    found = config.settings(tmp_path / "SKILL.md").severities
    assert found == {"F011": Severity.ERROR, "D002": Severity.HINT}


@pytest.mark.usefixtures("few_rules")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"select": ["F0111"]}, "No rule is called “F0111”. Did you mean “F011”?"),
        ({"ignore": ["tab_indent"]}, "No rule is called “tab_indent”. Did you mean “tab-indent”?"),
        ({"extend_select": ["zzzz"]}, "No rule is called “zzzz”"),
        ({"profile": "aced"}, "There is no profile “aced”. Did you mean “aces”?"),
        ({"clients": ["codx"]}, "No client is called “codx”. Did you mean “codex”?"),
    ],
)
def test_wrong_command_line(tmp_path: Path, options: dict[str, list[str]], message: str) -> None:
    with pytest.raises(UserError) as raised:
        Config.default(tmp_path).with_cli(**options)  # pyright: ignore[reportArgumentType]
    assert str(raised.value) == message


def test_clients_are_the_configured_or_the_guessed_ones(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    assert Config.default(tmp_path).client_ids() == ("claude-code",)
    path = write(tmp_path / "skillgauge.toml", 'clients = ["codex", "cursor"]')
    assert load_config(path).client_ids() == ("codex", "cursor")


# --- the schema ----------------------------------------------------------------------------------


def test_schema_is_not_stale() -> None:
    path = docs.ROOT / "docs" / "skillgauge.schema.json"
    assert path not in docs.stale(), "run `make docs`"


def test_schema_has_every_key_with_its_meaning() -> None:
    path = docs.ROOT / "docs" / "skillgauge.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    owners = ((schema, ConfigModel), (schema["definitions"]["OverrideModel"], OverrideModel))
    for owner, model in owners:
        assert set(owner["properties"]) == {field.alias for field in model.model_fields.values()}
        assert all(value["description"] for value in owner["properties"].values())
        assert owner["additionalProperties"] is False


def test_every_key_is_documented() -> None:
    text = (docs.ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    for model in (ConfigModel, OverrideModel):
        for field in model.model_fields.values():
            assert f"`{field.alias}`" in text
