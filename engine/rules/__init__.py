"""The rules of a table: switches, presets, deals, clashes, and the spec that they add up to.

Nothing here knows about tables in play.
"""
