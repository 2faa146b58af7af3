"""Tables on the local network: what they say of themselves by mDNS, and who answers there.

A hint and no more: whoever answers proves its key at the `door`.
"""
