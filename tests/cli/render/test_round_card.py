"""The card of a round on wide and narrow screens, and its sentences about winner and points."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.render.cells import Canvas, line_cells
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS
from cli.render.round_card import card_lines
from cli.render.sheets import score_lines
from cli.scene import Convict, RoundCard
from cli.wording.round_end import card_sentences, foot_text, held_text, won_text
from engine.play.apply import score_round
from engine.scoring import places
from engine.table.table import Ending, Outcome, Scored
from engine.table.trains import Seat
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import hand_of
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.log.fault import Offence
from netgame.protocol.notices import LaidOpen
from netgame.protocol.state.phases import Phase
from tests.cli.scenes import NAMES, check_screen, played_out, written
from tests.engine.deals import spec_of

CANVASES = [
    ("120", Canvas(120, 40, UNICODE_GLYPHS)),
    ("80", Canvas(80, 24, UNICODE_GLYPHS)),
    ("80-ascii", Canvas(80, 24, ASCII_GLYPHS)),
    ("40", Canvas(40, 20, ASCII_GLYPHS)),
]
ROUNDS = [(30, 0, 12, 7), (0, 44, 9, 21), (15, 3, 0, 60), (8, 19, 33, 0), (0, 5, 71, 14)]


def card(pip_max: int = 9, seats: int = 4, seed: bytes = b"card", **switches: str) -> RoundCard:
    """Return the card of a random round, played to its end under `standard` with these switches."""
    spec = spec_of(pip_max, seats, **switches)
    *_, tiles, table = played_out(spec, seeded(seed), Seat(0))
    hands = tuple(
        tuple(tile for _, tile in hand_of(table, tiles, Seat(s)).tiles) for s in range(seats)
    )
    table, _ = score_round(table, hands)
    mixers = tuple(map(Seat, range(seats)))
    return RoundCard(LaidOpen(table, hands, mixers), NAMES[:seats], Seat(0))


def card_where(ending: Ending, **switches: str) -> RoundCard:
    """Return the card of the first of 60 random rounds that has this ending."""
    cards = (card(seed=bytes([number]), **switches) for number in range(60))
    return next(each for each in cards if each.end.table.outcome.ending is ending)


@pytest.mark.parametrize(("name", "canvas"), CANVASES, ids=[name for name, _ in CANVASES])
def test_the_card_looks_as_it_was_reviewed(name, canvas):
    """The card fits the canvas and matches its golden screen."""
    lines = card_lines(card(), canvas)
    assert all(line_cells(line) <= canvas.columns for line in lines)
    check_screen(f"card-{name}", lines)


def test_who_reads_no_tables_hears_the_card():
    """Told in sentences, the card has a sentence for each seat, in the order of places.

    The sentence about the reader's own seat begins with "You".
    """
    shown = card()
    said = card_sentences(shown)
    assert said[0].startswith("Round 1 of 10, engine 9=9.")
    assert sum("You have" in each for each in said) == 1
    assert len(said) == len(shown.names) + 3
    assert said[1] == won_text(shown)
    assert said[-1] == foot_text(shown)
    first = places(shown.end.table).index(1)
    assert said[2].startswith("You have " if first == 0 else shown.names[first])


@pytest.mark.parametrize(("points", "said"), [(1, "1 point this"), (2, "2 points this")])
def test_one_point_is_told_as_one(points, said):
    """A sentence has "1 point" in the singular, and "points" for every other number."""
    shown = card()
    table = structs.replace(shown.end.table, past=((points,) * 4,))
    told = card_sentences(replace(shown, end=LaidOpen(table, shown.end.hands)))
    assert sum(f"has {said} round" in each for each in told) == 3


def reasons(shown: RoundCard) -> str:
    """Return the notes beside the points of all seats."""
    return " | ".join(held_text(shown, seat) for seat in range(4))


def test_the_card_says_who_won_and_how():
    """The card says who went out, who had the fewest points, or why nobody won."""
    assert won_text(card_where(Ending.OUT)).endswith("went out and won the round.")
    blocked = card_where(Ending.BLOCKED)
    table = blocked.end.table
    least = table.past[-1].index(min(table.past[-1]))
    said = won_text(replace(blocked, seat=Seat(least)))
    assert said == "Nobody could play any more: you won the round with the fewest points."
    left = structs.replace(table, now=Scored(Outcome(Ending.LEFT, None)))
    said = won_text(replace(blocked, end=LaidOpen(left, blocked.end.hands)))
    assert said == "All others have left the table: the round is over."
    off = structs.replace(table, past=(), now=Scored(Outcome(Ending.VOID, None)))
    shown = replace(blocked, end=LaidOpen(off, blocked.end.hands))
    assert "nobody scores" in won_text(shown)
    assert ";" not in reasons(shown)


def test_points_that_are_not_pips_say_why():
    """Notes explain blanks that cost more, uncounted hands, partners, and points taken or paid."""
    dear = card(blanks="25-50")
    assert "0=0 (50)" in reasons(dear)
    blocked = (card(seed=bytes([number]), blocked_winner="zero") for number in range(60))
    assert any("not counted" in reasons(each) for each in blocked)
    taken = card_where(Ending.OUT, scoring="winner-takes", ties="shared")
    assert "takes the points of the others" in reasons(taken)
    assert "for the winner" in reasons(taken)
    assert foot_text(taken).startswith("The most points win. Longest train")
    assert "with Cy" in reasons(card(partners="yes"))
    table = dear.end.table
    game = structs.replace(table.game, gone=0b10, forfeits=((Seat(1), 44),))
    gone = LaidOpen(structs.replace(table, game=game), ((), (), (), ()))
    assert "gone; 44 points for going" in reasons(replace(dear, end=gone))


def test_the_card_says_who_went_while_shares_were_due_and_how_often_so_far():
    """If a player left during a deal, the card of that round says so, and how often they have left.

    The last card of a game does not.
    """
    number = card().end.table.round_number
    gone = tuple(
        GoneSeat(name, name.encode(), 9, at, True, (), (), False, Phase.SHARES, owing=True)
        for name, at in (("Mal", number - 1), ("Eve", number - 1), ("Mal", number))
    )
    shown = replace(card(), departures=gone)
    assert foot_text(shown).endswith(" Mal left while the hands were being dealt, 2 times.")
    assert "Eve" not in foot_text(shown)
    assert "Mal" not in foot_text(replace(shown, departures=gone[:2]))
    assert "Mal" not in foot_text(replace(shown, is_last=True))


def test_the_card_says_who_cheated_if_that_came_out_in_this_round():
    """The card names a cheat convicted in its round, and says whether they are out."""
    number = card().end.table.round_number
    mal = Convict("Mal", Offence.SCORE, number, is_gone=True)
    eve = Convict("Eve", Offence.TWICE, number + 1)
    shown = replace(card(), convicts=(mal, eve))
    text = " Mal signed a wrong score (round 1). The table went on without Mal."
    assert foot_text(shown) == foot_text(card()) + text
    assert card_sentences(shown)[-1].endswith(text)
    still_here = replace(shown, convicts=(replace(mal, is_gone=False),))
    assert foot_text(still_here).endswith(" Mal signed a wrong score (round 1).")
    assert "Mal" not in foot_text(replace(shown, is_last=True))


def test_what_leaving_costs_is_said_wherever_its_points_stand():
    """Once somebody has left, the round's card and later score sheets say what leaving costs."""
    shown = card()
    assert "Leaving or being voted out" not in foot_text(shown)
    table = shown.end.table
    game = structs.replace(table.game, gone=0b10, forfeits=((Seat(1), 37),))
    gone = replace(shown, end=LaidOpen(structs.replace(table, game=game), shown.end.hands))
    assert "costs points: the heaviest tiles not yet played" in foot_text(gone)
    narrow = Canvas(40, 20, ASCII_GLYPHS)
    later = structs.replace(game, forfeits=())
    scene = replace(shown.scene, table=structs.replace(table, game=later))
    for lines in (score_lines(scene, narrow), card_lines(gone, narrow)):
        assert "or being voted out costs" in " ".join(written(lines).split())
    assert "voted out" not in written(score_lines(shown.scene, narrow))
