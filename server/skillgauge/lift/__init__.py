"""Lift runs: whether a skill helps a live agent. A process of its own: the core imports nothing of it."""
