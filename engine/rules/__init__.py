"""What may differ between tables: switches, presets, deals, clashes, and the spec of one table.

Nothing here knows about tables in play.
"""
