"""What a record or an evidence file turned out to be, for whoever was not there [protocol.md §6].

A file is good as a record or as evidence, or it is hearsay, or it is refused. Only good evidence
has a culprit; `ok` and `culprit` follow from the kind, so that hearsay cannot have either. Behind a
file stand keys: every key that sat or chaired, and how much of it that key signed. Names are what
people call themselves; one program can hold several keys, as a host does for its bots, so keys are
not people: whoever cares compares fingerprints.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from netgame.protocol.fold.phases import Member
from netgame.protocol.fold.state import State
from netgame.protocol.log.entry import Entry
from netgame.protocol.text import fingerprint

KEYS_ARE_NOT_PEOPLE: Final = (
    "A name stands for a key, not for a person: one program can hold several keys, as a host does "
    "for its bots. Compare the fingerprints with those of the people you mean."
)


@dataclass(frozen=True, slots=True)
class Signatory:
    """One key of a record: `key` is 64 hex digits, `entries` how many it signed.

    `name` is empty for a host without a seat; `bot` is what it said of itself when it sat down.
    """

    name: str
    key: str
    fingerprint: str
    entries: int
    host: bool
    bot: bool


@dataclass(slots=True)
class Signers:
    """Counts while a record is read."""

    _entries: dict[bytes, int] = field(default_factory=dict)
    _members: dict[bytes, Member] = field(default_factory=dict)
    _host: bytes = b""

    def note(self, entry: Entry, before: State, after: State) -> None:
        """Count an entry that holds, and remember who has come to the table with it."""
        self._host = after.host
        key = before.author_key(entry.step, entry.seat) or after.host
        self._entries[key] = self._entries.get(key, 0) + 1
        for members in (after.members, after.seats):
            self._members.update((member.key, member) for member in members)

    def all(self) -> tuple[Signatory, ...]:
        """Return every key that signed or had a seat, the host's chair first if it had none."""
        keys = dict.fromkeys(
            (*(() if self._host in self._members else (self._host,)), *self._members)
        )
        return tuple(self._signer(key) for key in keys if key)

    def _signer(self, key: bytes) -> Signatory:
        member = self._members.get(key)
        return Signatory(
            name="" if member is None else member.name,
            key=key.hex(),
            fingerprint=fingerprint(key),
            entries=self._entries.get(key, 0),
            host=key == self._host,
            bot=member is not None and member.bot,
        )


class VerdictKind(Enum):
    """What a file shows to anybody."""

    RECORD = "record"
    """A game, with all that it stands on."""
    EVIDENCE = "evidence"
    """That somebody has signed what no honest seat signs."""
    HEARSAY = "hearsay"
    """That a witness says something of another, which nothing in the file proves."""
    REFUSED = "refused"
    """Nothing."""


_GOOD = (VerdictKind.RECORD, VerdictKind.EVIDENCE)


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """What a file turned out to be; `head` is 128 hex digits, `scores` one row a round.

    `accused` is whom evidence convicts, or whom a witness names. `signers` are the keys that stand
    behind the file, which are not people.
    """

    kind: VerdictKind
    sentence: str
    finished: bool = False
    entries: int = 0
    steps: int = 0
    head: str = ""
    names: tuple[str, ...] = ()
    scores: tuple[tuple[int, ...], ...] = ()
    winners: tuple[str, ...] = ()
    accused: str = ""
    check: str = ""
    signers: tuple[Signatory, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the file proves what it says; no word of a witness does."""
        return self.kind in _GOOD

    @property
    def culprit(self) -> str:
        """Who is convicted by the file alone; empty for all but good evidence."""
        return self.accused if self.kind is VerdictKind.EVIDENCE else ""
