"""The ends of rounds and games for one person: card, pause, review, last words, the next table."""
