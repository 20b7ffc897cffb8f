"""What the model receives, as a read-only document: `skillgauge-preview:` URIs and a request."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from skillgauge.lsp.uris import Kind

if TYPE_CHECKING:
    from skillgauge.clients import Client
    from skillgauge.lsp.server import SkillgaugeServer
    from skillgauge.lsp.snapshot import Snapshot

SCHEME = "skillgauge-preview"
REQUEST = "skillgauge/preview"
DEFAULT_CLIENT = "claude-code"


def register(server: SkillgaugeServer) -> None:
    """Register the virtual document and the request that every client can send."""

    @server.feature(
        lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT, lsp.TextDocumentContentOptions(schemes=[SCHEME])
    )
    def content(params: lsp.TextDocumentContentParams) -> lsp.TextDocumentContentResult:
        uri, client, arguments = read_uri(params.uri)
        return lsp.TextDocumentContentResult(preview(server, uri, client, arguments) or "")

    @server.feature(REQUEST)
    def request(params: Any) -> dict[str, Any]:
        uri = str(getattr(params, "uri", ""))
        client = str(getattr(params, "client", "") or "")
        arguments = str(getattr(params, "arguments", "") or "")
        text = preview(server, uri, client, arguments)
        return {"text": text, "uri": preview_uri(uri, client, arguments)}


def preview_uri(uri: str, client: str, arguments: str = "") -> str:
    """Return the URI of a skill's preview document.

    What it is of is packed into letters and digits: editors decode and encode queries as they like.
    """
    packed = json.dumps([uri, client, arguments]).encode()
    return f"{SCHEME}:/preview.md?{urlsafe_b64encode(packed).decode().rstrip('=')}"


def read_uri(uri: str) -> tuple[str, str, str]:
    """Return skill, client and arguments of a preview's URI, empty for one that isn't ours."""
    packed = uri.partition("?")[2]
    try:
        found = json.loads(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
        skill, client, arguments = map(str, found)
    except (ValueError, TypeError):
        return "", "", ""
    return skill, client, arguments


def preview(server: SkillgaugeServer, uri: str, client: str, arguments: str) -> str | None:
    """Return the preview of a skill, None for what is no skill."""
    from skillgauge.preview import Invocation, render

    snapshot = server.session.snapshot(uri)
    if snapshot is None or snapshot.kind is not Kind.SKILL or snapshot.problem:
        return None
    known = _client(snapshot, client)
    folder = str(snapshot.path.parent) if snapshot.path else "."
    root = server.session.around.root_of(snapshot.path) if snapshot.path else None
    return render(snapshot.skill, known, Invocation(arguments, folder, str(root or ".")))


def _client(snapshot: Snapshot, asked: str) -> Client:
    from skillgauge.clients import by_id, load

    wanted = (asked, *snapshot.clients, DEFAULT_CLIENT)
    return next((found for name in wanted if (found := by_id(name)) is not None), load()[0])
