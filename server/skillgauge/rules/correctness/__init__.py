"""Correctness: the ACES checks C01 to C24."""
