"""Bugs about talk and its authors, about repeated talk, and about who opens the next table."""

from netgame.protocol.peer.people.another_game import AnotherGame
from netgame.protocol.peer.people.talk import Talk
from netgame.wire.messages import Again
from tests.lab.simulation.planted.swaps import bug


@bug("a line that was heard before is shown again", Talk, "_is_new")
def _always_new(self, author, line):
    return True


@bug("a line is shown as that of who has passed it on", Talk, "hear")
def _by_its_bearer(true, self, key, chat):
    show = Talk._show
    Talk._show = lambda self, author, line: show(self, key, line)
    try:
        true(self, key, chat)
    finally:
        Talk._show = show


@bug("whoever is in opens the table", AnotherGame, "hear")
def _all_open(true, self, key, again):
    del again
    true(self, key, Again(opens=True))
