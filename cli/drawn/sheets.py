"""Score sheet, lobby, help, rules and the status line; pure, and never wider than the canvas."""

from collections.abc import Sequence
from typing import Final, assert_never

from cli.drawn.cells import NARROW_COLUMNS, Canvas, clip, hang, pad, text_cells, wrap_words
from cli.drawn.palette import Line, Paint, Span
from cli.language import say
from cli.said.events import on_train
from cli.said.notices import DEALING
from cli.scene import LobbyScene, Scene, calls, scene_of, tile_text
from cli.typed.grammar import COMMANDS, find_command
from cli.typed.readers import Command, Where
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, RuleSet, value_text
from engine.scoring import rounds_are_over, sums, winners
from engine.table.moves import Catch, Tap
from engine.table.table import RoundPhase, scored_hubs
from engine.tiles import Tile
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from netgame.protocol.text import join_names

_NAME_CELLS: Final = 10
_SYNTAX_CELLS: Final = max(len(command.syntax) for command in COMMANDS) + 2


# ---- scores ---------------------------------------------------------------------------------


def score_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the score sheet of a table: every round so far, totals, and who leads."""
    table = scene.table
    lines = sheet_lines(scene.names, table.past, scored_hubs(table), canvas)
    if not table.past:
        text = f" No round is scored yet; {table.rules.aim}."
        return (*lines, *wrap_words(text, canvas.columns, " "))
    ahead = winners(table)
    names, played = join_names([scene.names[seat] for seat in ahead]), len(table.past)
    if rounds_are_over(table.spec, table.past):
        text = f" {names} won after {played} {'round' if played == 1 else 'rounds'}."
    else:
        verb = "leads" if len(ahead) == 1 else "lead"
        text = f" {names} {verb}; {played} of {table.spec.rounds} rounds played."
    return (*lines, *wrap_words(text, canvas.columns - 1, " "))


def sheet_lines(
    names: Sequence[str], rounds: Sequence[Sequence[int]], hubs: Sequence[Tile], canvas: Canvas
) -> tuple[Line, ...]:
    """Draw rounds as rows and seats as columns, in blocks where they do not fit side by side."""
    label = 9
    cell = max(6, min(_NAME_CELLS, max(text_cells(name) for name in names)) + 2)
    per_block = max(1, (canvas.columns - label) // cell)
    lines: list[Line] = []
    for at in range(0, len(names), per_block):
        block = range(at, min(at + per_block, len(names)))
        cut = [clip(names[seat], cell - 2, canvas.glyphs.cut) for seat in block]
        head = pad(" Round", label) + "".join(" " * (cell - text_cells(n)) + n for n in cut)
        lines.append((Span(head, Paint.STRONG),))
        for number, (scores, hub) in enumerate(zip(rounds, hubs, strict=True), 1):
            row = pad(f" {number:>2} {tile_text(hub)}", label)
            lines.append((Span(row + "".join(f"{scores[seat]:>{cell}}" for seat in block)),))
        total = sums(rounds, len(names))
        row = pad(" Total", label) + "".join(f"{total[seat]:>{cell}}" for seat in block)
        lines.append((Span(row, Paint.STRONG),))
    return tuple(lines)


# ---- lobby ----------------------------------------------------------------------------------


def _title(view: TableView) -> str:
    settings = view.settings
    if settings is None:
        return "Waiting to hear what is played here"
    switches = f" with {' '.join(settings.switches)}" if settings.switches else ""
    number = settings.rounds
    rounds = f", {number} round{'s' if number > 1 else ''}" if number else ""
    return f"{settings.preset}{switches}, double-{settings.pip_max}{rounds}"


def who_lines(view: TableView, canvas: Canvas, own_key: bytes) -> tuple[Line, ...]:
    """List who sits, with the fingerprint of each key and whether a link is up."""
    widest = max((text_cells(info.name) for info in view.seats), default=4)
    lines: list[Line] = []
    for number, info in enumerate(view.seats, 1):
        marks = [
            "you" if info.key == own_key else "",
            "bot" if info.bot else "",
            "host" if info.key == view.host_key else "",
            _link_mark(view, info),
        ]
        text = f" {number:>2} {pad(info.name, widest)}  {info.fingerprint}"
        text += "".join(f"  {mark}" for mark in marks if mark)
        lines.append((Span(clip(text, canvas.columns, canvas.glyphs.cut)),))
    if view.watchers:
        lines += wrap_words(f" Watching: {', '.join(view.watchers)}", canvas.columns, "   ")
    return tuple(lines)


def _link_mark(view: TableView, info: SeatInfo) -> str:
    """Say that somebody cannot be reached; in a lobby a seat hangs on its link to the host alone.

    Links between guests come up just after one of them has sat down.
    """
    forming = view.stage is TableStage.LOBBY and info.key != view.host_key
    if info.left:
        return "left for good"
    return "" if info.connected or forming else "not connected"


def lobby_lines(scene: LobbyScene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw a table that waits: what is played, who sits, what one can do."""
    view = scene.view
    lines: list[Line] = [
        *wrap_words(f" Table: {_title(view)}", canvas.columns, "  "),
        (Span(f" {len(view.seats)} of {view.seats_offered} seats taken:"),),
        *who_lines(view, canvas, scene.own_key),
    ]
    if scene.addresses:
        where = " or ".join(scene.addresses)
        lines += wrap_words(f" Others join with: boneyard join {where}", canvas.columns, "   ")
    if scene.code:
        lines += wrap_words(f" Newcomers need this code: {scene.code}", canvas.columns)
    if scene.watches and not any(info.key == scene.own_key for info in view.seats):
        text = " You only watch. Type sit to take a seat, rules, who, say TEXT, or quit."
    elif not view.is_host:
        text = " Waiting for the host to start. Type rules, who, say TEXT, or quit."
    elif scene.starts_itself:
        text = (
            " The game begins when all are seated. Type start to begin, rules, say TEXT, or quit."
        )
    else:
        return (*lines, *_host_lines(canvas))
    return (*lines, *wrap_words(text, canvas.columns, "  "))


