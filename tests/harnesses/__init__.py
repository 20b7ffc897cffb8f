"""The agents themselves, each in a container: `make test-harnesses`, not a part of the suite."""
