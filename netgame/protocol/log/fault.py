"""Judgements on entries by the checks of protocol.md §7, and the faults they can prove."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, NamedTuple, assert_never

from engine.refusals import Refusal
from netgame.crypto.batch import Batch, Weights
from netgame.crypto.group import Entropy
from netgame.frozen import FrozenStruct
from netgame.protocol.log.entry import Entry, read_entry
from netgame.wire.messages import RoundOver, SignedEntry, SignedStatement


class CheckCode(Enum):
    """The checks 7.1 to 7.15 of protocol.md, in their order; evidence files use these names.

    Every entry, including this seat's own, must pass the checks up to `proof` before it counts.
    `shuffle` and `audit` judge what is already in the log; `cut` judges what is signed in a poll.
    """

    SIZE = "size"
    CANONICAL = "canonical"
    TABLE = "table"
    AUTHOR = "author"
    SIGNATURE = "signature"
    FORK = "fork"
    LINK = "link"
    TURN = "turn"
    KIND = "kind"
    SHAPE = "shape"
    RULES = "rules"
    PROOF = "proof"
    SHUFFLE = "shuffle"
    AUDIT = "audit"
    CUT = "cut"


class FaultKind(Enum):
    """The forms that a fault can take; whether it stops the table depends on its form."""

    BAD_ENTRY = "bad entry"
    """An entry that is in no honest log: it fails one of the checks 7.8 to 7.12, or its signature
    is wrong."""
    FORK = "fork"
    """Two bodies for one slot."""
    PAIR = "pair"
    """Two statements of which no honest seat signs both."""
    BESIDE = "entry beside a statement"
    """An entry that a promise or parting of its author rules out."""
    FALSE_STATEMENT = "false statement"
    """A statement that no honest seat signs, in any circumstances."""
    SHOWN = "shown by the log"
    """Something that the log itself shows: a false shuffle, equal keys, a broken rule."""


class Offence(Enum):
    """A fault in a player's terms: what its author did."""

    ENTRY = "false entry"
    """The rules or the proofs refuse an entry: an illegal move, a false proof."""
    SCORE = "wrong score"
    TWICE = "two entries"
    """Two different entries where one was due."""
    VOTE = "false vote"
    """A statement in a poll on who goes on that is false by itself, or that contradicts another
    statement or an entry."""
    DEAL = "false deal"
    """A false shuffle or a broken rule, which only the later log shows."""


class Finding(FrozenStruct):
    """The check that an entry or statement fails, and what its author did."""

    check: CheckCode
    says: str
    """A sentence without its subject."""
    refusal: Refusal | None = None
    """The broken rule of the game, if that is the reason."""


class ProofKind(Enum):
    """The kinds of proof, by what a proof shows, in a player's terms."""

    SHUFFLE = "shuffle"
    """A deck or a mixed hand holds the tiles that it held before, each once."""
    KEY = "key"
    """A seat has opened the round key that it had committed to, or has laid open the secret of its
    own key."""
    LOCK = "lock"
    """The locks that a seat has taken off other seats' tiles were its own."""
    TILE = "tile"
    """The tiles that a seat has shown are those that it held."""
    HAND = "hand"
    """A seat has told the truth about its hand with a draw, a pass or a declaration."""
    BONEYARD = "boneyard"
    """The tiles that have gone back into the boneyard are those that had to go back."""


class Claim(NamedTuple):
    """A proof to be checked, or a comparison that goes with one."""

    holds: Callable[[Weights], bool]
    """Returns True if the claim is true; takes the weights for summing its equations. With a
    `Batch`, they are only added to it, and the result counts only once the batch holds."""
    says: str
    """What the author has done if the claim is false: a sentence without its subject."""
    terms: int = 100
    """Its cost: about this many multiplications."""
    kind: ProofKind | None = None
    """The kind of the proof; None for a comparison that only makes sense after the proof before
    it."""


_BRIEF_TERMS: Final = 8
"""This many multiplications take a quarter of a millisecond, like handing work to a thread."""


