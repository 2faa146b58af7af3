"""The play itself: whose move it is, whether it is legal, and the table after it.

`judge` answers for one move, `legal_moves` lists them all, and `apply` alone makes the next table.
`reach` and `places` say where tiles may go, and what shuts the other ends.
"""
