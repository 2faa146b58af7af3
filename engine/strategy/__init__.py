"""Bots: from what one seat may know to a move and its reason."""
