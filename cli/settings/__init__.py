"""Settings that a player makes once: declared, read from file and environment, written."""
