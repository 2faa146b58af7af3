"""From a typed line to a move: words, grammar, intent, and the move meant at this table."""
