"""The rules of a table: switches, presets, deals, clashes, and the spec that combines them.

Nothing here knows about tables in play.
"""
