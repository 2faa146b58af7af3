"""Nobody sits without having asked for this seat: a request is good once, where it was made."""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.limits import NEWCOMER_S
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import REQUEST_DOMAIN
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.secrets.keyring import Making
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, Sitter, kill, standard
from tests.netgame.small_games import come_late, expect_caught, expect_whole, late_table, playing


class Host(Mallory):
    """Chairs the lobby, and can sign whatever it likes there."""

    def body(self, payload: wire.Payload, seat: int | None = None) -> wire.Body:
        """A body for the due step, of the lobby too."""
        if self.state.phase is not Phase.LOBBY:
            return super().body(payload, seat)
        state = self.state
        return wire.Body(state.log_id, state.step, state.head, wire.CHAIR, 0, payload)


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
    table.run(lambda: zoe.core.key in mallory.core.parts.applicants.waiting)
    ask = mallory.core.parts.applicants.waiting[zoe.core.key]
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


# ---- newcomers who never sign -----------------------------------------------------------------


def strangers(table: SimTable, count: int) -> None:
    """Have the chair believe that so many keys, of which nobody hears again, want a seat."""
    chair = table.sitters[0].core
    for number in range(count):
        signer = make_signing_key(bytes([100 + number]) * 32)
        state = chair.state
        octets = encode(
            wire.JoinRequest(
                state.log_id, state.step, signer.public_bytes, f"Eve{number}", (), False
            )
        )
        ask = wire.JoinAsk(octets, signer.sign(REQUEST_DOMAIN, octets))
        chair.parts.applicants.waiting[PeerKey(signer.public_bytes)] = ask


@pytest.mark.parametrize("count", [1, 4])
def test_silent_newcomers_cost_a_moment_whoever_is_more(count: int) -> None:
    """Four keys at a table of two: nobody need say a word, and they are forgotten.

    Neither the seats nor the results ever name them, and the next rounds wait for nobody.
    """
    table = late_table(rounds=3, options=("patience=vote",))
    table.run(lambda: playing(table))
    strangers(table, count)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.ROSTER)
    begun = table.now
    table.run(lambda: playing(table, 1))
    assert table.now - begun < NEWCOMER_S + 2.0
    table.run_game()
    expect_whole(table)
    state = table.sitters[0].core.state
    assert [member.name for member in state.seats] != []
    assert len(state.seats) == len(state.table.past[-1]) == 2
    assert not state.gone


def test_who_is_there_is_seated_when_others_who_came_are_silent() -> None:
    """Zoe came with three keys that never sign: she has a seat after all, and plays."""
    table = late_table(rounds=3, options=("patience=vote",))
    zoe = come_late(table)
    table.run(lambda: zoe.core.key in table.sitters[0].core.parts.applicants.waiting)
    strangers(table, 3)
    table.run_game()
    expect_whole(table)
    state = table.sitters[0].core.state
    assert len(state.seats) == 3
    assert state.seats[2].key == zoe.core.key
    assert not state.gone


def test_newcomers_who_sign_and_then_keep_silent_are_forgotten_as_well() -> None:
    """Mallory signs the roster, throws no coin, and says nothing of who goes on."""

    class Silent(Mallory):
        def write(self, payload: wire.Payload | Making) -> None:
            if not isinstance(payload, wire.CoinCommit):
                super().write(payload)

        def decide(self) -> None:
            pass

    table = late_table(rounds=2, options=("patience=vote",))
    table.run(lambda: playing(table))
    mallory = table.seat("Mallory", core_class=Silent)
    table.run(lambda: mallory.core.key in table.sitters[0].core.parts.applicants.waiting)
    strangers(table, 2)
    table.run(lambda: playing(table, 1))
    state = table.sitters[0].core.state
    assert len(state.seats) == 2
    table.run(lambda: all(sitter.finished for sitter in table.sitters[:2]))
    assert not table.sitters[0].faults()


def test_who_never_signs_the_first_roster_is_given_up_soon() -> None:
    """One of four sits down in the lobby and is never heard of again."""

    class Silent(Mallory):
        def write(self, payload: wire.Payload | Making) -> None:
            pass

    settings = wire.Settings("standard", (), 6, 4, 1, 4, ("patience=vote",))
    table = SimTable(settings, bytes([9]) * 32)
    for number, name in enumerate(("Ann", "Ben", "Cy")):
        table.seat(name, start_at=None if number else 4)
    table.seat("Eve", core_class=Silent)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.ROSTER)
    begun = table.now
    table.run(lambda: playing(table))
    assert table.now - begun < NEWCOMER_S + 2.0
    assert len(table.sitters[0].core.state.seats) == 3
