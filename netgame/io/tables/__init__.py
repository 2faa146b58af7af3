"""Tables as the shell opens them, each behind one `Node`: host one, join one, come back to one.

A bot is a peer like any other: its own key, its own secrets, its own record, a seat asked for and
granted over a loopback socket. A practice game is a host with bots that listens on loopback only;
there is no way past the protocol.
"""
