"""Learning to play in five minutes: a coach at a table of bots, and the lessons.

The table is a real one; only its deal comes from a seed.
"""
