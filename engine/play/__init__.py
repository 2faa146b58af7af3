"""What happens: whose move it is, whether it is legal, and the table that comes of it.

`legality` is the door: the judge, the list of legal moves, and what a move claims about a hand
that nobody sees. `apply` makes the next table, and nothing else does.
"""
