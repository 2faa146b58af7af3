"""The score sheet of one game: as text, as CSV, as JSON, or as an SVG plot of the totals."""

import csv
import io
from collections.abc import Iterator
from typing import Final
from unicodedata import normalize

from cli.history.listing import game_facts, rules_text
from cli.language import joined, say, say_count
from cli.render.cells import Canvas
from cli.render.palette import Line
from cli.render.sheets import sheet_lines
from cli.results.points import totals_of
from cli.results.summary import Summary
from engine.tiles import Tile

_HUES: Final = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#000000",
    "#F0E442",
)
"""Colours that nearly everybody can tell apart (Okabe and Ito, 2008)."""

_FORMULA: Final = ("=", "+", "-", "@")
"""Signs that make a spreadsheet take a name for a formula if the name begins with one."""


def sheet_title(told: Summary) -> str:
    """Return a title: what was played, and who won or leads, if anybody does.

    If the game ended before a round was scored, the title says so.
    """
    ahead = joined([told.players[seat].name for seat in told.winners])
    stand = say_count("{names} leads", "{names} lead", len(told.winners), names=ahead)
    if told.finished:
        won = "{names} won" if told.scores else "{names} won before a round was scored"
        stand = say(won, names=ahead)
    return f"{rules_text(told)}: {stand}" if ahead else rules_text(told)


def drawn_sheet(told: Summary, canvas: Canvas) -> tuple[Line, ...]:
    """Draw a table with rounds as rows and seats as columns, and the title below it.

    A word of the title that is wider than the canvas sticks out.
    """
    names = [each.name for each in told.players]
    hubs = [Tile(pip, pip) for pip in told.hubs]
    rows = sheet_lines(names, told.scores, told.absent, hubs, canvas)
    return (*rows, *canvas.prose(sheet_title(told)))


def csv_sheet(told: Summary) -> str:
    """Return CSV: a header, a line with number, engine and scores for each round, and the totals.

    A seat's score is empty in a round that it did not play. If latecomers were given points when
    they joined, these are in a line `start` before the rounds.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows.writerow(("round", "engine", *(_as_text(each.name) for each in told.players)))
    played = [set(told.rounds_of(seat)) for seat in range(len(told.players))]
    given = [*_given(told)]
    if any(given):
        rows.writerow(("start", "", *given))
    for number, (pip, scores) in enumerate(zip(told.hubs, told.scores, strict=True)):
        own = (score if number in played[seat] else "" for seat, score in enumerate(scores))
        rows.writerow((number + 1, f"{pip}-{pip}", *own))
    rows.writerow(("total", "", *told.totals))
    return out.getvalue()


def sheet_facts(told: Summary) -> dict[str, object]:
    """Return the sheet as data for JSON: the `game_facts`, the engines, scores, totals and places.

    A score is None in a round that its seat has not played; the points that latecomers started with
    are in `start`.
    """
    played = [set(told.rounds_of(seat)) for seat in range(len(told.players))]
    return game_facts(told) | {
        "engines": told.hubs,
        "start": [*_given(told)],
        "scores": [
            [score if number in played[seat] else None for seat, score in enumerate(row)]
            for number, row in enumerate(told.scores)
        ],
        "totals": told.totals,
        "places": told.places,
    }


def _given(told: Summary) -> Iterator[int]:
    """Yield for each seat the points that it was given for rounds it did not play."""
    for seat in range(len(told.players)):
        played = told.rounds_of(seat)
        yield sum(row[seat] for number, row in enumerate(told.scores) if number not in played)


def _as_text(name: str) -> str:
    """Return a name, with an apostrophe before it if a spreadsheet would take it for a formula.

    Full-width signs count too, because spreadsheets read them as plain ones.
    """
    return f"'{name}" if normalize("NFKC", name).startswith(_FORMULA) else name


def svg_sheet(told: Summary) -> str:
    """Return an SVG document: a plot of the totals after each round, one line per seat.

    A line begins at 0 before the first round, or for a latecomer at the round they joined in.
    Raises `ModuleNotFoundError` where the extra `svg` is not installed.
    """
    import pygal
    from pygal.style import Style

    style = Style(
        colors=_HUES,
        background="#ffffff",
        plot_background="#ffffff",
        guide_stroke_color="#dddddd",
        major_guide_stroke_color="#dddddd",
        guide_stroke_dasharray="1",
        stroke_width=3,
        major_guide_stroke_dasharray="1",
        label_font_size=14,
        major_label_font_size=14,
        legend_font_size=16,
        font_family="sans-serif",
    )
    chart = pygal.Line(
        title=sheet_title(told),
        x_title=say("Round"),
        style=style,
        js=[],
        no_prefix=True,
        dots_size=4,
        height=480,
    )
    chart.x_labels = ["0", *(str(number) for number in range(1, len(told.scores) + 1))]
    for seat, player in enumerate(told.players):
        late = 0 not in told.rounds_of(seat)
        chart.add(player.name, [None if late else 0, *totals_of(seat, told.scores, told.absent)])
    drawn: str = chart.render(is_unicode=True)
    return drawn
