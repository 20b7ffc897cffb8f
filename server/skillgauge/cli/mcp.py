"""Start a server of the Model Context Protocol, for agents that write skills.

It speaks on standard input and output. Its tools check, propose fixes, explain and preview; none of
them writes a file.
"""

from __future__ import annotations

import sys

from skillgauge.cli._parser import Namespace, Parser


def add_arguments(parser: Parser) -> None:
    """Declare nothing: it takes no arguments."""


def run(options: Namespace) -> int:
    """Serve until the client closes standard input."""
    from skillgauge.mcp import serve

    sink = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but the protocol may reach the client
    try:
        serve(sys.stdin.buffer, sink)
    finally:
        sys.stdout = sys.__stdout__
    return 0
