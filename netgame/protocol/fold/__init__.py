"""From entries to a table: for each phase who writes, what is checked, and what follows.

Everything here is a function of the log alone, the same for every peer and for `verify`.
"""
