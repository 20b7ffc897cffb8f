"""Start the language server, on standard input and output unless told otherwise."""

from __future__ import annotations

import argparse

from skillgauge.cli._parser import Namespace, Parser
from skillgauge.errors import UserError


def add_arguments(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("--stdio", action="store_true", help="standard input and output (default)")
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen for one TCP connection")
    parser.add_argument("--ws", metavar="HOST:PORT", help="listen for one WebSocket connection")
    parser.add_argument("--no-scorer", action="store_true", help="no scores, whatever is asked")
    # Editors' client libraries add this one by themselves.
    parser.add_argument("--clientProcessId", help=argparse.SUPPRESS)


def run(options: Namespace) -> int:
    """Serve until the client ends it."""
    if sum(map(bool, (options.stdio, options.tcp, options.ws))) > 1:
        raise UserError("Only one of --stdio, --tcp and --ws can be used at a time")
    from skillgauge.lsp.server import main

    return main(tcp=options.tcp, ws=options.ws, scorer=not options.no_scorer)
