"""Home of the model-based scorer, a process of its own; it holds no scorer yet."""
