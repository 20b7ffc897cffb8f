"""Forwards port 18080 of the loopback to the model's socket, and runs a command beside it.

Runs inside containers, with whatever Python 3 there is and its own library's smallest part.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import NoReturn

ADDRESS = ("127.0.0.1", int(os.environ.get("SKILLGAUGE_PORT", "18080")))
MODEL = os.environ.get("SKILLGAUGE_SOCKET", "/run/skillgauge/model.sock")
PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def fail(message: str) -> NoReturn:
    """Say why nothing was started, and end."""
    sys.stderr.write(f"skillgauge: {message}\n")
    sys.exit(70)


def pump(source: socket.socket, target: socket.socket) -> None:
    """Pass bytes on until there are no more, and say so to the other side."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def connect(client: socket.socket) -> None:
    """Tie a connection to one of the socket's; without that it is closed."""
    model = socket.socket(socket.AF_UNIX)
    with client, model:
        try:
            model.connect(MODEL)
        except OSError:
            return
        back = threading.Thread(target=pump, args=(model, client), daemon=True)
        back.start()
        pump(client, model)
        back.join()


def listen(server: socket.socket) -> None:
    """Take connections for ever."""
    while True:
        client = server.accept()[0]
        threading.Thread(target=connect, args=(client,), daemon=True).start()


def main() -> None:
    """Open the port, then run the command to its end, and end as it did."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind(ADDRESS)
        server.listen(128)
    except OSError as error:
        fail(f"Port {ADDRESS[1]} can't be opened: {error.strerror}")
    try:
        child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    except OSError as error:
        fail(f"“{sys.argv[1]}” can't be started: {error.strerror}")
    for number in PASSED_ON:
        signal.signal(number, lambda received, _: child.send_signal(received))
    threading.Thread(target=listen, args=(server,), daemon=True).start()
    code = child.wait()
    sys.stdout.flush()
    os._exit(code if code >= 0 else 128 - code)


main()
