"""Nobody sits without having asked for this seat: a request is good once, where it was made."""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.limits import NEWCOMER_S
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import REQUEST_DOMAIN
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.mallory import Mallory
from tests.netgame.protocol.happenings import seated
from tests.netgame.simtable import SimTable
from tests.netgame.small_games import come_late, expect_whole, late_table, playing

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
        def write(self, payload: wire.Payload | PendingPayload) -> None:
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
        def write(self, payload: wire.Payload | PendingPayload) -> None:
            pass

    settings = wire.Settings("standard", (), 6, 4, 1, 4, ("patience=vote",))
    table = SimTable(settings, bytes([9]) * 32)
    seated(table, "Ann", "Ben", "Cy", Eve=Silent)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.ROSTER)
    begun = table.now
    table.run(lambda: playing(table))
    assert table.now - begun < NEWCOMER_S + 2.0
    assert len(table.sitters[0].core.state.seats) == 3
