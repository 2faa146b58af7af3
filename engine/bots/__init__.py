"""Bots: from what one seat may know to a legal move.

`levels` declares them all; `house` is the default, `beginner` the lowest, and those between slip
from one to the other. Those above the default try moves out (`search`, `trials`): the quick
`policy` plays for all seats, on hands drawn from the `deals` that agree with what was proved. A bot
is a pure function: it is given a view, octets, a limit to its `effort`, and what it has foreseen of
its turn.
"""
