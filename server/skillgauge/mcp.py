"""A server of the Model Context Protocol, by which agents check and mend the skills they write.

Messages of JSON-RPC, one a line, are answered in turn. Nothing is written to the disk and nothing
of a skill is run: the tools are those of `mcp_tools`, and they only look.
"""

from __future__ import annotations

import json
import logging
from typing import Any, BinaryIO, Final, cast

from skillgauge import __version__
from skillgauge.errors import UserError
from skillgauge.mcp_tools import TOOLS, Tool

log = logging.getLogger(__name__)

VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The revisions of the protocol that are spoken, the newest first."""
MAX_MESSAGE: Final = 16 * 1024 * 1024
"""Bytes of a message; a longer one ends the session, for where the next begins is not known."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
NO_SUCH_METHOD: Final = -32601
INVALID_PARAMS: Final = -32602

Message = dict[str, Any]


class _Refused(Exception):
    """A request that gets an error of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer until the client closes its end."""
    while line := source.readline(MAX_MESSAGE + 1):
        if len(line) > MAX_MESSAGE:
            log.error("A message is longer than %d bytes", MAX_MESSAGE)
            return
        if line.strip() and (answer := answer_to(line)) is not None:
            sink.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            sink.flush()


def answer_to(line: bytes) -> Message | list[Message] | None:
    """Return the answer to a line, None where none is wanted. Never raises."""
    try:
        message: Any = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "This is not JSON")
    if not isinstance(message, list):
        return _answer(message)
    answers = [_answer(item) for item in cast("list[Any]", message)]
    return [answer for answer in answers if answer is not None] or None


def _answer(message: Any) -> Message | None:
    if not isinstance(message, dict):
        return _error(None, INVALID_REQUEST, "A message is an object")
    request = cast("Message", message)
    method, identity = request.get("method"), request.get("id")
    if "id" not in request or method is None:
        return None  # a notification, or the answer to a question that was never asked
    params: Any = request.get("params") or {}
    try:
        if not isinstance(method, str) or not isinstance(params, dict):
            raise _Refused(INVALID_REQUEST, "This is no request")
        result = _result(method, cast("Message", params))
    except _Refused as refused:
        return _error(identity, refused.code, str(refused))
    return {"jsonrpc": "2.0", "id": identity, "result": result}


def _error(identity: Any, code: int, message: str) -> Message:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}}


def _result(method: str, params: Message) -> Message:
    match method:
        case "initialize":
            asked = params.get("protocolVersion")
            return {
                "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "skillgauge", "version": __version__},
                "instructions": "Check a skill after writing it; explain says why a rule fires.",
            }
        case "ping":
            return {}
        case "tools/list":
            return {"tools": [_described(tool) for tool in TOOLS.values()]}
        case "tools/call":
            return _call(params)
        case _:
            raise _Refused(NO_SUCH_METHOD, f"There is no method “{method}”")


def _described(tool: Tool) -> Message:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.schema,
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def _call(params: Message) -> Message:
    """Run a tool. What the model can mend comes back as a result that says so."""
    tool = TOOLS.get(str(params.get("name")))
    if tool is None:
        raise _Refused(INVALID_PARAMS, f"There is no tool “{params.get('name')}”")
    given: Any = params.get("arguments") or {}
    if not isinstance(given, dict):
        raise _Refused(INVALID_PARAMS, "The arguments are an object")
    try:
        text, failed = tool.call(cast("Message", given)), False
    except UserError as error:
        text, failed = str(error), True
    except Exception as error:
        log.exception("%s failed", tool.name)
        text, failed = f"A fault of skillgauge itself: {type(error).__name__}: {error}", True
    return {"content": [{"type": "text", "text": text}], "isError": failed}
