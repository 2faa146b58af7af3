"""Bots: from what one seat may know to a legal move.

`levels` says which there are; `house` is the one that plays where nobody asked for another, and
`beginner` the one below it. A bot is a pure function: it is handed a view and octets.
"""
