"""Draw the score sheet, the lobby, the rules and how to play, within the canvas's width. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.choices.choice import find
from cli.choices.table import TABLE
from cli.exits import CommandFailed, sentence_of
from cli.language import either, joined, say, say_count
from cli.program import typed_in_shell
from cli.render.cells import Canvas, clip, text_cells, wrap_words
from cli.render.grid import Column, Grid, Row, painted
from cli.render.palette import Line, Paint, plain_text
from cli.results.points import points_of, points_text
from cli.scene import LobbyScene, Scene, rounds_text, tile_text
from cli.wording.round_end import LEAVING, wins_text
from cli.wording.seats import no_seat_text
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, RuleSet, value_text
from engine.scoring import rounds_are_over, sums, winners
from engine.table.table import RoundPhase, Table, absentees, scored_hubs
from engine.tiles import Tile
from netgame.io.network.addresses import leads_nowhere_else
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView

_NAME_CELLS: Final = 10
_LABEL_CELLS: Final = 8

_OWN_PLACE: Final[Mapping[OwnPlace, str]] = {
    OwnPlace.SEAT: "",
    OwnPlace.PROMISED: "You watch, and have a seat from the next round on.",
    OwnPlace.ASKED: "You watch, and have asked for a seat.",
    OwnPlace.WATCHING: "You watch. For a seat type sit.",
}
"""The sentence in `who` for a watcher of a game; the status line has a shorter one."""


# ---- scores ---------------------------------------------------------------------------------


def score_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the score sheet of a table: every round so far, the totals, and the leader or winner.

    If no round is scored, a sentence says so, or names the winner of a game that ended before that.
    """
    table = scene.table
    lines = table_sheet_lines(scene.names, table, canvas)
    if not table.past and table.phase is RoundPhase.FINISHED:
        names = joined([scene.names[seat] for seat in winners(table)])
        won = say("{names} won before a round was scored", names=names)
        return (*lines, *canvas.prose(sentence_of(won)))
    if not table.past:
        none = say("No round is scored yet.")
        return (*lines, *canvas.prose(f"{none} {wins_text(table.rules)}"))
    ahead, played = winners(table), len(table.past)
    names = joined([scene.names[seat] for seat in ahead])
    if table.phase is RoundPhase.FINISHED or rounds_are_over(table.spec, table.past):
        one = "{names} won after 1 round."
        many = "{names} won after {count} rounds."
        text = say_count(one, many, played, names=names)
    else:
        one = "{names} leads; {played} of {rounds} rounds played."
        many = "{names} lead; {played} of {rounds} rounds played."
        leads = say_count(
            one, many, len(ahead), names=names, played=played, rounds=rounds_text(table.spec)
        )
        text = f"{leads} {wins_text(table.rules)}"
    if table.game.gone:
        text = f"{text} {say(LEAVING)}"
    return (*lines, *wrap_words(f" {text}", canvas.columns - 1, " "))


