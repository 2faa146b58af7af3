"""Games on paper: their text, the position that it describes, and the referee that judges it.

The referee uses `engine.play` like all other code; nothing here has rules of its own.
"""
