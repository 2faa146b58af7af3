"""The verbs typed at a table, each in one place, from its words to its answer."""
