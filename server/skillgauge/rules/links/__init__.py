"""Links and files: what the text points to is there."""
