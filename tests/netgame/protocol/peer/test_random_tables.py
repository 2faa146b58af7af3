"""Tables at which people come, go, are cut off and vote at random: one log, nobody accused."""

import random
from functools import partial

import pytest

from netgame.crypto.transcript import expand
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.peer import effects as fx
from netgame.wire import messages as wire
from tests.netgame.simtable import SimTable, Sitter, kill, link_all, revive

TABLES = (
    wire.Settings("standard", (), 6, 3, 3, 4, ("patience=minute", "audit=keys")),
    wire.Settings("wolf-lake", (), 6, 4, 2, 3, ("patience=minute",)),
    wire.Settings("standard", ("first=high-draw",), 6, 3, 3, 3, ("patience=minute",)),
    wire.Settings("roundhouse", (), 6, 2, 3, 3, ("patience=minute", "leaver=redeal")),
)

RESTLESS_S = 60.0


class RandomTable(SimTable):
    """A table with uneven links, whose people do something every few seconds for a minute."""

    def __init__(self, settings: wire.Settings, seed: int) -> None:
        super().__init__(settings, seed.to_bytes(32, "big"))
        self.random = random.Random(seed)
        self.arrived: dict[tuple[bytes, bytes], float] = {}
        for number in range(settings.seats):
            self.seat(f"P{number}", start_at=None if number else settings.seats)
        self.later(1.0, self.something)
        self.later(RESTLESS_S + 2, self.calm)
        self.later(RESTLESS_S + 3, lambda: None)

    def delays(self, sitter: Sitter, other: Sitter) -> tuple[float, ...]:
        """Up to a tenth of a second, in order."""
        link = (sitter.core.key, other.core.key)
        at = max(self.now + self.random.random() / 10, self.arrived.get(link, 0.0) + 1e-6)
        self.arrived[link] = at
        return (at - self.now,)

    def something(self) -> None:
        """Somebody comes late, dies for a while, loses a link, or is voted out."""
        if self.now > RESTLESS_S:
            return
        sits = [each for each in self.sitters if each.alive and each.core.place.sits(each.core.key)]
        who = self.random.choice(self.sitters)
        act = self.random.choice((self.come, self.die, self.cut_off, self.vote))
        if len(sits) > 1 and who.alive and who.core.state.phase is not Phase.LOBBY:
            act(who, sits)
        for each in self.sitters:
            each.core.view()
        self.later(self.random.expovariate(1 / 4), self.something)

    def _do_one(self, sitter: Sitter, effect: fx.Effect) -> None:
        """As ever; and a process that has nothing left to do in the middle of a game ends."""
        super()._do_one(sitter, effect)
        if sitter.finished and sitter.core.state.phase is not Phase.OVER:
            self.later(0.0, partial(kill, self, sitter))

    def come(self, _: Sitter, sits: list[Sitter]) -> None:
        """Somebody more, as long as there are few."""
        if len(self.sitters) < self.settings.seats + 3:
            self.seat("Zoe", door=self.random.choice(sits))

    def die(self, who: Sitter, _: list[Sitter]) -> None:
        """A process ends, to be started again soon or late."""
        kill(self, who)
        self.later(self.random.choice((0.5, 5.0, 30.0, 90.0)), partial(self.back, who))

    def back(self, who: Sitter) -> None:
        """It is started again, and finds the others."""
        is_over = who.core.state.phase is Phase.OVER
        if not who.alive and (is_over or not who.finished) and len(who.record) > 1:
            revive(self, who, f"life {who.lives}")
            link_all(self)

    def cut_off(self, who: Sitter, sits: list[Sitter]) -> None:
        """Two lose each other for a while."""
        other = self.random.choice(sits)
        pair = frozenset((who.core.key, other.core.key))
        self.cut.add(pair)
        self.disconnect(who, other)
        self.later(self.random.choice((1.0, 20.0)), partial(self.cut.discard, pair))

    def vote(self, who: Sitter, sits: list[Sitter]) -> None:
        """Most want to go on without somebody."""
        for each in sits:
            if each is not who and self.random.random() < 0.8:
                self.act(each, lambda parts: parts.wishes.give_up([who.core.key]))

    def calm(self) -> None:
        """All links hold from now on, and all who can are there."""
        self.cut.clear()
        for each in self.sitters:
            self.back(each)
        link_all(self)

    def is_over(self) -> bool:
        """Whether nobody has anything left to do."""
        return self.now > RESTLESS_S + 2 and all(
            each.finished or each.core.state.phase is Phase.OVER
            for each in self.sitters
            if each.alive
        )


@pytest.mark.parametrize(
    "number", [0, *(pytest.param(n, marks=pytest.mark.campaign) for n in range(1, len(TABLES)))]
)
def test_whoever_comes_and_goes_the_table_has_one_log(number: int) -> None:
    """Every log is a beginning of the longest, every record holds, and no fault is found."""
    table = RandomTable(TABLES[number], 10 + number)
    table.run(table.is_over, 3000.0)
    longest = max((each.core.ledger for each in table.sitters), key=lambda log: len(log.steps))
    assert longest.state.phase is Phase.OVER
    for each in table.sitters:
        assert not each.faults(), each.faults()
        if len(each.record) > 1:
            verdict = verify_record(each.record_octets, expand(bytes(32), "verify"))
            assert verdict.ok, verdict.sentence
        if not each.finished or each.core.state.phase is Phase.OVER:
            step, head = each.core.state.step, each.core.state.head
            assert head == longest.head_before(step)
