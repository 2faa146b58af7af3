"""The card of a round and the plot of a game, on wide and narrow screens."""

import pytest

from cli.render.cells import Canvas, line_cells
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS
from cli.render.round_card import card_lines, plot_lines
from cli.scene import RoundCard
from cli.wording.round_end import card_sentences, longest_text, winner_text
from engine.chance import below
from engine.play.apply import apply, score_round
from engine.play.due import due_seats
from engine.play.legal_moves import legal_moves
from engine.scoring import places
from engine.table.rounds import start_game
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from netgame.protocol.notices import LaidOpen
from tests.cli.scenes import NAMES, check_screen, spec_of

CANVASES = [
    ("120", Canvas(120, 40, UNICODE_GLYPHS)),
    ("80", Canvas(80, 24, UNICODE_GLYPHS)),
    ("80-ascii", Canvas(80, 24, ASCII_GLYPHS)),
    ("40", Canvas(40, 20, ASCII_GLYPHS)),
]
ROUNDS = [(30, 0, 12, 7), (0, 44, 9, 21), (15, 3, 0, 60), (8, 19, 33, 0), (0, 5, 71, 14)]


def card(pip_max: int = 9, seats: int = 4) -> RoundCard:
    """A round that a seed has played to its end."""
    spec, entropy = spec_of(pip_max, seats), seeded(b"card")
    table = start_game(spec, Seat(0))
    tiles = deal(table, entropy)
    while table.phase is RoundPhase.PLAY:
        seat = due_seats(table)[0]
        choices = legal_moves(table, hand_of(table, tiles, seat))
        table, _ = apply(table, choices[below(entropy, len(choices))])
    hands = tuple(
        tuple(tile for _, tile in hand_of(table, tiles, Seat(s)).tiles) for s in range(seats)
    )
    table, _ = score_round(table, hands)
    return RoundCard(LaidOpen(table, hands), NAMES[:seats], Seat(0))


@pytest.mark.parametrize(("name", "canvas"), CANVASES, ids=[name for name, _ in CANVASES])
def test_the_card_looks_as_it_was_reviewed(name, canvas):
    """Every seat with its place, points, total and tiles; nothing too wide."""
    lines = card_lines(card(), canvas)
    assert all(line_cells(line) <= canvas.columns for line in lines)
    check_screen(f"card-{name}", lines)


@pytest.mark.parametrize(("name", "canvas"), CANVASES, ids=[name for name, _ in CANVASES])
def test_the_plot_looks_as_it_was_reviewed(name, canvas):
    """A mark a seat after every round, the rounds below, and who is who."""
    lines = plot_lines(NAMES[:4], ROUNDS, canvas)
    assert all(line_cells(line) <= canvas.columns for line in lines)
    check_screen(f"plot-{name}", lines)


@pytest.mark.parametrize("rounds", [2, 13, 99])
@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_plot_fits_however_many_rounds_there_were(rounds, columns):
    """Rounds that have no room are left out; names that begin alike become numbers."""
    lines = plot_lines(("Ann", "Abe"), [(3, 7)] * rounds, Canvas(columns, 24, ASCII_GLYPHS))
    assert all(line_cells(line) <= columns for line in lines)
    assert "1 Ann" in "".join(span.text for span in lines[-1])


def test_one_round_needs_no_plot():
    """Its card says everything."""
    assert plot_lines(NAMES[:2], [(1, 2)], Canvas(80, 24, ASCII_GLYPHS)) == ()


def test_who_reads_no_tables_hears_the_card():
    """A sentence a seat, in the order of places; you are spoken to."""
    shown = card()
    said = card_sentences(shown)
    assert said[0].startswith("Round 1 of 10, engine 9=9.")
    assert sum("You have" in each for each in said) == 1
    assert len(said) == len(shown.names) + 2
    assert said[-1] == longest_text(shown)
    assert "the game" in winner_text(shown)
    first = places(shown.end.table).index(1)
    assert said[1].startswith("You have " if first == 0 else shown.names[first])
