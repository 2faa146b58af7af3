"""Every set of rules that the protocol supports, played with hidden hands."""

from engine.refusals import Refusal
from engine.rules.choose import RULE_SETS
from netgame.protocol import notices
from netgame.protocol.state.lobby import spec_of
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.simtable import full_table
from tests.netgame.small_games import expect_whole
from tests.sliced import sliced


def play(preset, switches, seed, rounds=1, seats=4):
    """Play a whole game with five tiles each, and return its table."""
    settings = wire.Settings(preset, switches, 6, seats, rounds, 5)
    table = full_table(NAMES[:seats], settings, seed=bytes([seed]) * 32)
    table.run_game()
    return table


@sliced("preset", RULE_SETS, 4)
def test_a_preset_is_played_to_the_end(preset):
    """Each preset is played to the end, with the proofs of its claims, chains and calls."""
    expect_whole(play(preset, (), 1, rounds=2, seats=3))


def test_rules_that_this_program_does_not_know_make_no_table():
    """Rules that this program does not know are refused; a later revision may know them."""
    offer = wire.Settings("rules-of-tomorrow", (), 6, 3, 1, 5)
    assert isinstance(spec_of(offer, 3), Refusal)


def test_a_shuffle_between_two_deals_is_told_once():
    """A shuffle between two deals is reported once, with the leader that a draw has determined.

    Without a draw for the lead there is no such notice.
    """
    drawn = play("standard", ("first=high-draw",), 2).host
    (told,) = drawn.told_of(notices.Reshuffled)
    assert told.lead == drawn.state.table.first
    plain = play("standard", (), 2).host
    assert not plain.told_of(notices.Reshuffled)
