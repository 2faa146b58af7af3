"""The end of a game, and the games of an evening, on wide and narrow screens."""

from dataclasses import replace
from functools import partial

import pytest
from msgspec import structs

from cli.language import ENGLISH, speak
from cli.render.cells import Canvas, line_cells
from cli.render.game_end import end_lines, evening_lines, plot_lines
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS, plain_text
from cli.render.round_card import card_lines
from cli.results.highlights import Feat, Highlight, highlights, longest_trains
from cli.results.standings import with_bots
from cli.results.summary import Deeds, Player, Summary
from cli.scene import Convict
from cli.wording.game_end import (
    GameEnd,
    evening_sentences,
    foot_of_game_text,
    game_sentences,
    highlight_texts,
)
from engine.table.trains import Seat
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.log.fault import Offence
from netgame.protocol.state.phases import Phase
from tests.cli.render.test_round_card import CANVASES, ROUNDS, card
from tests.cli.scenes import NAMES, check_screen

DEEDS = (Deeds(1, 9, 2, 5, 3), Deeds(2, 4, 0, 6, 8), Deeds(0, 12, 1, 4, 9), Deeds(2, 7, 3, 4, 1))


def game(number: int = 1, names=NAMES[:4], winners=(0,), places=(1, 2, 4, 3)) -> Summary:
    """Return the summary of a finished game, by default of three people and a bot."""
    players = (Player(name, name.lower() * 9, name == "Dora") for name in names)
    return Summary(
        version=4,
        octets=0,
        preset="standard",
        switches=(),
        pip_max=9,
        rounds=5,
        players=tuple(players),
        host="ana" * 9,
        scores=tuple(ROUNDS),
        longest=((7, 5, 4, 6), (6, 9, 3, 8), (9, 2, 5, 4), (4, 4, 4, 4), (8, 3, 7, 5)),
        hubs=(9, 8, 7, 6, 5),
        winners=winners,
        finished=True,
        game=str(number),
        places=places,
        deeds=DEEDS,
    )


END = GameEnd(replace(card().scene, seat=Seat(1)), game())
EVENING = tuple(map(with_bots, (game(), game(2, winners=(1,), places=(2, 1, 3, 4)), game(3))))


DRAWN = {
    "end": partial(end_lines, END),
    "evening": partial(evening_lines, EVENING),
    "plot": partial(plot_lines, NAMES[:4], ROUNDS),
}


@pytest.mark.parametrize(("name", "canvas"), CANVASES, ids=[name for name, _ in CANVASES])
@pytest.mark.parametrize("what", DRAWN)
def test_the_end_looks_as_it_was_reviewed(what, name, canvas):
    """The end, the evening and the plot each fit their window and match a golden file."""
    lines = DRAWN[what](canvas)
    assert all(line_cells(line) <= canvas.columns for line in lines)
    check_screen(f"{what}-{name}", lines)


@pytest.mark.parametrize("seats", [9, 11, 14])
@pytest.mark.parametrize(
    "canvas", [Canvas(80, 24, UNICODE_GLYPHS), Canvas(40, 20, ASCII_GLYPHS)], ids=["80x24", "40x20"]
)
def test_the_winner_of_many_players_is_in_sight_below_the_plot(canvas, seats):
    """The last lines, which fit a low window, name the winner and list at least eight players."""
    lines = end_lines(end_of_many(seats), canvas)
    assert all(line_cells(line) <= canvas.columns for line in lines)
    check_screen(f"end-many-{seats}-{canvas.columns}x{canvas.rows}", lines)
    shown = [plain_text(line) for line in lines[6 - canvas.rows :]]
    assert any("Ana wins the game." in text for text in shown)
    assert shown[-1].endswith(" tiles.")
    assert sum("   " in text and text.split()[0].isdigit() for text in shown) >= min(seats, 8)


def end_of_many(seats: int) -> GameEnd:
    """Return the end of a five-round game of this many players, which Ana has won."""
    names = tuple(f"{NAMES[at % len(NAMES)]}{at // len(NAMES) or ''}" for at in range(seats))
    scores = [tuple((7 * at + 11 * n + 3 * at * n) % 61 for at in range(seats)) for n in range(5)]
    totals = [sum(each) for each in zip(*scores, strict=True)]
    told = structs.replace(
        game(),
        players=tuple(Player(name, name.lower() * 9, False) for name in names),
        scores=tuple(scores),
        longest=tuple(tuple((5 * at + 3 * n) % 9 + 2 for at in range(seats)) for n in range(5)),
        places=tuple(sorted(totals).index(total) + 1 for total in totals),
        deeds=tuple(Deeds(at % 3, at + 2, at % 4, at + 1, 9 - at % 5) for at in range(seats)),
    )
    return GameEnd(replace(END.scene, names=names), told)


