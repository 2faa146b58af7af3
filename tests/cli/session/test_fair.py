"""`fair` at a table: it tells what this player's node has checked."""

import pytest

from cli.scene import RoundCard
from cli.session.endings.last_words import last_words
from cli.session.loop import sit
from cli.session.verbs.fair import Fair
from cli.session.verbs.reading import parse
from engine.table.trains import Seat
from netgame.protocol import notices
from netgame.protocol.log.fault import ProofKind
from netgame.protocol.peer.view import TableStage
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.scenes import scene_after

SCENE = scene_after(9, 3, 4)
ALL = tuple(map(Seat, range(3)))


async def told(*lines, notice=None, **how):
    """Return the screen of Ana, who types these lines at this table and hears this notice."""
    node = FakeNode(SCENE, mixers=ALL, proofs=((ProofKind.LOCK, 5),))
    node.key = b"Ana"
    front = FakeFront(*lines)
    node.tell(*filter(None, [notice]))
    await sit(node, front, sitting_with(**how))
    return front


@pytest.mark.parametrize("word", ["fair", "shuffle", "verify", "proof", "FAIR", "limpio", "prueba"])
def test_it_has_the_words_that_people_try(word):
    """The words that people try for `fair`, in upper or lower case, all mean that command."""
    assert parse(word) == Fair()


async def test_it_says_who_mixed_and_what_was_checked():
    """`fair` shows one page with the mixers, the checked proofs and `boneyard demo`."""
    front = await told("fair")
    (page,) = (said for said in front.said if "mixed the deck" in said)
    assert "Ben, Cy and you mixed the deck of round 1" in page
    assert "Your program has checked 5 proofs from the others here" in page
    assert "boneyard demo" in page


def test_the_end_of_a_game_says_how_many_proofs_were_checked():
    """The last sentence of a game counts the checked proofs, if there are any.

    After a game from a seed it does not.
    """
    node = FakeNode(SCENE, proofs=((ProofKind.LOCK, 5), (ProofKind.HAND, 2)))
    (said,) = last_words(node, sitting_with())
    assert said.startswith("Everybody shuffled every deck")
    assert said.endswith("Your program has checked 7 proofs of the others.")
    (seeded,) = last_words(node, sitting_with(resumable=False))
    assert "checked" not in seeded
    (none,) = last_words(FakeNode(SCENE), sitting_with())
    assert "checked" not in none


async def test_it_knows_a_game_from_a_seed_and_a_return():
    """`fair` has its own sentences for a game from a seed, and for a player who has come back."""
    seeded = " ".join((await told("fair", resumable=False)).said)
    assert "dealt from seed 1" in seeded
    back = " ".join((await told("fair", returns=True)).said)
    assert "Since you came back your program has checked 5 proofs" in back


async def test_nothing_is_claimed_of_decks_from_a_seed():
    """In a game from a seed, neither the deal nor the card claims that the deck was mixed."""
    end = notices.LaidOpen(SCENE.table, ((),) * 3, ALL)
    for how, claims in (({}, True), ({"resumable": False}, False)):
        dealt = await told(notice=notices.Dealt(0, ALL), **how)
        assert any("Mixed by 3, proved." in said for said in dealt.said) == claims
        over = await told(notice=notices.RoundOver((), end), **how)
        (card,) = (each for each in over.shown if isinstance(each, RoundCard))
        assert bool(card.end.mixers) == claims


class Watched(FakeFront):
    """A fake screen that records the places that it is told to draw."""

    def __init__(self, *lines) -> None:
        super().__init__(*lines)
        self.places: list[object] = []

    def scene_is(self, place, status, *beside) -> None:
        """Record the place."""
        self.places.append(place)
        super().scene_is(place, status, *beside)


async def test_what_hangs_on_a_wall_claims_nothing_of_a_seed():
    """A wall in a game from a seed names nobody as having mixed the deck."""
    for how, mixers in (({}, ALL), ({"resumable": False}, ())):
        front = Watched()
        await sit(FakeNode(SCENE, mixers=ALL), front, sitting_with(**how))
        assert {place.mixers for place in front.places} == {mixers}


async def test_a_lobby_answers_too():
    """In a lobby `fair` says that no deck is mixed yet, and `who` explains the fingerprints."""
    node = FakeNode(SCENE, stage=TableStage.LOBBY, table=None, hand=None, spec=None)
    front = FakeFront("fair", "who")
    await sit(node, front, sitting_with())
    said = " ".join(front.said)
    assert "No deck is mixed yet." in said
    assert said.count("fingerprint of that player's key") == 2
