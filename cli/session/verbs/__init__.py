"""The verbs typed at the table, each in one place, from its words to its answer."""
