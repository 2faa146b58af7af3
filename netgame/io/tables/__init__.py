"""Tables as a front end opens them, each behind one `Node`: host, join or resume one.

A bot is a peer like any other: it has its own key, secrets and record, and asks for its seat over a
stream in memory. A practice game is a host with bots that nobody on the network can reach; it uses
the same protocol.
"""
