"""A liar shared by two quorums parts a table: each half goes on without the other.

Three play. Two of them lose sight of each other for longer than their patience; both still see the
third. With each of the two, the third makes promises and accepts, and hides them from the other.
While the two are apart nothing can show that. Once they meet, the third's signatures convict it,
and the game ends.
"""

from contextlib import suppress
from typing import Any, Final

from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.cheat import Aftermath, At, Cheat, How, cheat
from lab.simulation.cheats.convinced import not_convinced
from lab.simulation.cheats.words import accept, promise
from lab.simulation.computers.clock import Stuck
from lab.simulation.computers.small_tables import small
from lab.simulation.mishaps.faults import quiet_world
from netgame.protocol.log.entry import ReceivedStatement, filled_mask, read_statement
from netgame.protocol.peer.effects import Effect, PeerKey
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Missed, Payload, SignedStatement, Statements
from netgame.wire.statements import Promise, Proposal, bit

_THREE: Final = small(3, 4, "patience=minute")
_LIMIT_S: Final = 600.0


class _TwoFaced(Bent):
    """A peer that, once `begun`, agrees with each of the others to go on without the other one."""

    begun = False

    def __init__(self, *arguments: Any) -> None:  # noqa: ANN401 - what a core takes
        self.told: set[tuple[PeerKey, bytes]] = set()
        """The peers it has answered, with the name of each ballot or proposal that it answered."""
        super().__init__(*arguments)

    def write(self, payload: Payload | PendingPayload) -> None:
        """Write honestly until `begun`; then write nothing."""
        if not self.begun:
            super().write(payload)

    def decide(self) -> None:
        """Vote honestly until `begun`; then do nothing, for `hear_statement` answers the peers."""
        if not self.begun:
            super().decide()

    def hear_statement(self, signed: SignedStatement, sender: PeerKey | None) -> bool:
        """Hear honestly until `begun`; then only answer each peer's own ballots and proposals."""
        if not self.begun:
            return bool(super().hear_statement(signed, sender))
        said = read_statement(signed)
        if sender is not None and (sender, said.name) not in self.told:
            self.told.add((sender, said.name))
            answer = self._answer(said, sender)
            if answer is not None:
                self.send(sender, Statements((answer.signed,)))
        return False

    def _answer(self, said: ReceivedStatement, sender: PeerKey) -> ReceivedStatement | None:
        """Return a statement that agrees with one of the sender's, or None."""
        theirs, statement = self.state.seat_of(sender), said.statement
        if not isinstance(statement, Proposal | Promise) or statement.ballot.owner != theirs:
            return None
        if isinstance(statement, Proposal):
            return accept(self, said.name)
        without = (bit(seat) for seat in self.state.present if self._is_third(seat, sender))
        return promise(self, statement.ballot, without=sum(without))

    def flush(self) -> tuple[Effect, ...]:
        """Once `begun`, tell each of the others, just once, that the liar misses the other one."""
        if self.begun and not self.told:
            for key in self.context.links.greeted():
                seats = tuple(seat for seat in self.state.present if self._is_third(seat, key))
                self.told.add((key, b""))
                self.send(key, Missed(self.state.log_id, filled_mask(seats)))
        return super().flush()

    def _is_third(self, seat: int, key: bytes) -> bool:
        return self.state.company.now.keys[seat] not in (self.key, key)


def part_the_table(seed: int, _: Cheat) -> Aftermath | None:
    """Play a game in which both halves go on, meet again, and name the liar.

    Returns None if a half waits for the liar alone: nobody misses a seat that owes nothing.
    """
    world = quiet_world(seed, _THREE)
    world.open_table({2: _TwoFaced})
    halves = world.processes[:2]
    shared = world.processes[2]
    liar = shared.core
    assert isinstance(liar, _TwoFaced)
    world.run(lambda: all(p.state.phase is Phase.PLAY for p in world.processes), _LIMIT_S)
    apart = [frozenset(each.number for each in halves)]
    liar.begun, step = True, max(each.state.step for each in halves)
    world.network.part(apart)
    shared.take(liar.flush)
    try:
        world.run(lambda: all(each.state.gone for each in halves), _LIMIT_S)
    except Stuck:
        return None
    trouble = [f"{each.name} named somebody too early" for each in halves if each.core.faults]
    if len({each.state.log_id for each in halves}) < 2:
        trouble.append("both halves went on in one way: this was no attack")
    world.network.rejoin(apart)
    with suppress(Stuck):  # nobody has found anything
        world.run(lambda: all(each.core.faults for each in halves), _LIMIT_S)
    trouble += [wrong for each in halves for wrong in not_convinced(each, shared)]
    faults = ((each.name, next(iter(each.core.faults), None)) for each in halves)
    named = tuple((name, shared.name) for name, f in faults if f and f.key == shared.key)
    files = tuple(file for each in halves for file in each.records.evidence.values())
    return Aftermath(shared.name, At("accept", step), tuple(trouble), named, files=files)


PARTED_CHEATS: Final = (
    cheat(
        "a seat that two quorums share and that parts them",
        how=How.PARTED,
        play=part_the_table,
        about=(
            "while two of three do not see each other, it agrees with each that the other "
            "one goes; until the halves meet both go on, and nothing can show it"
        ),
    ),
)
