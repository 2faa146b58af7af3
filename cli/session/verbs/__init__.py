"""The verbs that are typed at a table; each is defined in one place, with its answer."""
