"""Sockets, disk and tasks: the part of a peer that does things instead of deciding them.

`node` runs one core; `links`, `channel` and `streams` carry its frames, `store` its record,
`discovery` its table's name, and `tables` puts hosts, joiners and bots together for the shell.
"""