def _host_lines(canvas: Canvas) -> tuple[Line, ...]:
    """Say what a host can type: what most will, and below it what else, by example."""
    more = " Or first: change set 9, bots 2, kick NAME, say TEXT, rules, quit (help tells of each)."
    begins = " Type start when everybody is here."
    return (*wrap_words(begins, canvas.columns, "  "), *wrap_words(more, canvas.columns, "  "))


# ---- help and rules -------------------------------------------------------------------------


def help_lines(
    word: str | None, canvas: Canvas, *, playing: bool, rules: RuleSet | None = None
) -> tuple[Line, ...]:
    """Explain one command, or list those that mean something now, and under these rules."""
    if word is not None:
        found = find_command(word)
        if isinstance(found, Command):
            return _help_of(found, canvas)
        none = f" There is no command {word}; type help for all of them."
        return wrap_words(none, canvas.columns)
    unfit = Where.LOBBY if playing else Where.GAME
    lines: list[Line] = []
    for command in COMMANDS:
        if command.where is not unfit and (rules is None or command.known(rules)):
            lines += _help_row(command, canvas)
    if playing:
        about = (
            " A train is its number on the board, m for the Mexican train, or the first letters "
            "of its owner's name. Board: > whose turn, "
            f"{canvas.glyphs.open_end} open to all, ! must be covered, x takes no tile any more, "
            "bold new since your turn, + you can play it, n new in your hand, = double."
        )
        lines += wrap_words(about, canvas.columns, " ")
    return tuple(lines)


def _help_row(command: Command, canvas: Canvas) -> tuple[Line, ...]:
    """Write syntax and sentence side by side, or one below the other where that is too narrow."""
    if canvas.columns < NARROW_COLUMNS:
        head: Line = (Span(f" {command.syntax}", Paint.STRONG),)
        return (head, *wrap_words(f"   {command.sentence}", canvas.columns, "   "))
    texts = wrap_words(command.sentence, canvas.columns - _SYNTAX_CELLS - 1)
    return hang(Span(f" {pad(command.syntax, _SYNTAX_CELLS)}", Paint.STRONG), texts)


def _help_of(command: Command, canvas: Canvas) -> tuple[Line, ...]:
    short = f" (short: {', '.join(command.short)})" if command.short else ""
    examples = f" Such as: {'; '.join(command.examples or (command.word,))}"
    return (
        (Span(f" {command.syntax}", Paint.STRONG), Span(short)),
        *wrap_words(f" {command.sentence}", canvas.columns, " "),
        *wrap_words(examples, canvas.columns, " "),
    )


