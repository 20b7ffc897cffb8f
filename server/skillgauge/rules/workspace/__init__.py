"""Across skills: what collides with or crowds out a neighbour."""
