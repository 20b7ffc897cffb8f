"""Evaluation files: whether a lift run can be trusted."""
