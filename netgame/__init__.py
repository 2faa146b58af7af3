"""Several computers share one table of dominoes that none of them has to trust.

`io` moves bytes, `protocol` decides, `wire` says what a message is, `crypto` proves; see
`protocol.md` for the protocol and `docs/architecture.md` for the parts.
"""
