"""Lasting settings of a player: declared, read from file and environment, and written."""
