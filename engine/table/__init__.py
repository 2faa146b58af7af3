"""The state of a table: trains, turn, hands as positions, and the values of moves and events.

No judgement: whether a move is legal, and what follows, is decided in `engine.play`.
"""
