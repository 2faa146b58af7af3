"""What can go wrong between peers.

A peer's cheating is no exception but a value, `protocol.fault.Fault`, with its evidence.
"""


class NetgameError(Exception):
    """Root of this package's exceptions; its text is one sentence for a person."""


class Malformed(NetgameError):
    """Bytes from elsewhere that no honest peer sends; the text says what was expected."""


class Disconnected(NetgameError):
    """The link to a peer is gone."""


class SaidGoodbye(Disconnected):
    """The other side has ended the link, and said so."""


class HungUp(Disconnected):
    """The other side let us wait, or hung up, at its door: it may have no room just now."""


class TimedOut(NetgameError):
    """Nothing came in the time allowed."""


class Refused(NetgameError):
    """The other side said no; `code` is stable text, the message is for a person."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class DiskTrouble(NetgameError):
    """A record or a secret could not be read or written."""


class DiskFull(DiskTrouble):
    """There is no room on the disk; what was asked may be asked again."""


class LocalMisuse(NetgameError):
    """A caller in this program broke an interface."""
