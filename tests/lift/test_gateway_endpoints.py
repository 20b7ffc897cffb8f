"""Where the models are: from the environment, with a word on what is missing in it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from skillgauge.errors import UserError
from skillgauge.lift.gateway import Budget, Endpoint, check_prices, endpoints_from, secrets_of
from skillgauge.lift.gateway.policy import address, returned_headers, sent_headers, target_of
from skillgauge.lift.harnesses import Dialect
from skillgauge.lift.prices import own_prices
from tests.lift.gateway_kit import ALL


def test_keys_and_their_headers() -> None:
    environ = {
        "ANTHROPIC_API_KEY": " k-anthropic\n",
        "OPENAI_API_KEY": "k-openai",
        "GOOGLE_API_KEY": "k-google",
    }
    found = endpoints_from(environ, ALL)
    assert {name: one.url for name, one in found.items()} == {
        "anthropic": "https://api.anthropic.com",
        "responses": "https://api.openai.com/v1",
        "chat": "https://api.openai.com/v1",
        "gemini": "https://generativelanguage.googleapis.com",
    }
    assert found["anthropic"].credential == {"x-api-key": "k-anthropic"}
    assert found["chat"].credential == {"authorization": "Bearer k-openai"}
    assert found["gemini"].credential == {"x-goog-api-key": "k-google"}
    assert secrets_of(found) == ("k-anthropic", "k-openai", "k-google")
    assert "k-openai" not in repr(found)
    token = endpoints_from({"ANTHROPIC_AUTH_TOKEN": "t"}, ["anthropic"])["anthropic"]
    assert token.credential == {"authorization": "Bearer t"}


@pytest.mark.parametrize(
    ("dialect", "key", "base"),
    [
        ("anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        ("responses", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
        ("chat", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
        ("gemini", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
    ],
)
def test_a_missing_key_is_named(dialect: Dialect, key: str, base: str) -> None:
    with pytest.raises(UserError, match=f"{key} is not set.*{base}"):
        endpoints_from({key: "  "}, [dialect])
    with pytest.raises(UserError, match=key):
        endpoints_from({base: "https://models.example"}, [dialect])
    for local in ("http://127.0.0.1:8080/v1/", "http://localhost:1", "http://[::1]:9"):
        endpoint = endpoints_from({base: local}, [dialect])[dialect]
        assert endpoint.url == local.rstrip("/")
        assert endpoint.credential == {}
    for wrong in ("models.example", "ftp://x", "http://", "http://x:99999", "http://x/?k=1"):
        with pytest.raises(UserError, match=f"{base} is no address"):
            endpoints_from({key: "k", base: wrong}, [dialect])


def test_a_key_that_would_break_a_header_is_refused() -> None:
    with pytest.raises(UserError, match="OPENAI_API_KEY is no key") as caught:
        endpoints_from({"OPENAI_API_KEY": "secret\r\nx: y"}, ["chat"])
    assert "secret" not in str(caught.value)


def test_proxies() -> None:
    environ = {"OPENAI_API_KEY": "k", "HTTPS_PROXY": "http://u:the-password@proxy:3128"}
    found = endpoints_from(environ, ["chat"])
    assert found["chat"].proxy == environ["HTTPS_PROXY"]
    assert secrets_of(found) == ("k", "the-password")
    assert "the-password" not in repr(found)
    for excluded in ("*", "openai.com", ".openai.com,x", "x, api.openai.com"):
        assert endpoints_from(environ | {"no_proxy": excluded}, ["chat"])["chat"].proxy is None
    assert endpoints_from(environ | {"no_proxy": "pi.openai.com"}, ["chat"])["chat"].proxy
    local = environ | {"OPENAI_BASE_URL": "http://localhost:1", "http_proxy": "p:1"}
    assert endpoints_from(local, ["chat"])["chat"].proxy is None


@pytest.mark.parametrize(
    ("base", "dialect", "path", "wanted"),
    [
        ("http://h", "anthropic", "/v1/messages", "http://h/v1/messages"),
        ("http://h/v1", "anthropic", "/v1/messages", "http://h/v1/messages"),
        ("http://h/x", "anthropic", "/messages", "http://h/x/v1/messages"),
        ("http://h/v1", "responses", "/v1/responses", "http://h/v1/responses"),
        ("http://h", "chat", "/chat/completions", "http://h/chat/completions"),
        ("http://h", "gemini", "/models/m:countTokens", "http://h/v1beta/models/m:countTokens"),
        (
            "http://h/v1",
            "gemini",
            "/v1beta/models/a.b-1:streamGenerateContent",
            "http://h/v1/models/a.b-1:streamGenerateContent",
        ),
    ],
)
def test_addresses(base: str, dialect: Dialect, path: str, wanted: str) -> None:
    target = target_of("POST", path, {}, ALL)
    assert target
    assert target.dialect == dialect
    assert address(Endpoint(dialect, base), target, ()) == wanted


def test_queries_are_chosen() -> None:
    target = target_of("POST", "/v1/messages", {}, ALL)
    assert target
    query = [("beta", "true"), ("key", "k"), ("alt", "sse&x=1"), ("limit", "20"), ("limit", "x")]
    found = address(Endpoint("anthropic", "http://h"), target, query)
    assert found == "http://h/v1/messages?beta=true&limit=20"


@pytest.mark.parametrize(
    ("path", "headers", "wanted"),
    [
        ("/v1/models", {}, "responses"),
        ("/v1/models", {"anthropic-version": "2023-06-01"}, "anthropic"),
        ("/v1beta/models", {}, "gemini"),
        ("/v1/models/gpt-5", {"authorization": "x"}, "responses"),
    ],
)
def test_whose_models_are_listed(path: str, headers: dict[str, str], wanted: str) -> None:
    target = target_of("GET", path, headers, ALL)
    assert target
    assert (target.dialect, target.kind) == (wanted, "models")
    assert target_of("GET", "/v1beta/models", {}, ["chat"]) is None
    anthropic = target_of("GET", "/v1/models", {}, ["anthropic"])
    assert anthropic
    assert anthropic.dialect == "anthropic"


def test_headers_are_chosen() -> None:
    endpoint = Endpoint("chat", "http://h", "k", "authorization")
    given = {"Authorization": "Bearer theirs", "X-Codex-Window-Id": "1", "Accept-Encoding": "br"}
    given |= {"Connection": "x-app", "Transfer-Encoding": "chunked", "Content-Length": "9"}
    assert sent_headers(given, endpoint) == {
        "x-codex-window-id": "1",
        "accept-encoding": "identity",
        "authorization": "Bearer k",
    }
    back = {"Content-Type": "a/b", "Set-Cookie": "c", "Retry-After": "1", "Location": "http://x"}
    assert returned_headers(back) == {"content-type": "a/b", "retry-after": "1"}


def test_a_limit_needs_prices_before_the_start() -> None:
    endpoints = {"chat": Endpoint("chat", "http://127.0.0.1:9/v1")}
    check_prices(["my-own-model"], Budget())
    check_prices(["claude-sonnet-4-5", "gpt-5", "gemini-2.5-pro", ""], Budget(1.0))
    with pytest.raises(UserError, match=r"\$1:.*“my-own-model”.*--price my-own-model=IN,OUT"):
        check_prices(["gpt-5", "my-own-model"], Budget(1.0), endpoints)
    check_prices(["my-own-model"], Budget(1.0, own_prices(["my-own-model=0,0"])), endpoints)


def test_aiohttp_waits_for_a_socket_to_be_opened() -> None:
    program = (
        "import sys, skillgauge.lift.gateway, skillgauge.lift.prices\n"
        "print([m for m in ('aiohttp', 'genai_prices', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
