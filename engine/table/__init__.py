"""The state of a table: trains, turn, hands as positions, and the values of moves and events.

Nothing here judges: `engine.play` decides whether a move is legal, and what follows from it.
"""
