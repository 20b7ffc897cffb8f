"""Efficiency: what the text costs and whether it pays."""
