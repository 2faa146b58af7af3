"""Golden screens, wide and narrow: menus, lobbies, pages, lists and recorded rounds.

Each scene here is a function from a canvas to lines; one test draws them all.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from cli.commands.menu import _entries, _Entry, _Shown
from cli.commands.rules import _list_lines
from cli.commands.standings import _lines as standing_rows
from cli.commands.stats import stats_lines
from cli.history.film import Frame
from cli.history.listing import ToldGame, game_sentence
from cli.history.sheet import drawn_sheet
from cli.history.viewing import Viewing, answered, view_lines
from cli.house_rules.menu import Hosting, rule_sets, shown
from cli.house_rules.menu import answered as answered_by_host
from cli.joining.practice import Practice, practice_rows
from cli.language import say
from cli.learn.happenings import Happening, legend
from cli.learn.lessons import ASKED_DRAW, FIRST, ON_YOUR_OWN, SECOND, Lesson
from cli.lies import LIES
from cli.render.cells import Canvas, clip, line_cells, wrap_words
from cli.render.menu import Menu, menu_lines
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS, Span, plain_text
from cli.render.rule_sheet import offer_from, offer_lines
from cli.render.sheets import lobby_lines, switch_lines, who_lines
from cli.render.status import status_text
from cli.results.standings import standings_of
from cli.results.stats import stats_of
from cli.results.summary import Player, Summary
from cli.scene import LobbyScene
from cli.session.verbs.table import help_lines
from cli.wording.fair import fair_texts
from cli.wording.notices import notice_text
from engine.rules.choose import RULE_SETS, RuleSet, parse_rules
from engine.table.trains import Seat
from netgame.io.discovery.advert import TableAd
from netgame.io.tables.kept import SavedGame
from netgame.io.tables.notes import TableNotes
from netgame.protocol.log.fault import ProofKind
from netgame.protocol.notices import Agreed, VoteCast
from netgame.protocol.peer.people.joiner import OwnPlace
from tests.cli.render.test_sheets import playing, seat, view
from tests.cli.running import printed
from tests.cli.scenes import check_screen, scene_after, walk
from tests.engine.deals import spec_of

CANVASES = {
    "120": Canvas(120, 40, UNICODE_GLYPHS),
    "80": Canvas(80, 24, UNICODE_GLYPHS),
    "40": Canvas(40, 20, ASCII_GLYPHS),
}
ADDRESSES = ("192.168.1.4:4747", "10.0.0.7:4747")
KEY = "a" * 64


def said(texts, canvas):
    """Return these sentences as lines, wrapped to the width of the canvas."""
    return [line for text in texts for line in wrap_words(text, canvas.columns)]


# ---- before a game ----------------------------------------------------------------------------


def advert(name, number, **changes):
    """Return the advertisement of a table in its lobby, with some fields replaced."""
    ad = TableAd(
        name=name,
        table_id=f"{number:0128x}",
        fingerprint="abcd2345",
        preset="standard",
        pip_max=12,
        seats_taken=2,
        seats_offered=4,
        phase="lobby",
        addresses=("192.168.1.4",),
        port=4747,
    )
    return structs.replace(ad, **changes)


def menu(canvas):
    """The menu with a waiting game, a table to join and a table to watch."""
    text = "Resume game 12, with Benedict and Cy: your turn (walnut double-12)"
    head = "Boneyard: Mexican Train dominoes. You are Ana."
    listed = _Shown([_Entry(("resume 12",), text, None), *_entries()], head)
    playing_now = advert("Benedict", 2, preset="wolf-lake", phase="playing")
    listed.list((advert("Dora", 1, code_number=7), playing_now))
    return menu_lines(listed.as_menu(None), canvas, 1)


def practice(canvas):
    """The page on which a practice game is set up."""
    rows = practice_rows(Practice(level="normal"))
    foot = "Choosing a row changes it; Left, or -2 for row 2, goes back by one value."
    return menu_lines(Menu("Play here against bots", rows, foot), canvas, 2)


def lobby(canvas, **changes):
    """A lobby with three seats taken and a watcher; `changes` replace fields of its scene."""
    seats = (seat("Ana"), seat("Benedict"), seat("Bix", bot=True))
    scene = LobbyScene(view(seats=seats, watchers=("Dora",)), seats[0].key, ADDRESSES)
    return lobby_lines(replace(scene, **changes), canvas)


def host_lobby(canvas):
    """The host's lobby, with the code that newcomers need."""
    return lobby(canvas, code="7-otter-violin")


