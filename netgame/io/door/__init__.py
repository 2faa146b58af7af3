"""Admission: keys proved in a channel, join codes, and one link to each peer.

`admission` decides; `channel` and `first_contact` do the handshakes; `link_pool` accepts and dials.
"""
