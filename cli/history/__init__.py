"""Past games: their numbers and names, lists, score sheets and replays.

The results of one game, and of all, are in `cli.results`.
"""
