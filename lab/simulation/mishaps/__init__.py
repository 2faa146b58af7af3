"""Mishaps in a game, and people who come and go."""
