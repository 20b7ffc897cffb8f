"""Reliability: what the agent does when things go wrong."""
