"""Several computers share one table of dominoes, and none has to trust another.

`io` moves bytes, `protocol` decides, `wire` defines messages, `crypto` proves; see `protocol.md`
for the protocol and `docs/architecture.md` for the parts.
"""
