"""The play itself: the seats that may move, the legal moves, and the table after a move.

`judge` judges one move, `legal_moves` lists all legal ones, and `apply` makes the table after one.
`reach` and `places` find the ends that take tiles, and the reasons that shut the others.
"""
