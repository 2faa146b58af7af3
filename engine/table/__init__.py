"""What is on the table: trains, turn, hands as positions, and what may be done to them.

Values without judgement: whether a move is legal, and what comes of it, is in `engine.play`.
"""
