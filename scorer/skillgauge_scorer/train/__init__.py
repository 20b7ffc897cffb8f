"""Training: pairs, their encoding, directions fitted on them, and how good those are."""
