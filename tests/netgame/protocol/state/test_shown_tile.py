"""docs/rules.md §1.5: the heaviest tile is shown and stays in its hand; false answers convict."""

import pytest
from msgspec.structs import replace

from engine.play.hub_search import asks_heaviest
from engine.table.moves import LayTile, Show
from netgame.protocol import notices
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.state import phases
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, entries_of, ledger_until, signed_at
from tests.netgame.protocol.ledger.intake import checked_by
from tests.netgame.shared_checks import once_a_group
from tests.netgame.simtable import full_table, kill
from tests.netgame.small_games import end_whole, expect_whole

HELD = ("first=heaviest-held",)


def is_asked(state):
    """Return True if the holder of the heaviest tile must show it, and answers are due."""
    return isinstance(state.now, phases.Playing) and asks_heaviest(state.table)


def table_of(seed, switches=(), options=(), seats=3):
    """Return a table of bots with five tiles each, where the heaviest tile in a hand leads."""
    settings = wire.Settings("standard", (*HELD, *switches), 6, seats, 1, 5, options)
    return full_table(NAMES[:seats], settings, seed=bytes([seed]) * 32)


@once_a_group
def played():
    """Return a whole game in which one of the first three moves shows the heaviest tile."""
    for seed in range(40):
        game = table_of(seed)
        game.run_game()
        if any(isinstance(move, Show) for _, move in game.host.state.history[:3]):
            return game
    raise AssertionError("the heaviest tile is always in the boneyard")


def answers_of(ledger, kind):
    """Return the entries of the due step whose payload is of this kind, as written in the game."""
    found = [each for each in entries_of(played().host) if each_step(each) == ledger.state.step]
    return [read_entry(each) for each in found if isinstance(read_entry(each).payload, kind)]


def each_step(signed):
    """Return the step of an entry."""
    return read_entry(signed).step


@pytest.mark.parametrize("draws", ["draws=shown", "draws=hidden"])
@pytest.mark.parametrize(
    "switches",
    [
        (),
        ("engine=holder",),
        ("engine=highest-held",),
        ("engine=declared",),
        ("engine=first-seat",),
        ("opening=whole-train",),
        ("opening=simultaneous",),
        ("mexican=4-arms",),
    ],
    ids=" ".join,
)
def test_games_come_to_their_end_and_verify(switches, draws):
    """Games with a shown tile run to their end and verify, even with mixed hands.

    In a mixed hand, the tile is laid from a position that nobody has seen.
    """
    table = table_of(0, switches, (draws, "audit=keys"))
    table.run_game()
    expect_whole(table)
    assert any(isinstance(move, Show) for _, move in table.host.state.history)


def test_the_tile_is_opened_twice_by_who_lays_it():
    """The shown tile is opened twice, when shown and when laid, at the same position."""
    for seed in range(20):
        table = table_of(seed)
        table.run_game()
        moves = [move for _, move in table.host.state.history]
        (shown,) = (move for move in moves if isinstance(move, Show))
        laid = [m for m in moves if isinstance(m, LayTile) and m.position == shown.position]
        if laid:
            assert [(m.seat, m.tile) for m in laid] == [(shown.seat, shown.tile)]
            expect_whole(table)
            return
    raise AssertionError("nobody laid the tile that was shown")


def test_a_false_answer_convicts():
    """A false answer convicts, such as a wrong tile, a denied tile or a missing proof."""
    ledger = ledger_until(is_asked, played())
    (shows,) = answers_of(ledger, wire.Show)
    none = answers_of(ledger, wire.NoDouble)[0]
    show, denial = shows.payload, none.payload
    hands, (low, high) = ledger.state.table.hands, show.tile
    others = [at for at in hands[shows.seat] if at != show.position]
    wrong = (
        (shows.seat, replace(show, position=others[0]), CheckCode.PROOF),
        (shows.seat, replace(show, tile=(0, 1)), CheckCode.RULES),
        (none.seat, show, CheckCode.RULES),
        (none.seat, replace(show, position=hands[none.seat][0]), CheckCode.PROOF),
        (shows.seat, denial, CheckCode.PROOF),
        (shows.seat, replace(show, token=bytes(33)), CheckCode.SHAPE),
        (none.seat, replace(denial, claim=b""), CheckCode.SHAPE),
        (shows.seat, replace(show, tile=(high, low)), CheckCode.SHAPE),
    )
    for seat, payload, check in wrong:
        entry = signed_at(ledger, payload, seat, game=played())
        assert checked_by(ledger, entry) is check, payload


@pytest.mark.parametrize("leaver", ["leaver=rebuild", "leaver=redeal"])
def test_who_goes_while_it_is_asked_for_voids_the_round(leaver):
    """If a player leaves while the tile is due to be shown, the round is void and dealt again.

    The tile is then due again, and the leaver scores the hand they had.
    """
    table = table_of(0, options=("patience=minute", leaver), seats=4)
    table.run(lambda: is_asked(table.host.state))
    victim = table.sitters[3]
    kill(table, victim)
    table.run(lambda: bool(table.host.state.gone))
    assert table.host.state.table.is_called_off
    table.run(lambda: table.host.state.phase is Phase.PLAY)
    assert table.host.state.table.round_number == 0
    end_whole(table)
    (scores,) = table.host.state.table.past
    assert scores[victim.seat] == 11 + 10 + 10 + 9 + 9
    shown = [move for _, move in table.host.state.history if isinstance(move, Show)]
    assert len(shown) == 1
    assert any(isinstance(told, notices.SeatsLeft) for told in table.host.told)
