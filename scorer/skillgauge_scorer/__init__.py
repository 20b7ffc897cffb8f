"""The model-based scorer: a process of its own, which the server talks to in JSON lines."""
