"""The arena: bots against bots on equal deals, and how certain the result is.

`matches` plays games, `results` stores them, `standings` ranks the bots, `plot` draws the ranking,
and `series` spreads the games over any number of processes or machines. The same seed gives the
same results, in whatever order and on whatever machine the games are played.
"""
