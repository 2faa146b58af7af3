"""Exceptions for everything that can go wrong between peers.

A peer's cheating is not an exception but a value, `protocol.log.fault.Fault`, with its evidence.
"""

from netgame.saying import Saying


class NetgameError(Exception):
    """The base class of this package's exceptions; the text is one sentence for a person.

    `str` returns it in English. `said` has the text and its facts separately, so that a front end
    can translate it.
    """

    def __init__(self, text: str = "", /, **facts: object) -> None:
        self.said = Saying(text, facts)
        super().__init__(str(self.said))


class Malformed(NetgameError):
    """Octets that no honest peer sends, or typed text that cannot be read; the text says why."""


class Disconnected(NetgameError):
    """The link to a peer is gone, or none could be opened."""


class SaidGoodbye(Disconnected):
    """The other side said goodbye before it ended the link."""


class HungUp(Disconnected):
    """The other side hung up, or did not answer in time, before it let this peer in.

    It may have no room just now.
    """


class TimedOut(NetgameError):
    """An answer, or the rest of a frame, did not arrive in the time allowed."""


class Refused(NetgameError):
    """One side refuses what the other asks.

    `code` is a word for programs to compare; the text is for a person.
    """

    def __init__(self, code: str, message: str, /, **facts: object) -> None:
        super().__init__(message, **facts)
        self.code = code


class DiskTrouble(NetgameError):
    """A file or folder could not be opened, locked, read or written, or its content is unusable."""


class DiskFull(DiskTrouble):
    """The disk has no room left; the caller may try the same again."""


class LocalMisuse(NetgameError):
    """A function was called in a way that its contract rules out: a bug in the calling code."""
