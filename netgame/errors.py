"""Exceptions for what can go wrong between peers.

A peer's cheating is not an exception but a value, `protocol.log.fault.Fault`, with its evidence.
"""


class NetgameError(Exception):
    """Root of this package's exceptions; its text is one sentence for a person.

    As a string it is in English. A front end may translate `text` and fill in `facts`; a text
    without facts may come from others, and contain braces.
    """

    def __init__(self, text: str = "", /, **facts: object) -> None:
        super().__init__(text.format(**facts) if facts else text)
        self.text, self.facts = text, facts


class Malformed(NetgameError):
    """Bytes from elsewhere that no honest peer sends; the text says what was expected."""


class OffCurve(Malformed):
    """Octets that are not a point or a scalar, wherever they stand."""


class Disconnected(NetgameError):
    """The link to a peer is gone."""


class SaidGoodbye(Disconnected):
    """The other side ended the link with notice."""


class HungUp(Disconnected):
    """The other side kept us waiting or hung up at its door: it may have no room just now."""


class TimedOut(NetgameError):
    """Nothing came in the time allowed."""


class Refused(NetgameError):
    """The other side said no; `code` is stable text, the message is for a person."""

    def __init__(self, code: str, message: str, /, **facts: object) -> None:
        super().__init__(message, **facts)
        self.code = code


class DiskTrouble(NetgameError):
    """A record or a secret could not be read or written."""


class DiskFull(DiskTrouble):
    """There is no room on the disk; the same may be tried again."""


class LocalMisuse(NetgameError):
    """A caller in this program broke an interface."""
