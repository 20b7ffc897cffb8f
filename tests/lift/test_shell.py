"""Shell scripts: what is a command, and what only looks like one."""

from __future__ import annotations

import pytest

from skillgauge.lift.shell import is_fork_bomb, parse


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ("echo 'rm -rf /' # rm -rf /", ["echo"]),
        ("ls && cd /a; pwd | wc -l", ["ls", "cd", "pwd", "wc"]),
        ("cat <<'EOF' > f.txt\nrm -rf /\nEOF\n", ["cat"]),
        ("bash <<'EOF'\nrm -rf x\nEOF\n", ["bash", "rm"]),
        ("bash -lc 'rm -rf ~'", ["bash", "rm"]),
        ("sudo -u me env A=1 timeout 5 /usr/bin/rm x", ["rm"]),
        ("eval \"rm x\"", ["eval", "rm"]),
        ("echo $(cat a) `id`", ["echo", "cat", "id"]),
        ("for f in *; do rm $f; done", ["rm"]),
        ("find . | xargs -n 1 rm -f", ["find", "rm"]),
        ("command -v jq", ["command"]),
        ("if [ -f x ]; then cat x; fi", ["cat"]),
        ("ls (((", ["ls"]),
        ("", []),
    ],
)  # fmt: skip
def test_commands(script: str, names: list[str]) -> None:
    assert [command.name for command in parse(script)] == names


def test_words_without_quotes() -> None:
    (command,) = parse("""/bin/rm -rf "$HOME/my dir" 'it''s' a\\ b "$X/y" """)
    assert command.name == "rm"
    assert command.program == "/bin/rm"
    assert command.arguments == ("-rf", "~/my dir", "its", "a b", "$X/y")
    assert command.options() == {"-r", "-f"}
    assert command.operands() == ["~/my dir", "its", "a b", "$X/y"]


def test_redirects_and_pipes() -> None:
    first, second = parse("cat a.txt | tee -a log.txt >> ~/.bashrc 2>&1")
    assert first.pipeline == second.pipeline
    assert [(r.operator, r.target) for r in second.redirects] == [(">>", "~/.bashrc")]
    assert first.redirects == ()


def test_here_string_is_input() -> None:
    (command,) = parse("python - <<< 'print(1)'")
    assert command.input == "print(1)"


def test_fork_bomb() -> None:
    assert is_fork_bomb(":(){ :|:& };:")
    assert not is_fork_bomb("f(){ echo f; }; f | f")


@pytest.mark.parametrize("script", ["'", "$((", "a" * 300_000, "\0\ud800", "<<EOF"])
def test_never_raises(script: str) -> None:
    parse(script)
    is_fork_bomb(script)
