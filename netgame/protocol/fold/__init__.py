"""From entries to a table: the state, and for each phase who writes, what is checked, what follows.

Everything here is a function of the log alone, the same for every peer and for `verify`.
"""
