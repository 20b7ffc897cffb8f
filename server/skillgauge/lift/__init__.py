"""Lift runs: whether a skill helps a live agent. Its own process: the core imports none of it."""
