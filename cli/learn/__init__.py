"""The first five minutes: what to say when at a table of bots, and whoever says it.

The table is a real one; only its deal comes from a seed.
"""
