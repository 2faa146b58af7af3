"""Bots: functions from one seat's view to a legal move.

`levels` declares all levels. `house` is the default and `beginner` the lowest; the levels in
between mix the two. The levels above the default try out moves (`search`, `trials`): the quick
`policy` plays for all seats, on hands drawn from the `deals` that agree with the proved facts. A
bot takes a view, octets, a limit to its `effort`, and its foresight for this turn; it does no input
or output.
"""
