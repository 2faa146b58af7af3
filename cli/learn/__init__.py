"""The first five minutes: a coach at a table of bots, and what the coach says.

The table is a real one; only its deal comes from a seed.
"""