def test_the_end_says_who_went_while_shares_were_due():
    """The foot of the end tells who left while shares were due, in which phase and how often."""
    mal = GoneSeat("Mal", b"mal", 9, 0, True, (), (), False, Phase.SHARES, owing=True)
    end = structs.replace(END, departures=(mal, mal, replace(mal, phase=Phase.DRAWN)))
    foot = foot_of_game_text(end)
    assert foot.startswith(foot_of_game_text(END))
    assert foot.endswith(
        " Mal left while the hands were being dealt, 2 times. "
        "Mal left while somebody waited to see a tile."
    )
    assert game_sentences(end)[-1] == foot


def test_the_end_says_of_all_who_cheated_and_whether_they_played_on():
    """The foot of the end tells each convict's offence, and whether that player played on."""
    mal = Convict("Mal", Offence.VOTE, 1)
    gone = replace(mal, name="Eve", offence=Offence.TWICE, is_gone=True)
    left = replace(gone, name="Joe", offence=Offence.ENTRY, farewell=True)
    foot = foot_of_game_text(structs.replace(END, convicts=(mal, gone, left)))
    assert foot == (
        f"{foot_of_game_text(END)} Mal lied in a vote (round 2). Mal played on. "
        "Eve signed two versions of one entry (round 2). The table went on without Eve. "
        "Joe signed a false entry (round 2). Joe left for good."
    )


@pytest.mark.parametrize("rounds", [2, 13, 99])
@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_plot_fits_however_many_rounds_there_were(rounds, columns):
    """A plot of any number of rounds fits the window and keeps the players' names."""
    lines = plot_lines(("Ann", "Abe"), [(3, 7)] * rounds, Canvas(columns, 24, ASCII_GLYPHS))
    assert all(line_cells(line) <= columns for line in lines)
    assert any("Ann" in plain_text(line) for line in lines)


def test_a_line_of_the_plot_begins_where_its_player_came():
    """A latecomer's line has a single mark for all the rounds before they came."""
    rounds, absent = [(9, 0, 9), (9, 0, 9), (9, 0, 0)], (0b100, 0b100, 0)
    canvas = Canvas(80, 24, ASCII_GLYPHS)
    drawn = [plain_text(line) for line in plot_lines(("Ann", "Ben", "Cy"), rounds, canvas, absent)]
    assert sum(line.partition("|")[2].partition(" Cy")[0].count("C") for line in drawn) == 2


@pytest.mark.parametrize(
    ("names", "legend"),
    [
        (("Ann", "Ada"), " A Ann, D Ada"),
        (("Ann", "Ada", "Dora"), " A Ann, B Ada, D Dora"),
        (("Al", "Al2", "Ágnes", "李"), " A Al, L Al2, Á Ágnes, B 李"),
    ],
)
def test_names_that_begin_alike_are_told_apart_by_letters(names, legend):
    """Of names that begin alike one keeps its initial; the others get other letters, not digits."""
    drawn = plot_lines(names, [range(len(names))] * 2, Canvas(16, 24, ASCII_GLYPHS))
    assert " ".join(plain_text(line).strip() for line in drawn).endswith(legend)


def test_one_round_needs_no_plot():
    """A game of one round has no plot: its card says everything."""
    assert plot_lines(NAMES[:2], [(1, 2)], Canvas(80, 24, ASCII_GLYPHS)) == ()


def test_where_names_have_no_room_beside_their_lines_they_stand_below():
    """Names without room beside their lines, as when many lines end on one row, go below."""
    drawn = [plain_text(line) for line in plot_lines(NAMES, [(1,) * 8, (2,) * 8], CANVASES[-1][1])]
    assert drawn[-2].startswith(" A Ana, B Ben")


def test_everybody_is_remembered_for_something_else():
    """Each player's highlight is a feat in which they beat all others, or else one not yet used."""
    assert highlights(game()) == (
        Highlight(Feat.BEST, 0, 2),
        Highlight(Feat.DOUBLES, 6, is_most=True),
        Highlight(Feat.DREW, 12, is_most=True),
        Highlight(Feat.COVERED, 3, is_most=True),
    )
    texts = game_sentences(END)
    assert len(set(texts)) == len(texts) == 6


def test_a_marker_that_was_up_is_a_train_that_was_open_to_all():
    """A highlight calls a train with a marker "open to all", as sentences do during the game."""
    marked = structs.replace(game(), deeds=tuple(Deeds(marked=seat * 7) for seat in range(4)))
    assert highlight_texts(marked)[3].startswith("train open to all for 21 turns")


