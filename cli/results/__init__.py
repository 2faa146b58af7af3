"""Results of games: a summary of each, totals, standings, and a highlight for each player.

How past games are found, listed and shown is in `cli.history`.
"""
