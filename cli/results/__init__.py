"""Results of games: a summary of each, totals, standings, and a highlight for each player.

`cli.history` finds, lists and shows past games.
"""
