"""Discoverability: whether an agent's router finds the skill."""
