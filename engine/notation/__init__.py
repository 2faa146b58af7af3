"""Games on paper: their text, the position that it describes, and the referee who judges it.

The referee asks `engine.play`, like everybody; nothing in here knows a rule of its own.
"""
