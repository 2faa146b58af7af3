"""Files that a peer keeps: its identity, its tables, the peers it knows.

Everything here blocks, except the async functions: those sync files or, in `keeper`, wait for room
when the disk is full.
"""
