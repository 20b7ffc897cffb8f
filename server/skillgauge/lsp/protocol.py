"""pygls with its faults mended: the protocol that our server speaks.

Every override says what pygls 2.1 does instead. `docs/design/language-server.md` lists the faults,
and `tests/lsp/test_protocol.py` has a test for each that fails with pygls alone.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import logging
import uuid
from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from cattrs import Converter
from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.progress import Progress
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import RPCMessage

    from skillgauge.lsp.base_server import Server

log = logging.getLogger(__name__)

MsgId = str | int
_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)
"""Two classes of the same name: one for tasks, one for the plain futures that pygls uses."""


class _TidyProgress(Progress):
    """Forgets a token with its end; pygls keeps every one for ever."""

    def end(self, token: lsp.ProgressToken, value: lsp.WorkDoneProgressEnd) -> None:
        self.tokens.pop(token, None)  # pyright: ignore[reportUnknownMemberType]
        super().end(token, value)


class Protocol(LanguageServerProtocol):
    """The language server protocol, one answer to every request and nothing kept for ever."""

    _server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self, server: Server, converter: Converter) -> None:
        super().__init__(server, converter)
        self.progress = _TidyProgress(self)

    @property
    def exit_status(self) -> int:
        """What the process ends with if the client goes now."""
        return 0 if self._shutdown else 1

    # --- messages in ------------------------------------------------------------------------

    def receive(self, body: bytes) -> None:
        """Handle one message as it came; a bad one is answered, logged and survived.

        pygls answers nothing to a request that can't be read, so its sender waits for ever; it
        takes every inner object with a key `jsonrpc` for a message; and it has no guard against
        requests before `initialize` or after `shutdown`.
        """
        try:
            raw = json.loads(body)
        except (ValueError, RecursionError) as error:
            log.error("A message is no JSON: %s", error)
            self._answer_error(None, JsonRpcParseError())
            return
        if not isinstance(raw, dict) or "jsonrpc" not in raw:
            log.error("A message is no JSON-RPC")
            self._answer_error(None, JsonRpcInvalidRequest())
            return
        message = cast("dict[str, Any]", raw)
        try:
            self._dispatch(message)
        except JsonRpcException as error:
            log.warning("%.100r is refused: %s", message.get("method"), error)
            if "method" in message and isinstance(message.get("id"), str | int):
                self._answer_error(message["id"], error)
        except Exception:
            log.exception("A message can't be handled")

    def _dispatch(self, raw: dict[str, Any]) -> None:
        method = raw.get("method")
        if method is not None:
            self._check_turn(method)
        if isinstance(method, str) and self.get_message_type(method) is None:
            raw.setdefault("params", None)  # JSON-RPC lets it be left out, pygls does not.
        message = self.structure_message(raw)
        if method is not None and "id" in raw and not hasattr(message, "id"):
            raise JsonRpcInvalidRequest(f"{method} is a notification and can't have an id")
        self.handle_message(cast("RPCMessage", message))

    def _check_turn(self, method: object) -> None:
        """Raise if this state of the session has no place for a message."""
        started = self._workspace is not None
        if method == lsp.EXIT:
            return
        if self._shutdown:
            raise JsonRpcInvalidRequest("The server is shutting down")
        if method == lsp.INITIALIZE and started:
            raise JsonRpcInvalidRequest("The server is initialized already")
        if method != lsp.INITIALIZE and not started:
            raise JsonRpcServerNotInitialized

    def _answer_error(self, msg_id: MsgId | None, error: JsonRpcException) -> None:
        reply = {"jsonrpc": self.VERSION, "id": msg_id, "error": error.to_response_error()}
        self._send_data(reply)

    # --- messages out -----------------------------------------------------------------------

    def _send_data(self, data: Any) -> None:
        """Send a message; what can't be written as JSON raises at its sender.

        pygls reports such an error and answers nothing, and it reports a closed pipe by sending
        the report down the same pipe.
        """
        if self.writer is None:
            log.debug("Nobody is there to send to")
            return
        body = json.dumps(
            data, default=self._serialize_message, allow_nan=False, separators=(",", ":")
        ).encode()
        if self._include_headers:
            body = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        try:
            self.writer.write(body)
        except (OSError, ValueError) as error:
            log.warning("The client is gone: %s", error)
            self.writer = None
            self._server.stop(self.exit_status)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: MsgId | None = None,
    ) -> concurrent.futures.Future[Any]:
        """Ask the client; the question is forgotten once it is answered, cancelled or refused.

        pygls forgets it with the answer only: a question nobody waits for any more stays, and
        its late answer raises and pops up as an error.
        """
        number = str(uuid.uuid4()) if msg_id is None else msg_id
        try:
            future = super().send_request(method, params, callback, number)
        except Exception:
            self._forget(number)
            raise
        future.add_done_callback(lambda _: self._forget(number))
        return future

    def _forget(self, msg_id: MsgId) -> None:
        self._request_futures.pop(msg_id, None)
        self._result_types.pop(msg_id, None)

    # --- handlers ---------------------------------------------------------------------------

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: Callable[..., Any],
        callback: Callable[[concurrent.futures.Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run a handler and forget its future; pygls keeps those of notifications for ever."""

        def settled(future: concurrent.futures.Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, settled, args, kwargs)

    def _run_generator(
        self,
        future: concurrent.futures.Future[Any] | None,
        *,
        gen: Generator[Any, Any, Any],
        result_future: concurrent.futures.Future[Any],
    ) -> None:
        """Take a built-in handler one step on: to our handler within it, or to its end.

        In pygls the inner handler goes on when the outer is cancelled, the outer never ends when
        the inner is cancelled, and an inner error is kept from the outer's own clean-up.
        """
        if result_future.done():
            gen.close()
            return
        try:
            handler, args, kwargs = _resume(gen, future)
        except StopIteration as end:
            if not result_future.done():
                result_future.set_result(end.value)
            return
        except _CANCELLED:
            result_future.cancel()
            return
        except Exception as error:
            result_future.set_exception(error)
            return
        step = str(uuid.uuid4())
        proceed = partial(self._run_generator, gen=gen, result_future=result_future)
        self._execute_handler(step, handler, proceed, args, kwargs)
        if (inner := self._request_futures.get(step)) is not None:
            result_future.add_done_callback(lambda outer: outer.cancelled() and inner.cancel())

    def _check_handler_result(self, future: concurrent.futures.Future[Any]) -> None:
        """Log what a notification's handler raised; pygls shows the user a box."""
        if not future.cancelled() and (error := future.exception()) is not None:
            log.error("The handler of a notification failed", exc_info=error)

    # --- the session ------------------------------------------------------------------------

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(
        self, params: lsp.InitializeParams
    ) -> Generator[Any, Any, lsp.InitializeResult]:
        """Start the session, and from now on end with the client's process.

        pygls offers every feature of ours but the content of virtual documents.
        """
        self._server.watch_client(params.process_id)
        result = yield from super().lsp_initialize(params)
        options = self._options_of(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT)
        if result.capabilities.workspace and isinstance(options, lsp.TextDocumentContentOptions):
            result.capabilities.workspace.text_document_content = options
        return result

    def _options_of(self, method: str) -> object:
        options = cast(
            "dict[str, object]",
            self.fm.feature_options,  # pyright: ignore[reportUnknownMemberType]
        )
        return options.get(method)

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel what is running; pygls changes the table of it while it walks over it."""
        own = self.msg_id
        try:
            if (handler := self._ours(lsp.SHUTDOWN)) is not None:
                yield handler, args, None
        finally:
            self._shutdown = True
            for msg_id, future in list(self._request_futures.items()):
                if msg_id != own:
                    future.cancel()

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """End the process; pygls loses the status and, if a handler raises, doesn't end."""
        try:
            if (handler := self._ours(lsp.EXIT)) is not None:
                yield handler, args, None
        finally:
            self._server.stop(self.exit_status)

    def _ours(self, method: str) -> Callable[..., Any] | None:
        features = cast(
            "dict[str, Callable[..., Any]]",
            self.fm.features,  # pyright: ignore[reportUnknownMemberType]
        )
        return features.get(method)


def _resume(gen: Generator[Any, Any, Any], future: concurrent.futures.Future[Any] | None) -> Any:
    """Give a generator the outcome of the handler that it waited for."""
    if future is None:
        return next(gen)
    try:
        value = future.result()
    except (Exception, asyncio.CancelledError) as error:
        return gen.throw(error)
    return gen.send(value)
