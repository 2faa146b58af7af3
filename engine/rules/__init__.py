"""What may differ between tables: switches, presets, deals, clashes, and the spec of one table.

Nothing here knows of a table in play.
"""
