"""Files that a peer keeps: its identity, its tables, the peers it knows.

Everything here blocks except `keeper`, which waits for room when the disk is full.
"""