def lobby_of_others(*names, own, **changes):
    """Return a function that draws the lobby of a guest or a watcher."""
    seats = tuple(seat(name, bot=name == "Bix") for name in names)
    seen = view(seats=seats, is_host=False, watchers=("Dora",), own=OwnPlace.WATCHING)
    return partial(lobby, view=seen, own_key=seat(own).key, addresses=(), **changes)


def hosting(canvas):
    """The choice of rules that a host sees first."""
    return shown(Hosting(), canvas)


def hosting_list(canvas):
    """The list of all rule sets."""
    return menu_lines(rule_sets(), canvas, 1)


def hosting_rules(canvas):
    """The rules that the host has chosen."""
    chosen = answered_by_host(Hosting(), "masters-of-games").state
    return shown(chosen, canvas)


def rules_sheet(canvas):
    """The rules that a player reads before sitting down: a preset with one switch changed."""
    rules = parse_rules("walnut", {"blanks": "25-50"})
    assert isinstance(rules, RuleSet)
    return offer_lines(offer_from("walnut", rules, ("blanks",), 12, 4), canvas)


def rules_list(canvas):
    """The published rule sets."""
    return _list_lines(canvas)


def rules_switch(canvas):
    """One switch and its values."""
    return switch_lines("blanks", None, canvas)


def config(canvas):
    """The list of all settings.

    Its first line is left out, because it names a file whose path varies in length.
    """
    told = printed("config", COLUMNS=str(canvas.columns + 1))
    return [(Span(line),) for line in told.splitlines()[1:]]


# ---- at a table -------------------------------------------------------------------------------


def table_help(canvas):
    """The help page that lists every command of a game."""
    return help_lines(None, canvas, playing=True, rules=RULE_SETS["standard"])


def lobby_help(canvas):
    """The help page that lists every command of a lobby."""
    return help_lines(None, canvas, playing=False)


def word_help(canvas):
    """The help for one command."""
    return help_lines("hand", canvas, playing=True)


def waiting(canvas):
    """The list of players, a vote and the status line; one player is away and one has left."""
    scene = scene_after(12, 4, 43)
    seats = tuple(map(seat, scene.names))
    away = replace(seats[1], connected=False, missed_by=("Dora",))
    seats = (seats[0], away, replace(seats[2], connected=False, left=True), seats[3])
    table = structs.replace(scene.table, to_move=Seat(3))
    waits = replace(scene, table=table, can_move=False)
    seen = replace(playing(waits), seats=seats, needed=2)
    votes = VoteCast(
        "Dora", ("Ben",), 2, own=False, may_agree=True, agreed=(Agreed(("Ben",), ("Dora",)),)
    )
    status = clip(f" {status_text(seen)}", canvas.columns, canvas.glyphs.cut)
    voted = said([notice_text(scene, votes)], canvas)
    return (*who_lines(seen, canvas, seats[0].key), *voted, (Span(status),))


def fair(canvas):
    """The players who mixed the deck, the proofs that were checked, and what they mean."""
    scene = scene_after(12, 4, 43)
    seats = (*map(seat, scene.names[:3]), seat(scene.names[3], bot=True))
    checked = ((ProofKind.SHUFFLE, 6), (ProofKind.LOCK, 31), (ProofKind.HAND, 12))
    mixers = tuple(map(Seat, range(4)))
    seen = replace(
        playing(scene), seats=seats, mixers=mixers, proofs=checked, host_key=seats[0].key
    )
    texts = fair_texts(seen, seats[1].key)
    return [line for text in texts for line in canvas.prose(text, "   ")]


def lessons(canvas):
    """All sentences of `learn` and `learn 2`.

    They are the legend, the explanations of what others do, and the lessons.
    """
    scene = scene_after(9, 3, 5)
    reads = [legend(scene, canvas, has_board=has_board) for has_board in (True, False)]
    facts = {"name": "Ben", "tile": "9-3", "joined": 9, "pip": 3}
    shown = [say(each.value, **facts) for each in Happening]
    always = say(ASKED_DRAW), say(ON_YOUR_OWN)
    return said((*reads, *shown, *always, *_lessons()), canvas)


def _lessons():
    """Return the sentence of each lesson, with its number in its course."""
    facts = {"double": "6=6", "tiles": "2 tiles", "plan": "4 tiles", "pip": 7, "seen": 8, "out": 2}
    return (
        f"Lesson {number} of {len(course)}, {each.title}: {each.sentence('9-4 Ana', **facts)}"
        for course in (FIRST, SECOND)
        for number, each in enumerate((each for each in Lesson if each in course), 1)
    )


def lies(canvas):
    """The two sentences of `demo` about each cheat."""
    told = (f"{lie.told} {lie.why}" for lie in LIES.values())
    return said((text.format(name="Cleo", victim="Dot") for text in told), canvas)