def test_of_many_players_some_did_the_same_but_none_as_often():
    """If nine players did much the same, their highlights still include eight different ones."""
    names = (*NAMES, "Ida")
    alike = tuple(Deeds(1, seat, seat, seat, seat) for seat in range(9))
    many = structs.replace(
        game(names=names, places=tuple(range(1, 10))),
        scores=((9,) * 9, (9,) * 9),
        longest=((1,) * 9, (1,) * 9),
        deeds=alike,
    )
    assert len(set(highlights(many))) == 8
    assert evening_sentences([with_bots(many)])[2].endswith("ahead and behind: others 7-1.")


def test_the_only_round_of_a_game_is_nobodys_best():
    """In a game of one round nobody has a best round, and a player without deeds no highlight."""
    one = structs.replace(
        game(),
        scores=((9, 5, 4, 6),),
        longest=((1,) * 4,),
        deeds=(*DEEDS[:3], Deeds(0, 0, 0, 0, 0)),
    )
    told = highlights(one)
    assert told[3] is None
    assert all(each is not None and each.feat is not Feat.BEST for each in told[:3])


@pytest.mark.parametrize(("points", "is_most"), [(1, False), (6, True)])
def test_the_only_round_of_a_seat_is_not_its_best(points, is_most):
    """A seat's only round is not called its best, but others' best rounds are compared with it."""
    told = structs.replace(
        game(),
        scores=((9, points, 8, 7), (3, 50, 4, 5)),
        absent=(0, 0b10),
        longest=((1,) * 4,) * 2,
        deeds=(Deeds(),) * 4,
    )
    found = highlights(told)
    assert found[0] == Highlight(Feat.BEST, 3, 2, is_most=is_most)
    assert found[1] is None


def test_nothing_is_said_that_no_record_proves():
    """A seat that left, or whose deeds no record shows, gets no highlight.

    Without highlights, a player's sentence gives only the place, the name and the points.
    """
    left = structs.replace(game(), places=(1, 2, None, 3))
    assert highlights(left)[2] is None
    late = structs.replace(game(), longest=((7, 5, 4),))
    assert highlights(late)[3] is None
    bare = structs.replace(game(), longest=(), deeds=())
    assert highlights(bare) == (None,) * 4
    said = game_sentences(GameEnd(END.scene, bare))
    assert said[1:3] == ("1. Ana, 53 points.", "2. Ben, 71 points.")
    assert said[-1] == "The fewest points win."
    one = structs.replace(bare, scores=((1, 2, 9, 8),))
    assert game_sentences(GameEnd(END.scene, one))[1] == "1. Ana, 1 point."
    assert evening_sentences([with_bots(one)])[1].startswith("1. Ana: won 1, 1 point; ")


def test_who_reads_no_tables_hears_the_evening():
    """The title says how players are ranked.

    A player's sentence gives their wins, their points and, for each opponent, how often they
    finished ahead and behind.
    """
    order = "Ranked by wins, then by average place."
    title, first = evening_sentences(EVENING)[:2]
    assert title == f"The evening so far: 3 games. {order}"
    assert first == "1. Ana: won 2, 159 points; ahead and behind: Ben 2-1, Dora 3-0, Cy 3-0."


def test_a_low_window_still_shows_the_winner():
    """In a low window only the plot, which is above the winner, becomes lower."""
    low, high = (end_lines(END, Canvas(80, rows, ASCII_GLYPHS)) for rows in (24, 40))
    assert len(high) == len(low) + 2
    assert low[-8:] == high[-8:]
    assert "Ana wins the game." in plain_text(low[-7])


@pytest.mark.parametrize(("name", "canvas"), [CANVASES[1], CANVASES[3]], ids=["80", "40"])
def test_all_of_it_is_spanish_where_that_is_spoken(name, canvas):
    """The card, the end and the evening are all in Spanish."""
    speak("es")
    dear = card(blanks="25-50")
    drawn = [*card_lines(dear, canvas), *end_lines(END, canvas)]
    drawn += evening_lines(EVENING, canvas)
    speak(ENGLISH)
    assert max(map(line_cells, drawn)) <= canvas.columns
    check_screen(f"end-{name}-es", drawn)


def test_who_built_the_longest_own_train_is_named_only_where_there_is_one():
    """All players who share the longest own train are named; without own trains nobody is."""
    assert longest_trains(game()) == (9, (0, 1))
    assert longest_trains(structs.replace(game(), longest=((0,) * 4,))) == (0, ())
    assert longest_trains(structs.replace(game(), longest=())) == (0, ())
