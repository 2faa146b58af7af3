"""What happens: whose move it is, whether it is legal, and the table that comes of it.

`judge` answers for one move, `legal_moves` lists them all, and `apply` makes the next table, which
nothing else does. `reach` and `places` know where tiles may go, and what shuts the rest.
"""
