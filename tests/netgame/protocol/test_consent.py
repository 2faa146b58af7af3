"""Nobody sits without having asked for this seat: a request is good once, where it was made."""

from __future__ import annotations

from netgame.protocol.state import Phase
from netgame.wire import messages as wire
from tests.netgame.mallory import Mallory, when
from tests.netgame.protocol.test_cheats import expect_caught
from tests.netgame.protocol.test_latecomers import come_late, playing
from tests.netgame.simtable import SimTable, Sitter, kill, standard


class Host(Mallory):
    """Chairs the lobby, and can sign whatever it likes there."""

    def body(self, payload: wire.Payload, seat: int | None = None) -> wire.Body:
        """A body for the due step, of the lobby too."""
        if self.state.phase is not Phase.LOBBY:
            return super().body(payload, seat)
        state = self.state
        return wire.Body(state.log_id, state.step, state.head, wire.CHAIR, payload)


def admissions(sitter: Sitter) -> list[wire.Admit]:
    """What the host has admitted people by, in order."""
    entries = [each for step in sitter.core.ledger.steps for each in step]
    return [each.payload for each in entries if isinstance(each.payload, wire.Admit)]


def lobby(seats: int = 4) -> tuple[SimTable, Sitter, Sitter]:
    """Mallory hosts; Ben sits and stays, Zoe has sat down and left again."""
    table = SimTable(standard(6, seats, 1))
    mallory = table.seat("Mallory", core_class=Host)
    table.seat("Ben")
    zoe = table.seat("Zoe")
    table.run(lambda: len(table.sitters[1].core.state.members) == 3)
    table.disconnect(zoe, mallory)
    table.run(lambda: len(table.sitters[1].core.state.members) == 2)
    return table, mallory, zoe


def test_a_host_cannot_seat_who_has_left_by_the_request_of_before() -> None:
    """The seat that a request asks for is given once: its second admission convicts the host."""
    table, mallory, zoe = lobby()
    old = admissions(mallory)[-1]
    assert zoe.core.key in old.request
    mallory.core.slip(old)
    table.do(mallory, mallory.core.wake(table.now))
    table.sitters.remove(zoe)
    expect_caught(table, mallory, "shape")


def test_who_has_left_the_lobby_sits_down_again_by_a_new_request() -> None:
    """Asked for anew, after the dismissal, the same person has a seat as before."""
    table, mallory, zoe = lobby()
    table.connect(zoe, mallory)
    table.run(lambda: mallory.core.state.member(zoe.core.key) is not None)
    hers = [each.request for each in admissions(mallory) if zoe.core.key in each.request]
    assert len(set(hers)) == 2
    assert not table.sitters[1].faults()


def test_a_chair_cannot_seat_who_has_left_by_the_request_of_an_earlier_round() -> None:
    """Zoe asks in the first round and goes; the scores of the second cannot bring her in."""
    table, mallory = _chaired()
    zoe = come_late(table)
    table.run(lambda: zoe.core.key in mallory.core.applicants)
    ask = mallory.core.applicants[zoe.core.key]
    kill(table, zoe)
    table.sitters.remove(zoe)
    table.run(lambda: playing(table, 1))
    _seats_with(mallory, ask)
    expect_caught(table, mallory, "shape")


def test_a_chair_cannot_seat_somebody_by_a_request_of_the_lobby() -> None:
    """Ben sat at the beginning and is lost; what seated him then is of another session."""
    table, mallory = _chaired(seats=4)
    ben = table.sitters[1]
    table.run(lambda: playing(table))
    (old,) = (each for each in admissions(mallory) if ben.core.key in each.request)
    kill(table, ben)
    table.sitters.remove(ben)
    table.run(lambda: bool(mallory.core.state.gone))
    _seats_with(mallory, wire.JoinAsk(old.request, old.signature))
    expect_caught(table, mallory, "shape")


def _chaired(seats: int = 3) -> tuple[SimTable, Sitter]:
    """A game of three rounds that Mallory hosts."""
    settings = wire.Settings("standard", (), 6, seats, 3, 4, ("patience=minute",))
    table = SimTable(settings, bytes([8]) * 32)
    names = ("Mallory", "Ben", "Cy", "Dee")[:seats]
    for number, name in enumerate(names):
        table.seat(name, core_class=Host, start_at=None if number else seats)
    return table, table.sitters[0]


def _seats_with(mallory: Sitter, *asks: wire.JoinAsk) -> None:
    """Have the chair let these in with its next scores."""
    coming = tuple(wire.Admit(ask.request, ask.signature) for ask in asks)
    mallory.core.bend = when(
        wire.RoundOver, lambda _, payload: wire.RoundOver(payload.scores, coming)
    )
