"""Tables on the local network: what they advertise by mDNS, and which of them answer.

An advertisement is only a hint: the peer that answers proves its key at the `door`.
"""
