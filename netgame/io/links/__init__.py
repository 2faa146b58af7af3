"""Framed streams over octets, and a link: what one proved peer may send, and how fast.

Who may have a link is for `door` to say.
"""
