"""Turns a log of signed entries into notation, in which people write a game down."""
