"""Bots: from what one seat may know to a legal move.

`levels` says which there are; `house` is the one that plays where nobody asked for another, and
`beginner` the one below it. Those above try moves out (`search`, `trials`) on a `world` in which
the quick `policy` plays for all seats, with hands drawn of the `deals` that agree with what was
proved. A bot is a pure function: it is handed a view, octets, and how long it may think.
"""
