"""Security: what a skill could do to the one who installs it."""
