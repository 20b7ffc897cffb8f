"""Scripts: what is bundled can be run as the text says."""
