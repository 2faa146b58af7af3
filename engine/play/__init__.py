"""The play itself: the seats that may move, the legal moves, and the table after a move.

`judge` judges one move, `legal_moves` lists all legal ones, and only `apply` makes the next table.
`reach` and `places` find the ends that take tiles, and the reasons that shut the others.
"""
