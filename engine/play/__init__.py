"""What happens: whose move it is, whether it is legal, and the table that comes of it.

`judge` answers for one move, `legal_moves` lists them all, and `apply` makes the next table, which
nothing else does. `ends` knows where tiles may go.
"""
