"""The laboratory: what looks for mistakes in the game, and is no part of it.

It runs from a clone. A player's install leaves it out.
"""
