"""Tables as a front end opens them, each behind one `Node`: host, join or resume one.

A bot is a peer like any other: its own key, its own secrets, its own record, and a seat asked for
and given over a loopback socket. A practice game is a host with bots that listens on loopback only;
there is no way around the protocol.
"""
