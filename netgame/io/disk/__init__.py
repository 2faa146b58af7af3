"""What a peer keeps on disk: its identity, its tables, whom it knows.

Everything here blocks but `keeper`, which has the patience of a seat whose disk is full.
"""