def table_sheet_lines(names: Sequence[str], table: Table, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the scored rounds of a table as rows, its seats as columns, and their totals."""
    return sheet_lines(names, table.past, absentees(table), scored_hubs(table), canvas)


def sheet_lines(
    names: Sequence[str],
    rounds: Sequence[Sequence[int]],
    absent: Sequence[int],
    hubs: Sequence[Tile],
    canvas: Canvas,
) -> tuple[Line, ...]:
    """Draw rounds as rows, seats as columns, and the totals below.

    If the columns do not fit side by side, they are drawn in several blocks, one below another.
    For each round, `absent` contains the bit set of the seats that did not play it, and `hubs` the
    double that it began with. The points that a latecomer was given for earlier rounds are in
    brackets. `names` must not be empty.
    """
    texts = [[*map(points_text, points_of(at, rounds, absent))] for at in range(len(names))]
    width = max(4, min(_NAME_CELLS, max(map(text_cells, names))))
    shown = (clip(name, width, canvas.glyphs.cut) for name in names)
    total = map(str, sums(rounds, len(names)))
    rows: list[Row] = [painted((say("Round"), *shown), Paint.STRONG)]
    for number, hub in enumerate(hubs):
        rows.append((f"{number + 1:>2} {tile_text(hub)}", *(each[number] for each in texts)))
    rows.append(painted((say("Total"), *total), Paint.STRONG))
    points = Column(gap=1, right=True, least=width + 1)
    columns = (Column(gap=1, least=_LABEL_CELLS), *[points] * len(names))
    return Grid(columns, rows).blocks(canvas.columns)


# ---- lobby ----------------------------------------------------------------------------------


def _title(view: TableView) -> str:
    settings = view.settings
    if settings is None:
        return say("Waiting to hear what is played here")
    text = settings.preset
    if settings.switches:
        switches = " ".join(settings.switches)
        text = say("{preset} with {switches}", preset=settings.preset, switches=switches)
    rounds = [say_count("1 round", "{count} rounds", number)] if (number := settings.rounds) else []
    return ", ".join([text, say("double-{pips}", pips=settings.pip_max), *rounds])


def who_lines(view: TableView, canvas: Canvas, own_key: bytes) -> tuple[Line, ...]:
    """List the seats, with the fingerprint of each key and the state of its link.

    Below the seats come, if there are any: faults and votes, players in browser tabs, a host
    without a seat, who announces the table in place of the host, watchers, latecomers, people who
    ask for a seat, and the person's own place. In a lobby the first line counts the seats taken.
    People without a seat are then shown only to the host, because no guest knows of them.
    """
    forms = view.stage is TableStage.LOBBY
    head = taken(view)
    if view.seats:
        head = say("{taken}, with the fingerprint of each key:", taken=head)
    lines = [*canvas.prose(head)] if forms else []
    rows: list[Row] = []
    for number, info in enumerate(view.seats, 1):
        marks = [
            say("you") if info.key == own_key else "",
            say("bot") if info.bot else "",
            say("tab") if info.in_tab else "",
            say("host") if info.key == view.host_key == (view.announcer or info.key) else "",
            say("no vote yet") if info.no_vote else "",
            _link_mark(view, info),
        ]
        rows.append((str(number), info.name, info.fingerprint, "  ".join(filter(None, marks))))
    columns = (Column(gap=1, right=True, least=2), Column(gap=1), Column(), Column())
    lines += (canvas.row(plain_text(line)) for line in Grid(columns, rows).lines())
    wants = (said for info in view.seats for said in (info.fault, _who_wants(view, info)))
    host = _host_text(view), _announces_text(view, own_key)
    for said in filter(None, (*wants, _tabs_text(view), *host)):
        lines += canvas.prose(said, "   ")
    if view.watchers and (view.is_host or not forms):
        here = "Without a seat: {names}" if forms else "Watching: {names}"
        lines += canvas.prose(say(here, names=", ".join(view.watchers)), "   ")
    if view.coming:
        one = "{names} gets a seat at the next round."
        many = "{names} get seats at the next round."
        said = say_count(one, many, len(view.coming), names=joined(view.coming))
        lines += canvas.prose(said, "   ")
    for each in view.asking:
        said = say("{name} asks for a seat: type allow {name} to say yes.", name=each.name)
        lines += canvas.prose(f"{said} {each.fingerprint}", "   ")
    if own := _own_place_text(view):
        lines += canvas.prose(own, "   ")
    return tuple(lines)


def _own_place_text(view: TableView) -> str:
    """Return a sentence telling a watcher whether they will get a seat, or why not.

    Empty before a game, for a person who has a seat, and for a host without one.
    """
    if view.table is None or (view.is_host and view.seat is None):
        return ""
    if view.own is OwnPlace.WATCHING and view.no_seat is not None:
        return f"{say('You watch.')} {no_seat_text(view.no_seat)}"
    return say(_OWN_PLACE[view.own])


def _tabs_text(view: TableView) -> str:
    """Return a sentence naming players whose programs claim to run in browser tabs; else empty."""
    names = [info.name for info in view.seats if info.in_tab]
    one = "{names} plays in a browser tab, by what that program says of itself."
    many = "{names} play in browser tabs, by what these programs say of themselves."
    return say_count(one, many, len(names), names=joined(names)) if names else ""


def _host_text(view: TableView) -> str:
    """Return a note that the host has no seat, or is not connected; empty if the host sits."""
    if not view.is_hosted_apart:
        return ""
    text = "The host has no seat and only shows the table."
    return say(text if view.is_host_here else "The host, who has no seat, is not connected.")


def _announces_text(view: TableView, own_key: bytes) -> str:
    """Return a sentence on the seat that announces the table in place of its host; else empty."""
    if view.announcer in (b"", view.host_key):
        return ""
    text = "{name}'s computer now announces the table, because the host's does not answer."
    if view.has_host_left:
        text = "{name}'s computer now announces the table, because the host has left."
    if view.announcer == own_key:
        text = "Your computer now announces the table, because the host's does not answer."
        if view.has_host_left:
            text = "Your computer now announces the table, because the host has left."
    return say(text, name=view.name_of(view.announcer))


def is_reached(view: TableView, info: SeatInfo) -> bool:
    """Return True if this seat's messages reach us.

    A bot runs in its host's program and links only to players: a watcher hears it through its host.
    Before the game, somebody without a seat hears everybody through the host.
    """
    forms = view.stage is TableStage.LOBBY and not view.sits
    by_host = forms or (info.bot and view.seat is None)
    return info.in_reach or (by_host and view.is_host_here)


def _link_mark(view: TableView, info: SeatInfo) -> str:
    """Return a word for a seat that watches, is gone, does not answer, or has no link to us; or "".

    In a lobby only the host can be shown as not connected: a guest who sits down is linked to the
    others a moment later. Bots are never shown as reached through others.
    """
    forming = view.stage is TableStage.LOBBY and info.key != view.host_key
    if info.watches:
        return say("watches")
    if info.left or (info.parted and not info.connected):
        return say("no longer here" if _named_by(view, info) else "left for good")
    if info.unanswered:
        return say("does not answer")
    if info.through and not info.bot:
        return say("reached through others")
    return "" if is_reached(view, info) or forming else say("not connected")


def _named_by(view: TableView, info: SeatInfo) -> tuple[str, ...]:
    """Return the names of the players who went on without this seat.

    Empty if the seat left of its own accord, or is still here.
    """
    own = [each for each in view.departures if each.key == info.key]
    return own[-1].named_by if own and info.left else ()


def _who_wants(view: TableView, info: SeatInfo) -> str:
    """Return a sentence naming players who went on without this seat, or vote to; else empty."""
    if by := _named_by(view, info):
        return say("{names} went on without {name}.", names=joined(by), name=info.name)
    if not info.missed_by:
        return ""
    text = "{names} would go on without {name} ({agreed} of {needed} needed)."
    return say(
        text,
        names=joined(info.missed_by),
        name=info.name,
        agreed=len(info.missed_by),
        needed=view.needed,
    )


def lobby_lines(scene: LobbyScene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw a lobby: the game, the seats, and the words to type, but not its `news`."""
    view = scene.view
    lines: list[Line] = [
        *canvas.prose(say("Table: {title}", title=_title(view)), "  "),
        *who_lines(view, canvas, scene.own_key),
    ]
    if scene.addresses:
        text = "Others join with: boneyard join {where}"
        if all(map(leads_nowhere_else, scene.addresses)):
            text = "No network is found. On this computer others join with: {command}"
        where = either(scene.addresses)
        said = say(text, where=where, command=typed_in_shell("join", where))
        lines += canvas.prose(said, "   ")
    if scene.code:
        lines += canvas.prose(say("Newcomers need this code: {code}", code=scene.code), "   ")
    if scene.page:
        text = "Phones and laptops without Boneyard: open {page} (type page for a code to scan)"
        lines += canvas.prose(say(text, page=scene.page), "   ")
    if scene.watches and not view.sits:
        text = "You only watch. Type sit to take a seat, rules, who, say TEXT, or quit."
    elif not view.is_host:
        text = "Waiting for the host to start. Type rules, who, say TEXT, or quit."
    elif scene.starts_itself:
        text = "The game begins when all are seated. Type start to begin, rules, say TEXT, or quit."
    else:
        lines += canvas.prose(say("Type start when everybody is here."), "  ")
        text = (
            "Or first: set 9, rounds 2, seats 4, add bot, change walnut, kick NAME, code, say "
            "TEXT, rules, quit (help tells of each)."
        )
    return (*lines, *canvas.prose(say(text), "  "))


def taken(view: TableView) -> str:
    """Return how many of the seats on offer are taken: `2 of 4 seats taken`."""
    return say("{taken} of {seats} seats taken", taken=len(view.seats), seats=view.seats_offered)


# ---- rules ----------------------------------------------------------------------------------


def switch_lines(name: str, rules: RuleSet | None, canvas: Canvas) -> tuple[Line, ...]:
    """Explain one of the choices for a table, and each of its values.

    For a switch of the rules, `>` marks its value in `rules`, or without `rules` in the preset
    `standard`. For an unknown name, return a sentence that says so.
    """
    try:
        choice = find(TABLE, name, say("there are: {words}.", words=", ".join(TABLE)))
    except CommandFailed as failed:
        return canvas.prose(failed.sentence)
    switch = SWITCHES.get(choice.key)
    now = value_text(RULE_SETS[STANDARD] if rules is None else rules, choice.key) if switch else ""
    lines = list(canvas.prose(f"{choice.key}: {say(choice.about)}", "   "))
    told = {word: say(sentence) for word, sentence in choice.kind.sentences.items()}
    if switch and (number := switch.number(now)) is not None:
        told[now] = say(switch.counted, count=number) if switch.counted else ""
    for word, text in told.items():
        mark = ">" if word == now else " "
        lines += canvas.prose(f"{mark} {word}: {text}" if text else f"{mark} {word}", "      ")
    if switch is None:
        return tuple(lines)
    if switch.numbers:
        text = "It can also be a number from {first} to {last}."
        lines += canvas.prose(say(text, first=switch.numbers[0], last=switch.numbers[-1]), "   ")
    marked = "> marks the value of this table." if rules else "> marks the value of standard."
    lines += canvas.prose(say(marked), "   ")
    return (*lines, *canvas.prose(say("Source: {sources}.", sources=switch.sources), "   "))


HOW_TO_PLAY: Final = (
    "You want to get rid of your tiles. The pips that you still hold when a round ends are your "
    "points, and the fewest points win.",
    "A double lies in the middle, the engine. Each player builds a train from it, end to end: "
    "after 9-4 comes a tile with a 4.",
    "In your turn you play one tile: on your own train, on the Mexican train, which belongs to "
    "everybody, or on a train with a marker.",
    "A double must be covered: another tile has to go on it before anything else is played.",
    "If nothing fits you draw a tile. If that does not fit either, a marker goes up on your train, "
    "and everybody may play there until you do.",
    "The round ends when somebody has no tile left, or nobody can play.",
)
"""The game under most rule sets; the sheet of each says where it differs."""


def how_to_play(canvas: Canvas) -> tuple[Line, ...]:
    """Draw a few sentences on how the game is played."""
    head = canvas.prose(say("How to play"), paint=Paint.STRONG)
    return (*head, *(line for text in HOW_TO_PLAY for line in canvas.prose(say(text), "   ")))
