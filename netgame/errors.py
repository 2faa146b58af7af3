"""Exceptions for everything that can go wrong between peers.

A peer's cheating is not an exception but a value, `protocol.log.fault.Fault`, with its evidence.
"""

from netgame.saying import Saying


class NetgameError(Exception):
    """Root of this package's exceptions; its text is one sentence for a person.

    `str` of it is English. `said` is the text with its facts apart, for a front end to translate.
    """

    def __init__(self, text: str = "", /, **facts: object) -> None:
        self.said = Saying(text, facts)
        super().__init__(str(self.said))


class Malformed(NetgameError):
    """Octets that no honest peer sends, or typed text that cannot be read; the text says why."""


class Disconnected(NetgameError):
    """The link to a peer is gone, or none could be opened."""


class SaidGoodbye(Disconnected):
    """The other side ended the link with notice."""


class HungUp(Disconnected):
    """The other side kept us waiting or hung up at its door; it may have no room just now."""


class TimedOut(NetgameError):
    """An answer, or the rest of a frame, did not arrive in the time allowed."""


class Refused(NetgameError):
    """One side refuses; `code` is a word for programs to compare, the text is for a person."""

    def __init__(self, code: str, message: str, /, **facts: object) -> None:
        super().__init__(message, **facts)
        self.code = code


class DiskTrouble(NetgameError):
    """A file or folder could not be opened, locked, read or written, or its content is unusable."""


class DiskFull(DiskTrouble):
    """The disk has no room left; the caller may try the same again."""


class LocalMisuse(NetgameError):
    """A caller in this program broke an interface."""