# ---- past games -------------------------------------------------------------------------------


def summary(*scores, finished=True, **changes):
    """Return the summary of a game of Ana, Benedict and a bot.

    Each of the `scores` is one round's points by seat. Ana has won if the game is finished.
    """
    players = (
        Player("Ana", KEY, False),
        Player("Benedict", "b" * 64, False),
        Player("Bix", "", True),
    )
    won = (0,) if finished else ()
    told = Summary(
        version=2,
        octets=0,
        preset="standard",
        switches=(),
        pip_max=12,
        rounds=13,
        players=players,
        host="a" * 64,
        scores=scores,
        longest=tuple((7, 9, 4) for _ in scores),
        hubs=tuple(range(12, 12 - len(scores), -1)),
        winners=won,
        finished=finished,
    )
    return structs.replace(told, **changes)


def games(canvas):
    """A finished game, an unfinished one and a damaged one."""
    kept = SavedGame(12, Path("0123456789"), 1_800_000_000.0, TableNotes(begun=True, number=12))
    told = (
        summary((0, 12, 30), (4, 0, 9)),
        summary((0, 12, 30), finished=False, switches=("blanks=25-50",)),
        "damaged: it ends in the middle of an entry",
    )
    return [
        line
        for each in told
        for own in [None if isinstance(each, str) else each.seat_of(KEY)]
        for line in wrap_words(
            game_sentence(ToldGame(kept, each, own)), canvas.columns - 1, " " * 6
        )
    ]


def stats(canvas):
    """Games and rounds by rules and by opponent."""
    taking = ("scoring=winner-takes", "ties=shared")
    played = [
        (summary((0, 9, 9), (20, 5, 9)), 0),
        (summary((4, 4, 9), (12, 0, 31), preset="walnut"), 0),
        (summary((30, 0, 0), finished=False, switches=taking), 0),
    ]
    return [*stats_lines(stats_of(played), canvas.columns)]


def sheet(canvas):
    """The scores of one game, with its rules."""
    taking = ("scoring=winner-takes", "ties=shared")
    told = summary((0, 12, 30), (4, 0, 9), switches=taking)
    return drawn_sheet(told, canvas)


def standings(canvas):
    """The standings over two games."""
    played = [
        summary((0, 9, 9), places=(1, 2, 2), game="1"),
        summary((4, 4, 9), (12, 0, 31), places=(1, 2, 3), game="2"),
    ]
    return [*standing_rows(standings_of(played), played, canvas.columns)]


def film(*lines, at=20):
    """Return a function that draws a recorded round, as seen after the typed `lines`.

    The viewer begins at frame `at`.
    """

    def drawn(canvas):
        scenes, tiles = [*walk(spec_of(9, 3), b"film", 40)], {}
        for scene in scenes:
            tiles.update(scene.hand.tiles)
        text = "Ben played 9-4 on their own train."
        frames = [
            Frame(replace(scene, seat=None, hand=None), text, step, scene.table.to_move, tiles)
            for step, scene in enumerate(scenes, 7)
        ]
        seen = Viewing(frames, at)
        for line in lines:
            seen = answered(seen, line)
        return view_lines(seen, canvas)

    return drawn


SCENES = {
    "menu": menu,
    "practice": practice,
    "lobby-host": host_lobby,
    "lobby-guest": lobby_of_others("Ana", "Benedict", "Bix", own="Benedict"),
    "lobby-watcher": lobby_of_others("Ana", "Benedict", own="Dora", watches=True),
    "hosting": hosting,
    "hosting-list": hosting_list,
    "hosting-rules": hosting_rules,
    "rules-sheet": rules_sheet,
    "rules-list": rules_list,
    "rules-switch": rules_switch,
    "config": config,
    "help-table": table_help,
    "help-lobby": lobby_help,
    "help-word": word_help,
    "waiting": waiting,
    "fair": fair,
    "learn": lessons,
    "demo": lies,
    "games": games,
    "stats": stats,
    "sheet": sheet,
    "standings": standings,
    "film": film("play"),
    "film-hands": film("h"),
    "film-help": film("help"),
}


@pytest.mark.parametrize("size", CANVASES)
@pytest.mark.parametrize("name", SCENES)
def test_the_layout_is_as_it_was_reviewed(name, size):
    """Each scene matches its golden file, and no line is wider than the canvas."""
    canvas = CANVASES[size]
    lines = [*SCENES[name](canvas)]
    assert [plain_text(line) for line in lines if line_cells(line) > canvas.columns] == []
    check_screen(f"{name}-{size}", lines)
