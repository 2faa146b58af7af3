"""docs/rules.md §1.5: the first player, if the table chooses and no draw decides."""

import pytest

from engine.refusals import Refusal
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from tests.netgame.simtable import SimTable, kill

CHOSEN = wire.Settings("standard", ("first=chosen-rotate",), 6, 4, 1, 3)


def lobby(settings, number, people):
    """Return a table with these people in its lobby."""
    table = SimTable(settings, expand(bytes(32), "first", number)(32))
    for name in people:
        table.seat(name)
    table.run(lambda: all(len(s.view.seats) == len(people) for s in table.sitters))
    return table


def begun(table):
    """Let time pass until every living sitter sees a round."""
    table.run(lambda: all(s.view.table is not None for s in table.sitters if s.alive))


def leader(sitter):
    """Return the name of the player who begins the first round, as this sitter sees it."""
    view = sitter.view
    return view.seats[view.table.first].name


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(("asked", "begins"), [("Cy", "Cy"), ("ben", "Ben"), (None, "Ann")])
def test_the_seat_the_host_names_begins(number, asked, begins):
    """The seat that the host names begins, or else the first that sat down.

    The seating order that the coin draws makes no difference.
    """
    table = lobby(CHOSEN, number, ("Ann", "Ben", "Cy"))
    ann = table.host
    table.act(ann, lambda parts: parts.lobby_host.begin(asked))
    begun(table)
    assert {leader(sitter) for sitter in table.sitters} == {begins}


def test_a_start_that_the_rules_refuse_names_nobody():
    """A start that is refused does not decide who begins.

    The host names Ben before he is there, and nobody the second time, so the first player who
    sat down begins.
    """
    table = lobby(CHOSEN, 0, ("Ann",))
    ann = table.host
    refused = ann.core.act(lambda: ann.parts.lobby_host.begin("Ben"), table.now)
    assert isinstance(refused, Refusal)
    table.seat("Ben")
    table.run(lambda: len(ann.view.seats) == 2)
    table.act(ann, lambda parts: parts.lobby_host.begin())
    begun(table)
    assert leader(ann) == "Ann"


def test_a_name_that_nobody_has_is_told_and_somebody_begins():
    """A name that nobody has is reported, and the game begins all the same.

    Otherwise a table that starts by itself could wait for ever for a misspelt name.
    """
    table = lobby(CHOSEN, 0, ("Ann", "Ben"))
    ann = table.host
    table.act(ann, lambda parts: parts.lobby_host.begin("Zoe"))
    begun(table)
    (told,) = (told for told in ann.told if isinstance(told, notices.Trouble))
    assert (told.kind, told.facts) == (notices.TroubleKind.NOBODY_CALLED, ("Zoe", "Ann"))
    assert leader(ann) == "Ann"


def test_who_was_to_begin_and_leaves_while_the_table_forms_is_followed_by_the_next():
    """If the first player leaves while the table forms, the next player begins."""
    table = lobby(CHOSEN, 1, ("Ann", "Ben", "Cy"))
    ann, ben, cy = table.sitters
    table.act(ann, lambda parts: parts.lobby_host.begin("Ben"))
    table.act(ben, leave_for_good)
    table.later(0.1, lambda: kill(table, ben))
    begun(table)
    assert {leader(ann), leader(cy)} == {"Cy"}
