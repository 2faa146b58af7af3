"""A cheat against a seat whose record has lost its end: on another branch it may reveal its hand.

Two play. When both hold their hands, the victim's record goes back to where it mixed, or to where
it committed to its key; its journal remains. The cheater forgets its own entries from there on, and
continues differently: with another key, or with the same key and both hands exchanged in its own
mixing. Nobody else can tell the victim what it has signed.

Or one bit flips in each of the victim's files, right after its mixing, and both files end there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from engine.tiles import Tile
from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.cheat import Aftermath, At, Cheat, How, cheat, tag
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import signed_entry, signed_in
from lab.simulation.computers.small_tables import small
from lab.simulation.computers.world import World
from lab.simulation.mishaps.faults import quiet_world
from netgame.crypto.masking import Masked
from netgame.crypto.shuffle import ShuffleSecret
from netgame.crypto.transcript import expand
from netgame.protocol.log.entry import Entry, frame_payload, read_entry, read_frames
from netgame.protocol.log.mending import mend_journal
from netgame.protocol.notices import FaultFound, Trouble, TroubleKind
from netgame.protocol.peer.secrets.keyring import Keyring
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Deck, KeyCommit, Opening, Payload

_TWO: Final = small(2, 7)
_LIMIT_S: Final = 600.0
_REASONS: Final = {TroubleKind.OTHER_COURSE, TroubleKind.LOST_END, TroubleKind.NO_WAY_ON}
"""The reasons for signing nothing, one of which the victim must be told."""
_PATIENCE_S: Final = 60.0
"""How long the victim is shown the other branch."""


class _HandsExchanged(Keyring):
    """A keyring whose mixing gives its seat the `held` tiles that the other seat had."""

    def __init__(self, secret: bytes, held: int) -> None:
        super().__init__(secret)
        self._held = held

    def shuffle_secret(
        self, committed: bytes, context: bytes, given: Sequence[Masked]
    ) -> ShuffleSecret:
        """Return the usual secret, with the first tiles of the deck exchanged."""
        secret = super().shuffle_secret(committed, context, given)
        order, held = list(secret.permutation), self._held
        order[:held], order[held : 2 * held] = order[held : 2 * held], order[:held]
        return replace(secret, permutation=tuple(order))


@dataclass(slots=True)
class _Branch:
    """The other branch: it exchanges both hands of `held` tiles or, with 0, takes another key."""

    held: int = 0
    lives: int = 0


class _Brancher(Bent):
    """A peer that, after a restart, has forgotten its signatures and continues differently."""

    def __init__(self, branch: _Branch, *arguments: Any) -> None:  # noqa: ANN401 - what a core takes
        signer, name, entropy, secret, addresses = arguments
        branch.lives += 1
        if branch.lives > 1 and not branch.held:
            secret = expand(secret, "another branch")(32)
        super().__init__(signer, name, entropy, secret, addresses)
        if branch.lives > 1 and branch.held:
            keyring = _HandsExchanged(secret, branch.held)
            self.author._keyring = self.author.dealer._keyring = keyring

    def recall(self, payloads: Iterable[bytes]) -> tuple[Opening, ...]:
        """Resume the table from its record alone, as if the journal were empty."""
        del payloads
        openings: tuple[Opening, ...] = super().recall(())
        return openings

    def has_been_level(self, step: int) -> bool:
        """Return False, even if its own signatures come back: no other program uses its key."""
        del step
        return False


def other_branch(seed: int, cheat: Cheat) -> Aftermath | None:
    """Play a game that branches at an entry of the victim, and return its outcome.

    Return None if the cheater does not mix last.
    """
    world = quiet_world(seed, _TWO)
    branch = _Branch()
    world.open_table({1: partial(_Brancher, branch)})
    both = world.processes
    world.run(lambda: all(each.state.phase is Phase.PLAY for each in both), _LIMIT_S)
    if both[0].state.seat_of(both[0].core.key) != 0:
        return None
    return _shown(world, cheat, branch)


def _shown(world: World, cheat: Cheat, branch: _Branch) -> Aftermath:
    """Shorten both records, let the victim hear the other branch, and return the outcome."""
    victim, cheater = world.processes
    (kind,) = cheat.kinds
    held = _tiles_of(victim)
    entries = list(victim.ledger.entries_from(0))
    at = next(n for n, each in enumerate(map(read_entry, entries)) if _is_by(victim, each, kind))
    kept = at + (kind is Deck)  # of a step of all keep nothing; of decks, the victim's own
    if kind is Deck:
        branch.held = len(held)
    for each in (victim, cheater):
        each.die()
    if cheat.how is How.DAMAGED:
        _flip_behind(victim, kind)
    signed = set(read_frames(mend_journal(victim.records.journal.octets))[0])
    before = tuple(signed_in(_first(read_frames(victim.records.disk.octets)[0], kept)))
    for each in (victim, cheater):
        payloads, _ = read_frames(each.records.disk.octets)
        each.records.disk.hold(_first(payloads, kept))
    cheater.records.journal.durable.clear()
    for each in (victim, cheater):
        each.come_back()
    until = world.time.now + _PATIENCE_S
    seen = set[Tile]()
    world.later(_PATIENCE_S, lambda: None)

    def is_over() -> bool:
        seen.update(held & _tiles_of(cheater))
        return world.time.now >= until

    world.run(is_over, _LIMIT_S)
    lies = (entry for entry in _of(cheater) if entry.signed not in entries)
    lie = next((each for each in lies if each.is_by(cheater.key)), None)
    assert lie is not None  # otherwise it has shown nothing, and this is no attack
    trouble = tuple(_wrong(victim, cheater, seen, signed))
    done = At(tag(lie.payload), lie.step)
    return Aftermath(cheater.name, done, trouble, ((victim.name, ""),), before, lie)


def _first(payloads: Sequence[bytes], entries: int) -> Iterator[bytes]:
    """Yield the frames of a record before the entry that follows its first `entries` entries."""
    header, *others = payloads
    yield header
    for payload in others:
        entries -= signed_entry(payload) is not None
        if entries < 0:
            return
        yield payload


def _entry_in(payload: bytes) -> Entry | None:
    """Return the entry in a frame of a journal, or None for another frame."""
    signed = signed_entry(payload)
    return None if signed is None else read_entry(signed)


def _flip_behind(victim: Process, kind: type[Payload]) -> None:
    """Flip a bit in the frame after the first entry of this kind in a dead seat's journal."""
    payloads, _ = read_frames(victim.records.journal.octets)
    entries = map(_entry_in, payloads)
    at = next(n for n, each in enumerate(entries) if each and isinstance(each.payload, kind))
    start = sum(len(frame_payload(each)) for each in payloads[: at + 1])
    victim.records.journal.flip(start + len(frame_payload(payloads[at + 1])) // 2, 3)


def _is_by(process: Process, entry: Entry, kind: type[Payload]) -> bool:
    return isinstance(entry.payload, kind) and entry.is_by(process.key)


def _of(process: Process) -> list[Entry]:
    ledger = process.ledger
    return [*(entry for step in ledger.steps for entry in step), *ledger.holding()]


def _tiles_of(process: Process) -> set[Tile]:
    """Return the tiles that this seat sees in its hand."""
    hand = process.core.author.hand(process.state)
    return set() if hand is None else {tile for _, tile in hand.tiles}


def _wrong(victim: Process, cheater: Process, seen: set[Tile], signed: set[bytes]) -> Iterator[str]:
    """Yield all that went wrong, in words.

    Possible faults: the cheater saw tiles, or the victim signed something, was not warned, or was
    told that somebody cheated.
    """
    if seen:
        yield f"{cheater.name} saw {len(seen)} tiles of {victim.name}"
    new = set(read_frames(victim.records.journal.octets)[0]) - signed
    if new:
        signed_anew = [_entry_in(each) for each in new]
        kinds = (type(each.payload).__name__ if each else "a statement" for each in signed_anew)
        yield f"{victim.name} signed {', '.join(sorted(kinds))}"
    told = [each.kind for each in victim.told if isinstance(each, Trouble)]
    if not _REASONS & set(told):
        yield f"{victim.name} was not told why it signs nothing, but {told}"
    accused = [each for each in victim.told if isinstance(each, FaultFound)]
    if accused:
        yield f"{victim.name} was told {accused}"


_lost = partial(cheat, how=How.BRANCH, play=other_branch)

BRANCH_CHEATS: Final = (
    _lost(
        "another key, for who has lost its tail",
        KeyCommit,
        about=(
            "one of two has lost its record's end and is told all again from the keys on; "
            "its journal knows better, so it signs nothing on this branch and tells its "
            "person"
        ),
    ),
    _lost(
        "another deck, for who has lost its tail",
        Deck,
        about=(
            "the same with the same keys, from the cheat's mixing on, with both hands "
            "exchanged; the shares of the other would open that one's first hand"
        ),
    ),
    _lost(
        "another deck, for who has a damaged journal",
        Deck,
        how=How.DAMAGED,
        about=(
            "one bit flipped in its record and one in its journal, right behind its own "
            "mixing; a seat whose journal is damaged signs nothing, and its person is told"
        ),
    ),
)
"""In the order of the game; all false signatures come after the loss."""
