"""The laboratory: programs that test and measure the game without being part of it.

It runs from a clone. A player's install leaves it out.
"""
