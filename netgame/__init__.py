"""Several computers share one table of dominoes, and none has to trust another.

`io` moves bytes, `protocol` decides, `wire` defines messages, and `crypto` proves. `protocol.md`
describes the protocol, `docs/architecture.md` the parts.
"""
