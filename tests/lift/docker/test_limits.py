"""What a job may use, one limit after the other, in real containers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from skillgauge.lift.engines import Engine, Job, Mount
from skillgauge.lift.engines.user import agent_ids

from .conftest import Jobs

GROW = "x=x; while :; do x=$x$x; done"
"""Takes twice the memory again and again."""


async def test_how_it_ends_and_what_it_says(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job("echo out; echo wrong >&2; sleep 1; exit 3"))
    assert (ended.exit_code, ended.reason) == (3, "exit")
    assert (ended.stdout, ended.stderr) == (b"out\n", b"wrong\n")
    assert 0.5 <= ended.seconds < 10  # a busy engine notes the start late
    assert not ended.out_of_memory


async def test_words_and_environment_are_the_jobs(engine: Engine, job: Jobs) -> None:
    given = job("")
    words = ("/bin/sh", "-c", 'printf "%s|" "$@" "$A"; pwd', "x", "a b", "", "*")
    made = Job(given.run, "t", given.image, words, "/workspace", {"A": "ü\nb"}, limits=given.limits)
    assert (await engine.run(made)).stdout.decode() == "a b||*|ü\nb|/workspace\n"


async def test_memory(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job(f"exec sh -c '{GROW}'", memory_mb=32))
    assert (ended.exit_code, ended.reason) == (137, "memory")
    assert ended.out_of_memory


async def test_memory_of_a_child_alone(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job(f"sh -c '{GROW}'; echo went on", memory_mb=32))
    assert (ended.exit_code, ended.reason, ended.stdout) == (0, "exit", b"went on\n")
    assert ended.out_of_memory


async def test_there_is_no_swap_beside_memory(engine: Engine, job: Jobs) -> None:
    line = "cat /sys/fs/cgroup/memory/memory.memsw.limit_in_bytes /sys/fs/cgroup/memory.swap.max"
    ended = await engine.run(job(f"{line} 2>/dev/null", memory_mb=64))
    assert ended.stdout in (b"%d\n" % (64 << 20), b"0\n", b"")


async def test_processes(engine: Engine, job: Jobs) -> None:
    line = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 9 & done; echo $i"
    ended = await engine.run(job(line, pids=10, seconds=20))
    assert b"can't fork" in ended.stderr
    assert ended.stdout == b""
    assert (await engine.run(job(line, pids=40))).stdout == b"20\n"


async def test_processors(engine: Engine, job: Jobs) -> None:
    line = "cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us 2>/dev/null"
    assert (await engine.run(job(line, cpus=0.5))).stdout.split()[0] == b"50000"


async def test_time(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job("trap 'echo noted; exit' TERM; while :; do :; done", seconds=0.5))
    assert (ended.exit_code, ended.reason) == (None, "timeout")
    assert ended.stdout == b"noted\n"


async def test_time_of_one_that_does_not_listen(engine: Engine, job: Jobs) -> None:
    begun = time.monotonic()
    ended = await engine.run(job("trap '' TERM; echo on; while :; do :; done", seconds=0.5))
    assert (ended.exit_code, ended.reason, ended.stdout) == (None, "timeout", b"on\n")
    assert ended.seconds >= 2
    assert time.monotonic() - begun < 20


async def test_output(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job("echo first; yes; echo last", output_bytes=100_000))
    assert (ended.exit_code, ended.reason) == (None, "output")
    assert ended.stdout == b"first\n" + b"y\n" * 49_997
    assert ended.seconds < 20


async def test_output_and_errors_count_together(engine: Engine, job: Jobs) -> None:
    line = "head -c 600 /dev/zero; head -c 600 /dev/zero >&2; sleep 30"
    ended = await engine.run(job(line, output_bytes=1000))
    assert ended.reason == "output"
    assert len(ended.stdout) + len(ended.stderr) == 1000
    exactly = await engine.run(
        job("head -c 600 /dev/zero; head -c 400 /dev/zero >&2", output_bytes=1000)
    )
    assert (exactly.reason, exactly.exit_code) == ("exit", 0)


async def test_the_root_is_read_only_and_tmp_is_small(engine: Engine, job: Jobs) -> None:
    line = (
        "for place in / /bin /etc /home /root /opt /run /usr /dev /sys /proc /opt; do"
        " echo x 2>/dev/null > $place/new && echo written: $place; done;"
        " printf '#!/bin/sh\\necho runs\\n' > /tmp/a; chmod +x /tmp/a; /tmp/a;"
        " head -c 3000000 /dev/zero > /tmp/b || echo full; wc -c < /tmp/b"
    )
    ended = await engine.run(job(line, tmp_mb=2))
    assert ended.stdout.split()[:2] == [b"runs", b"full"]
    assert int(ended.stdout.split()[2]) <= 2 << 20


async def test_size_of_files(engine: Engine, job: Jobs, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    line = "head -c 3000000 /dev/zero > /workspace/big; echo $?"
    ended = await engine.run(job(line, Mount(tmp_path, "/workspace", writable=True), file_mb=1))
    assert ended.stdout != b"0\n"
    assert (tmp_path / "big").stat().st_size == 1 << 20


async def test_open_files(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job("ulimit -n; ulimit -c", open_files=77))
    assert ended.stdout == b"77\n0\n"


async def test_user_and_rights(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job("id -u; id -g; grep -E '^(Cap|NoNew|Seccomp:)' /proc/self/status"))
    user, group, *rights = ended.stdout.decode().split("\n")
    assert (int(user), int(group)) == agent_ids()
    assert int(user) != 0
    found = dict(line.split(":\t") for line in rights if line)
    assert {
        name: value for name, value in found.items() if name.startswith("Cap")
    } == dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), "0000000000000000")
    assert (found["NoNewPrivs"], found["Seccomp"]) == ("1", "2")


async def test_files_belong_to_the_user(engine: Engine, job: Jobs, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "in").write_text("given")
    (tmp_path / "out").mkdir()
    (tmp_path / "out").chmod(0o777)
    ended = await engine.run(
        job(
            "cat /in/in; echo made > /out/file; echo x > /in/new || echo refused",
            Mount(tmp_path, "/in"),
            Mount(tmp_path / "out", "/out", writable=True),
        )
    )
    assert ended.stdout == b"givenrefused\n"
    made = (tmp_path / "out/file").stat()
    assert (made.st_uid, made.st_gid) == agent_ids()


async def test_no_network_but_loopback(engine: Engine, job: Jobs) -> None:
    ended = await engine.run(job("ls /sys/class/net; ip route; ip -o addr | wc -l"))
    assert ended.stdout.split() in ([b"lo", b"1"], [b"lo", b"2"])  # with or without ::1


async def test_children_are_reaped(engine: Engine, job: Jobs) -> None:
    line = "(sh -c 'exit 0' &) ; (sh -c 'exit 0' &); sleep 0.5; ps -o stat | grep -c Z; ps -o args"
    ended = await engine.run(job(line))
    assert ended.stdout.startswith(b"0\n")
    assert b"docker-init" in ended.stdout or b"/sbin/docker-init" in ended.stdout


@pytest.mark.parametrize("line", ["exec /no/such", "kill -9 $$", "sh -c 'kill -9 $$'; exit 5"])
async def test_odd_ends(engine: Engine, job: Jobs, line: str) -> None:
    wanted = {"exec /no/such": 127, "kill -9 $$": 137}.get(line, 5)
    ended = await engine.run(job(line))
    assert (ended.exit_code, ended.reason) == (wanted, "exit")
