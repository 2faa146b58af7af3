"""The laboratory: programs that look for mistakes in the game without being part of it.

It runs from a clone. A player's install leaves it out.
"""