class PendingProof:
    """The claims that are still to be checked before an entry counts.

    `run` checks them, in any thread. It changes no state, except that it adds to a batch if given
    one.
    """

    def __init__(self, *claims: Claim) -> None:
        self._claims = claims
        self.is_brief = sum(claim.terms for claim in claims) <= _BRIEF_TERMS
        self.kinds = tuple(claim.kind for claim in claims if claim.kind is not None)
        """The kind of each proof among the claims."""

    def run(self, by: Weights) -> Finding | None:
        """Return the finding of the first claim that does not hold, or None if all hold.

        With a batch, None means only that they all hold if the batch does.
        """
        false = (claim for claim in self._claims if not claim.holds(by))
        first = next(false, None)
        return None if first is None else Finding(CheckCode.PROOF, first.says)


def judge_together(judgings: Sequence[PendingProof], entropy: Entropy) -> list[Finding | None]:
    """Run several pending proofs as one sum or, if that does not hold, each by itself.

    Return, in the order given, a finding for each that fails and None for each that holds.
    """
    batch = Batch(entropy)
    if len(judgings) > 1 and not any(each.run(batch) for each in judgings) and batch.holds():
        return [None] * len(judgings)
    return [each.run(entropy) for each in judgings]


class Fault(FrozenStruct):
    """A finding, its culprit, and the signed entries or statements that prove it to anybody."""

    kind: FaultKind
    finding: Finding
    key: bytes
    """The culprit's key; empty if it is not known."""
    step: int
    entries: tuple[SignedEntry, ...]
    sender: bytes = b""
    """The key of the peer that sent an entry with a wrong signature, which proves nothing against
    anybody else; empty for any other fault."""
    shown: int | None = None
    """The done step that shows a `SHOWN` fault. Later entries prove nothing."""
    statements: tuple[SignedStatement, ...] = ()
    """Statements of a poll that prove it, by themselves or beside an entry, with all the statements
    that they are based on. The two halves of a `PAIR` come first."""
    head: bytes = b""
    """The digest of the step `shown`."""

    @property
    def offence(self) -> Offence:
        """The offence of its author, in a player's terms."""
        match self.kind:
            case FaultKind.BAD_ENTRY:
                is_score = isinstance(read_entry(self.entries[0]).payload, RoundOver)
                return Offence.SCORE if is_score else Offence.ENTRY
            case FaultKind.FORK:
                return Offence.TWICE
            case FaultKind.PAIR | FaultKind.BESIDE | FaultKind.FALSE_STATEMENT:
                return Offence.VOTE
            case FaultKind.SHOWN:
                return Offence.DEAL
        assert_never(self.kind)


def bad_entry(entry: Entry, key: bytes, finding: Finding) -> Fault:
    """Return the `Fault` of a bad entry; `key` is its author's, or empty if unknown."""
    return Fault(FaultKind.BAD_ENTRY, finding, key, entry.step, (entry.signed,))


def fork(one: Entry, other: Entry, key: bytes) -> Fault:
    """Return the `Fault` of the holder of `key`, who signed both of these entries for one slot."""
    finding = Finding(CheckCode.FORK, "signed two different entries for one slot")
    return Fault(FaultKind.FORK, finding, key, other.step, (one.signed, other.signed))


class Garbage(FrozenStruct):
    """7.1, 7.2: an unreadable entry, which convicts no author; its sender breaks the protocol."""

    reason: str


class Stray(FrozenStruct):
    """7.3, 7.4: an entry of another table or epoch, or of an author that its step does not have."""


class Repeat(FrozenStruct):
    """The slot already has an entry with this very body."""


class Later(FrozenStruct):
    """An entry of a step, a poll or an epoch that our log has not reached yet."""

    entry: Entry


class Unlinked(FrozenStruct):
    """7.7: an entry of the due step or a done one, linked to a history that differs from ours."""

    entry: Entry


class Guilty(FrozenStruct):
    """A fault in an entry: proved, unless it is a wrong signature, which convicts nobody."""

    fault: Fault


def guilty(entry: Entry, key: bytes, finding: Finding) -> Guilty:
    """Return the judgement that an entry is bad; `key` is its author's, or empty if unknown."""
    return Guilty(bad_entry(entry, key, finding))


class Accepted(FrozenStruct):
    """An entry that passes every check that can be made at once."""

    entry: Entry
    judging: PendingProof | None
    """The proofs that are still to be run; None if there are none."""
    beside: Fault | None = None
    """The fault of its author, if a promise or parting rules the entry out (7.15). The entry is
    accepted all the same: seats that do not know that statement have followed it."""


Judgement = Garbage | Stray | Repeat | Later | Unlinked | Guilty | Accepted
