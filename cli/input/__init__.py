"""From a typed line to a move: words, grammar, intent, and the move that is meant at this table."""
