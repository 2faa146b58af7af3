"""What a choice is, how a word typed or kept for it is read, and every choice of a table."""
