"""What games come to: a summary of each, sums, standings, and what each player is remembered for.

How past games are found, listed and shown is in `cli.history`.
"""
