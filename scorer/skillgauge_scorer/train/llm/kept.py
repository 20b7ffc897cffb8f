"""Keeps what a language model has written, a file an answer, named after the question."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from skillgauge_scorer.errors import of_disk


class Kept:
    """A folder of answers, which is made with the first one."""

    def __init__(self, folder: Path) -> None:
        """Read nothing yet."""
        self._folder = folder

    def key(self, model: str, messages: Sequence[Mapping[str, str]], attempt: int) -> str:
        """Return what a question is known by."""
        asked = json.dumps([model, list(messages), attempt], ensure_ascii=False)
        return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str) -> str | None:
        """Return an answer that is there and whole."""
        try:
            value = json.loads((self._folder / f"{key}.json").read_bytes())
            return str(value["text"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, text: str) -> None:
        """Keep an answer."""
        data = json.dumps({"text": text}, ensure_ascii=False).encode("utf-8", "replace")
        draft = self._folder / f".{key}-{os.getpid()}-{threading.get_ident()}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(data)
            os.replace(draft, self._folder / f"{key}.json")
        except OSError as error:
            raise of_disk(error, str(self._folder)) from error
