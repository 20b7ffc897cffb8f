"""Streams in any pieces: what is counted does not depend on where they are cut."""

from __future__ import annotations

import itertools
import json
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillgauge.lift.gateway import sse
from skillgauge.lift.gateway.dialects import speech
from skillgauge.lift.gateway.sse import DONE, Events, Withheld
from skillgauge.lift.gateway.watch import Watch
from skillgauge.lift.harnesses import Dialect
from skillgauge.lift.prices import Counts
from tests.lift.gateway_kit import ALL
from tests.lift.model_server import anthropic, chat, gemini, responses
from tests.lift.model_server.shapes import Said, encode

MODULES: dict[Dialect, ModuleType] = {
    "anthropic": anthropic,
    "responses": responses,
    "chat": chat,
    "gemini": gemini,
}
SAID = Said("Größe: “drei” ✓\r\nand more", (("bash", {"command": "ls\n"}),), (70, 9, 30), "m")
ASKED: Any = {"stream": True, "stream_options": {"include_usage": True}}


def pieces(raw: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(raw), *(cut % (len(raw) + 1) for cut in cuts)})
    return [raw[a:b] for a, b in itertools.pairwise(places)]


CUTS = st.lists(st.integers(0, 10_000), max_size=60)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])


@pytest.mark.parametrize("dialect", ALL)
@given(cuts=CUTS, end=ENDS)
def test_usage_of_a_stream_in_any_pieces(dialect: Dialect, cuts: list[int], end: bytes) -> None:
    events = MODULES[dialect].events(ASKED, SAID)
    raw = b"".join(map(encode, events)).replace(b"\n", end)
    watch = Watch(speech(dialect), "text/event-stream")
    for piece in pieces(raw, cuts):
        watch.feed(piece)
    watch.end()
    assert watch.is_complete
    assert watch.counts == Counts(70, 9, 30, 0)
    assert watch.error == ""


@pytest.mark.parametrize("dialect", ALL)
@given(cuts=CUTS)
def test_usage_of_a_whole_answer_in_any_pieces(dialect: Dialect, cuts: list[int]) -> None:
    raw = json.dumps(MODULES[dialect].whole({}, SAID)).encode()
    watch = Watch(speech(dialect), "application/json")
    for piece in pieces(raw, cuts):
        watch.feed(piece)
    assert not watch.is_complete
    watch.end()
    assert watch.is_complete
    assert watch.counts == Counts(70, 9, 30, 0)


@pytest.mark.parametrize("dialect", ALL)
@given(raw=st.binary(max_size=300), cuts=CUTS)
def test_nothing_that_is_sent_breaks_it(dialect: Dialect, raw: bytes, cuts: list[int]) -> None:
    for kind in ("text/event-stream", "application/json"):
        watch = Watch(speech(dialect), kind)
        for piece in pieces(raw, cuts):
            watch.feed(piece)
        watch.end()
        assert watch.counts is None


KEYS = """type usage message response error tools input choices source messages contents parts
    usageMetadata input_tokens content prompt_tokens promptTokenCount candidates
    functionDeclarations fileData image_url"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                KEYS.split(),
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("dialect", ALL)
@given(said=st.dictionaries(st.sampled_from(["type", "usage", "tools", "input"]), JSON) | JSON)
def test_no_json_breaks_a_dialect(dialect: Dialect, said: Any) -> None:
    spoken = speech(dialect)
    if not isinstance(said, dict):
        return
    usage = spoken.usage(said)
    counts = spoken.counts(usage)
    assert counts is None or min(counts) >= 0
    assert isinstance(spoken.error(said), str)
    assert isinstance(spoken.ends(said), bool)
    assert isinstance(spoken.offers_tools(said), bool)
    kept, removed = spoken.confine(said)
    assert (kept is said) == (removed == [])
    assert isinstance(spoken.is_remote(said), bool)
    assert spoken.confine(kept)[1] == []


@given(cuts=CUTS)
def test_the_usage_is_withheld_in_any_pieces(cuts: list[int]) -> None:
    events = list(map(encode, chat.events(ASKED, SAID)))
    raw = b"".join(events)
    [told] = [event for event in events if b'"usage"' in event]
    held = Withheld()
    passed = b"".join(held.feed(piece) for piece in pieces(raw, cuts)) + held.end()
    assert passed == raw.replace(told, b"")


def test_events() -> None:
    raw = (
        b': hi\nevent: a\ndata: {"a":\ndata: 1}\n\ndata:[2]\nid: 7\n\nretry: 3\n\ndata: [DONE]\n\n'
    )
    assert Events().feed(raw) == [{"a": 1}, [2], DONE]
    last = Events()
    assert last.feed(b"data: {}\n\ndata: 1") == [{}]
    assert last.end() == [1]
    assert Events().feed(b"data: {not json}\n\ndata: 2\n\n") == [2]
    assert Events().feed(b"data: " + b"[" * 100_000 + b"\n\ndata: 2\n\n") == [2]


def test_an_event_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT", 100)
    events = Events()
    found: list[Any] = []
    for _ in range(50):
        found += events.feed(b"data: " + b"x" * 50)
    assert found == []
    assert events.feed(b"\n\ndata: 3\n\n") == [3]
    held = Withheld()
    assert held.feed(b"y" * 101) == b"y" * 101


@pytest.mark.parametrize(
    ("dialect", "said", "wanted"),
    [
        (
            "anthropic",
            {
                "usage": {
                    "input_tokens": 5,
                    "cache_creation_input_tokens": 20,
                    "cache_read_input_tokens": 300,
                    "output_tokens": 7,
                }
            },
            Counts(325, 7, 300, 20),
        ),
        (
            "gemini",
            {
                "usageMetadata": {
                    "promptTokenCount": 50,
                    "toolUsePromptTokenCount": 5,
                    "candidatesTokenCount": 7,
                    "thoughtsTokenCount": 100,
                    "cachedContentTokenCount": 40,
                }
            },
            Counts(55, 107, 40),
        ),
        (
            "chat",
            {"usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}},
            Counts(9, 2, 4),
        ),
        ("responses", {"usage": {"input_tokens": 9, "output_tokens": None}}, Counts(9, 0)),
        ("chat", {"usage": {"total_tokens": 9}}, None),
        ("anthropic", {"usage": {"input_tokens": True, "output_tokens": -4}}, Counts(0, 0)),
    ],
)
def test_counts(dialect: Dialect, said: Any, wanted: Counts | None) -> None:
    spoken = speech(dialect)
    assert spoken.counts(spoken.usage(said)) == wanted


def test_anthropics_last_word_counts_and_its_first_stays() -> None:
    events = [
        {"type": "message_start", "message": {"usage": {"input_tokens": 9, "output_tokens": 1}}},
        {"type": "message_delta", "usage": {"output_tokens": 55, "input_tokens": None}},
        {"type": "message_stop"},
    ]
    watch = Watch(speech("anthropic"), "text/event-stream")
    for event in events:
        watch.feed(encode(("", event)))
    assert watch.counts == Counts(9, 55)


def test_gemini_streams_an_array_if_no_events_are_asked_for() -> None:
    raw = json.dumps([data for _, data in gemini.events({}, SAID)]).encode()
    watch = Watch(speech("gemini"), "application/json")
    watch.feed(raw)
    watch.end()
    assert watch.counts == Counts(70, 9, 30)
