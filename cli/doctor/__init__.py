"""A check of whether a game can be hosted here: the facts, and their meaning."""
