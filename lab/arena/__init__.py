"""The arena: bots against bots, the same deals for everybody, and how sure the result is.

`matches` plays, `results` keeps what was played, `standings` counts it, `series` runs all of it in
as many processes or on as many machines as there are. The same seed gives the same results,
whoever plays them, in any order.
"""
