"""Sentences about the shuffle: who mixed, what was checked, and what is not fair."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.language import ENGLISH, speak
from cli.scene import scene_of
from cli.wording.fair import FINGERPRINTS, fair_texts, unclaimed
from cli.wording.notices import notice_text
from cli.wording.round_end import card_sentences
from engine.table.trains import Seat
from netgame.protocol import notices
from netgame.protocol.log.fault import Offence, ProofKind
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage
from tests.cli.brackets import words
from tests.cli.fakes import seats_of, view_of
from tests.cli.render.test_round_card import card
from tests.cli.scenes import scene_after, scenes_of

SCENE = scene_after(9, 4, 3)
ALL = tuple(map(Seat, range(4)))
PROOFS = ((ProofKind.SHUFFLE, 3), (ProofKind.TILE, 1), (ProofKind.HAND, 8))


def fair(own=b"Ana", **facts):
    """Return the text of `fair` at this table, as the person with the key `own` reads it.

    `seed` and `returns` are passed to `fair_texts`; all other `facts` replace those of the view.
    """
    how = {name: facts.pop(name) for name in ("seed", "returns") if name in facts}
    view = view_of(SCENE, **{"mixers": ALL, "proofs": PROOFS} | facts)
    return " ".join(fair_texts(view, own, **how))


def test_who_mixed_and_how_much_was_checked_is_counted():
    """The mixers are named, the reader last, and the proofs of each kind are counted."""
    said = fair()
    assert said.startswith("Ben, Cy, Dora and you mixed the deck of round 1 in turn.")
    assert (
        "Your program has checked 12 proofs from the others here, and all were good: "
        "3 for shuffles, 1 for tiles shown and 8 for draws and passes."
    ) in said
    assert "boneyard demo" in said


def test_who_came_back_reads_what_was_checked_since():
    """A player who has come back reads how many proofs were checked since then, if any."""
    assert "Since you came back your program has checked 12 proofs" in fair(returns=True)
    assert "has checked" not in fair(returns=True, proofs=())


def test_an_onlooker_is_told_that_one_honest_mix_is_enough():
    """A watcher or latecomer, who has not mixed, reads that one honest mix is enough."""
    assert "Your own mix is enough" in fair()
    for facts in ({"own": OwnPlace.WATCHING}, {"mixers": ALL[1:], "seat": Seat(0)}):
        key = b"Zoe" if "own" in facts else b"Ana"
        view = view_of(SCENE, **{"mixers": ALL} | facts)
        said = " ".join(fair_texts(view, key))
        assert "One honest mix is enough: unless everybody who mixed works together" in said
        assert "you mixed" not in said


@pytest.mark.parametrize(
    ("bots", "host", "said"),
    [
        (1, b"Ben", "Dora is a bot in Ben's program: count the two as one."),
        (2, b"Ben", "Cy and Dora are bots in Ben's program: count them and Ben as one."),
        (1, b"Ana", "Dora is a bot in your own program: count the two of you as one."),
        (2, b"Ana", "Cy and Dora are bots in your own program: count them and you as one."),
        (2, b"Zoe", "Cy and Dora are bots in the host's program: count them as one."),
    ],
)
def test_bots_of_a_program_are_no_mixers_of_their_own(bots, host, said):
    """The text says that bots count as one mixer with the player who runs them, if any."""
    names = SCENE.names
    seats = seats_of(*names[: 4 - bots]) + seats_of(*names[4 - bots :], bot=True)
    assert said in fair(seats=seats, host_key=host)
    assert "bot" not in fair()


def test_a_game_from_a_seed_is_not_called_fair():
    """`fair` says what a seed gives away, and the notices of such a game name no mixers."""
    said = fair(seed=7)
    assert "This game is dealt from seed 7: whoever knows that number" in said
    assert "enough" not in said
    end = notices.LaidOpen(SCENE.table, ((),) * 4, ALL)
    for notice in (notices.Dealt(0, ALL), notices.RoundOver((), end), notices.GameOver((), end)):
        told = unclaimed(notice)
        assert not (told.mixers if isinstance(told, notices.Dealt) else told.end.mixers)
    assert unclaimed(notices.YourTurn()) == notices.YourTurn()


def test_who_was_found_out_is_named():
    """`fair` says, exactly once, which player the program has caught cheating."""
    cheat = seats_of("Ben", offence=Offence.ENTRY, fault="Ben did that.")
    seats = (*seats_of("Ana"), *cheat, *seats_of("Cy", "Dora"))
    said = fair(seats=seats)
    assert "all were good" not in said
    assert said.count("It has caught Ben.") == 1


def test_before_a_deal_it_says_what_will_be():
    """In a lobby `fair` says who will mix the deck, and explains the fingerprints.

    During the first deal it says who has mixed so far. If nobody has mixed the deck of the round,
    it says that none was dealt.
    """
    lobby = fair(stage=TableStage.LOBBY, table=None, mixers=(), proofs=())
    assert lobby.startswith("No deck is mixed yet. Everybody here will mix each one in turn")
    assert FINGERPRINTS in lobby
    note = notices.DealStage(notices.DealPhase.DECK, "Ben")
    deals = fair(stage=TableStage.DEALING, table=None, mixers=(), proofs=(), deal_note=note)
    assert deals.startswith("Everybody is mixing the first deck right now: mixed by Ben.")
    assert FINGERPRINTS not in deals
    assert fair(mixers=()).startswith("No deck was dealt yet.")


def test_every_deal_and_every_card_say_by_how_many_the_deck_was_mixed():
    """Notices of a deal and round cards say how many seats mixed the deck, if that is known."""
    told = notice_text(SCENE, notices.Dealt(0, ALL))
    assert told.startswith("Round 1 of ")
    assert told.endswith("begins. Mixed by 4, proved.")
    assert "Mixed" not in notice_text(SCENE, notices.Dealt(0))
    search = next(iter(scenes_of("walnut", 1)))
    sought = notice_text(search, notices.Dealt(0, ALL[:3]))
    assert sought == "Round 1 of 10 is dealt. Mixed by 3, proved. Who has the engine?"
    shown = card(9, 4)
    assert "Mixed by 4, proved." in card_sentences(shown)[-1]
    unsaid = replace(shown, end=structs.replace(shown.end, mixers=()))
    assert "Mixed" not in " ".join(card_sentences(unsaid))


def test_a_scene_knows_who_mixed():
    """A scene made from a view includes the seats that mixed the deck."""
    found = scene_of(view_of(SCENE, mixers=ALL))
    assert found is not None
    assert found.mixers == ALL


@pytest.mark.usefixtures("spanish")
def test_spanish_says_all_of_it():
    """The Spanish text of `fair` begins in Spanish and has none of its English words."""
    facts = {"seats": seats_of("Ana", "Ben") + seats_of("Cy", "Dora", bot=True), "host_key": b"Ben"}
    said = fair(**facts)
    assert said.startswith("El mazo de la ronda 1 lo han barajado, por turno: Ben, Cy, Dora y tú.")
    speak(ENGLISH)
    same = words(said) & words(fair(**facts))
    assert same == {"Ben", "Cy", "Dora", "bots", "boneyard", "demo", "a", "no"}
