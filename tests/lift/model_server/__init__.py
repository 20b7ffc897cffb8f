"""A model server whose answers are scripted, in four dialects: what tests ask in a model's place.

It keeps no state of a conversation: the turn to give is the number of turns with tool calls that a
request already carries, so a client that tries again gets the same answer.
"""

from __future__ import annotations

from tests.lift.model_server.script import Case, Fault, Script, Turn, load
from tests.lift.model_server.server import ModelServer, Seen

__all__ = ["Case", "Fault", "ModelServer", "Script", "Seen", "Turn", "load"]