def switch_lines(name: str, rules: RuleSet | None, canvas: Canvas) -> tuple[Line, ...]:
    """Explain one switch and each of its values, and how it stands under `rules`."""
    switch = SWITCHES.get(name)
    if switch is None:
        none = f" There is no switch {name}; there are: {', '.join(SWITCHES)}."
        return wrap_words(none, canvas.columns, " ")
    now = value_text(RULE_SETS[STANDARD] if rules is None else rules, name)
    lines = list(wrap_words(f" {name}: {switch.decides}", canvas.columns, "   "))
    for word in switch.words():
        mark = ">" if word == now else " "
        told = f" {mark} {word}: {switch(word).sentence}"
        lines += wrap_words(told, canvas.columns, "      ")
    number = " or a number," if switch.numbers else ""
    where = "in standard" if rules is None else "at this table"
    lines += wrap_words(f" Values:{number} > is {now} {where}.", canvas.columns, "   ")
    return (*lines, *wrap_words(f" Source: {switch.sources}.", canvas.columns, "   "))


# ---- status -----------------------------------------------------------------------------------


def status_text(view: TableView) -> str:
    """Say what the table waits for, what must be covered, and who cannot be reached."""
    scene = scene_of(view)
    parts = [_stage_text(view, scene)]
    if scene is not None:
        first = scene.table.owed[:1]
        parts += [f"cover {tile_text(owed.tile)} {on_train(scene, owed.train)}" for owed in first]
        parts.append(_call_text(scene) if view.stage is TableStage.PLAYING else "")
    parts += [_link_text(view), "you watch" if view.seat is None and view.table is not None else ""]
    return " | ".join(part for part in parts if part)


def _stage_text(view: TableView, scene: Scene | None) -> str:  # noqa: C901 - one branch a stage
    match view.stage:
        case TableStage.LOBBY if view.settings is None:
            return "waiting to hear what is played here"
        case TableStage.LOBBY:
            return f"{len(view.seats)} of {view.seats_offered} seats taken"
        case TableStage.FORMING:
            return "drawing seats"
        case TableStage.DEALING if note := view.deal_note:
            return f"dealing: {say(DEALING[note.step], name=note.name)}"
        case TableStage.DEALING:
            return "dealing"
        case TableStage.PLAYING:
            return "one moment" if scene is None else _turn_text(scene)
        case TableStage.OPENING:
            return "opening hands"
        case TableStage.SCORING:
            return "scoring the round"
        case TableStage.OVER:
            return "the game is over"
        case TableStage.HALTED:
            return "the table has stopped: somebody broke the protocol"
    assert_never(view.stage)


def _turn_text(scene: Scene) -> str:
    table = scene.table
    if scene.can_move:
        return f"YOUR TURN, {scene.names[table.to_move if scene.seat is None else scene.seat]}"
    if table.phase in (RoundPhase.ENGINE, RoundPhase.HIGH_DRAW, RoundPhase.RESHUFFLE):
        return "finding the engine"
    if table.phase is RoundPhase.OPENING_ALL:
        return "everybody plays a train"
    if table.to_move == scene.seat:
        return "your turn, one moment"
    return f"{scene.names[table.to_move]}'s turn"


def _call_text(scene: Scene) -> str:
    """Remind of a last tile that must be told, and of who may be caught."""
    names = [scene.names[call.offender] for call in calls(scene) if isinstance(call, Catch)]
    if names:
        return f"catch {' or '.join(names)}"
    return "tap" if any(isinstance(call, Tap) for call in calls(scene)) else ""


def _link_text(view: TableView) -> str:
    here = [info for info in view.seats if not info.left]
    away = [info.name for info in here if not info.connected]
    if away:
        forming = view.stage is TableStage.LOBBY
        return f"{'connecting to' if forming else 'not connected:'} {', '.join(away)}"
    bots = sum(info.bot for info in here)
    if view.is_host and bots and len(here) - bots <= 1:
        return ""  # bots of one's own play in this program
    sits = view.seat is not None or view.stage is TableStage.LOBBY
    others = len(here) - sits
    return f"{others} connected" if others > 0 else ""
