"""A way to cheat, as the catalogue lists it: how it is done, and which check finds it.

The cheat happens once in a game: the cheater signs or sends what it should not, or falls silent.
Unless the cheat convicts nobody, every honest peer that sees it must name the cheater.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from cli.lies import LIES
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Entry, ReceivedStatement, sign_entry
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Body, Payload, Settings, SignedEntry, SignedStatement


class Ready(NamedTuple):
    """Entries and statements that are already signed; the last one is the lie."""

    kind: str
    """The kind of the lie, as reports name it."""
    entries: tuple[SignedEntry, ...] = ()
    statements: tuple[SignedStatement, ...] = ()
    apart: bool = False
    """True if the last peer alone gets the last statement, in place of the one before it."""
    as_evidence: bool = False
    """True if they go out as evidence."""
    files: tuple[bytes, ...] = ()
    """Files for outsiders."""

    @property
    def said(self) -> tuple[SignedEntry | SignedStatement, ...]:
        """All entries and statements, ending with the lie."""
        return (*self.entries, *self.statements)


class At(NamedTuple):
    """The kind of a signed entry or statement, and its step."""

    kind: str
    step: int


class Aftermath(NamedTuple):
    """The outcome of a cheat that plays its own game."""

    culprit: str
    done: At
    """The lie's kind and step."""
    trouble: tuple[str, ...]
    """Everything that went wrong."""
    named: tuple[tuple[str, str], ...] = ()
    """For each honest peer, by name, the name of the seat it named."""
    before: tuple[SignedEntry | SignedStatement, ...] = ()
    """The log before the lie."""
    lie: Entry | None = None
    files: tuple[bytes, ...] = ()
    """The evidence."""


Bend = Callable[[Core, Any], "Payload | Ready | None"]
"""Makes, from the due payload, the payload to sign instead or the messages to send unchanged.

None waits for a better chance.
"""


class How(Enum):
    """The way in which a cheat is done; `evidence` is what outsiders get to see of it."""

    INSTEAD = "instead of the true entry", "the entry"
    LATE = "instead of the true entry, when others have written theirs", "the entry"
    BESIDE = "besides the true entry, to one peer only", "two entries"
    UNASKED = "in a step in which it has nothing to write, or besides what it writes", "the entry"
    FORCED = "as the first entry of its own table", "the entry"
    UNSIGNED = "without a good signature of its own, to one peer only", "none"
    IDLE = "so that it never counts", "none"
    SILENT = "by writing nothing any more, with its links up", "the record"
    AWAY = "by leaving for good", "the record"
    BRANCH = "by going on otherwise, before a seat that has lost its record's end", "none"
    LOOKS = "by leaving once a partner alone has seen a tile", "the record"
    KICKED = "by asking for a seat again, when the host has taken it back", "none"
    CROWD = "by asking for seats with more keys than there are players", "none"
    PARTED = "by agreeing with each half of the others, who do not see each other", "statements"
    DAMAGED = (
        "by going on otherwise, before a seat with one bit flipped in record and journal each",
        "none",
    )

    def __init__(self, words: str, evidence: str) -> None:
        self.words = words
        self.evidence = evidence


_BINDING: Final = (How.INSTEAD, How.LATE, How.BESIDE, How.UNASKED, How.FORCED, How.PARTED)
"""Ways that convict before anybody."""


def due_body(ledger: Ledger, seat: int, payload: Payload) -> Body:
    """Return the body of the entry that a seat writes with this payload for the due step."""
    state = ledger.state
    return Body(state.log_id, state.step, state.head, seat, ledger.poll.number, payload)


def signed_truly(core: Core, body: Body) -> SignedEntry:
    """Return the entry with this body, under a valid signature of the cheater."""
    return sign_entry(core.context.signer, body)


