"""The actions of `skillgauge lift`, one a module; only that of the action in question is loaded."""
