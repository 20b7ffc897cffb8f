"""Skillgauge: a linter and language server for agent skills."""

__version__ = "0.1.0"