class Cheat(NamedTuple):
    """A way to cheat: when to do it, what to sign instead, and which check finds it."""

    name: str
    kinds: tuple[type[Any], ...]
    """The kinds of due entry at which it is done; none if it is done unasked."""
    bend: Bend
    """Makes the lie from the due payload."""
    check: CheckCode | None = None
    """The check that finds it."""
    how: How = How.INSTEAD
    sign: Callable[[Core, Body], SignedEntry] = signed_truly
    """Puts a signature to the lie, good or not."""
    shown: type[Any] | None = None
    """The kind of later entry at which `check` finds it; None if the lie itself shows it."""
    phase: Phase | None = None
    """The only phase in which it is done; None for any."""
    place: Settings | None = None
    """A table at which it has its chance, if other games give it none."""
    leaver: bool = False
    """True if another seat has left before."""
    back: bool = False
    """True if another seat has left before, and has come back at once."""
    backed: bool = False
    """True if the host helps."""
    host: bool = False
    """True if the host cheats."""
    floods: bool = False
    """True if it costs the cheater its links."""
    elsewhere: bool = False
    """True if the same people have played at another table before."""
    goes_on: Callable[[Core], Iterator[ReceivedStatement]] | None = None
    """Says more until the poll is over; until then the lie binds the cheater's seat."""
    within_s: float | None = None
    """For a cheat that only delays: the seconds within which the game is over."""
    first_seed: int = 0
    """The first seed to try: no lower one gives a chance that could do harm."""
    play: Callable[[int, Cheat], Aftermath | None] | None = None
    """Plays the game of a seed, for a cheat that needs its own game."""
    about: str = ""
    """An addition to the name in docs/cheats.md: what is signed or sent, or the result."""

    @property
    def is_beside(self) -> bool:
        """True if the cheater writes the true entry as well."""
        return self.how in (How.BESIDE, How.UNASKED, How.UNSIGNED, How.IDLE)

    @property
    def is_silence(self) -> bool:
        """True if the cheater writes no more entries."""
        return self.how in (How.SILENT, How.AWAY)

    @property
    def convicts_nobody(self) -> bool:
        """True if nobody is accused: the cheat is a silence, or never counts."""
        return self.is_silence or self.how is How.IDLE

    @property
    def binds(self) -> bool:
        """True if the signatures convict their author in the eyes of any third party."""
        return self.how in _BINDING


def flip(octets: bytes, at: int = -1) -> bytes:
    """Return the octets with one bit changed, or one octet if there are none."""
    if not octets:
        return b"\x01"
    changed = bytearray(octets)
    changed[at] ^= 1
    return bytes(changed)


def cheat(
    name: str,
    kinds: type[Any] | tuple[type[Any], ...] = (),
    bend: Bend = lambda _, said: said,
    check: CheckCode | None = None,
    how: How = How.INSTEAD,
    **more: Any,  # noqa: ANN401 - any other field
) -> Cheat:
    """Return a cheat that is done at one or several kinds of due entry.

    By default `bend` changes nothing; then another field, such as `sign`, does the harm.
    """
    return Cheat(name, kinds if isinstance(kinds, tuple) else (kinds,), bend, check, how, **more)


fails_proof = partial(cheat, check=CheckCode.PROOF)
fails_shape = partial(cheat, check=CheckCode.SHAPE)
fails_rules = partial(cheat, check=CheckCode.RULES)


def says(payload: Payload) -> Bend:
    """Return a bend that signs this payload, whatever is due."""
    return lambda _, __: payload


def with_fields(**changes: Callable[[Any], object]) -> Bend:
    """Return a bend that signs the due payload with these fields changed.

    Each value is a function that makes the new value of its field from the old one.
    """
    return lambda _, said: replace(
        said, **{name: change(getattr(said, name)) for name, change in changes.items()}
    )


def as_at_demo(word: str) -> Bend:
    """Return a bend that signs what the cheat `word` of `boneyard demo` signs."""
    return lambda core, said: LIES[word].instead(core.parts, said)


def tag(said: Struct | type[Struct]) -> str:
    """Return the wire name of a kind of entry or statement."""
    return str(said.__struct_config__.tag)


def of_another_table(core: Core, body: Body) -> SignedEntry:
    """Return an entry with this body but the id of another table, so that it never counts here."""
    return signed_truly(core, replace(body, id=flip(body.id)))
