"""The actions of the menu's rows; each returns an exit code, which ends a script, or None."""

from collections.abc import Awaitable, Callable
from typing import Final

from cli.arguments.parser import read_arguments
from cli.commands.learn import learn
from cli.commands.tables import host, join, resume
from cli.exits import ExitCode, sentence_of
from cli.history.listing import game_sentence, told_games
from cli.history.naming import data_at
from cli.history.sheet import drawn_sheet
from cli.house_rules.choice import TableChoice
from cli.house_rules.menu import Hosting, answered, rule_sets, sheet, shown
from cli.input.phrases import bare_words, goes_back, row_said
from cli.joining.answering import answers, explains
from cli.joining.choosing import BACK_WORDS, PICK, one_of, say_how, shows_again
from cli.joining.person import host_options, keep_name
from cli.joining.practice import VALUE_ROWS, Practice, changed, practice_rows
from cli.language import means_yes, say
from cli.program import typed_in_shell
from cli.render.menu import Menu
from cli.render.rulebook import section_lines
from cli.render.sheets import how_to_play
from cli.session.frontend import REDRAW, FrontEnd
from cli.settings.chosen import chosen
from cli.settings.declared import LEVEL
from cli.wording.rulebook import no_section_text, rulebook
from engine.rules.presets import PRESETS
from netgame.io.discovery.advert import TableAd
from netgame.io.network.listen import check_listens
from netgame.io.tables.kept import kept_games
from netgame.io.work import apart

PLAY: Final = ("p", "play", "practise", "practice", "jugar")
"""The words that start a game against bots."""

_LISTED_MAX: Final = 9

Action = Callable[[FrontEnd], Awaitable[ExitCode | None]]
"""Does what was chosen; returns the exit code of a command, or None to show the menu again."""


def command(*words: str) -> Action:
    """Return an action that runs a command; `learn` and `demo` go back to the menu afterwards."""

    async def act(front: FrontEnd) -> ExitCode | None:
        options = read_arguments(words)
        match options.command:
            case "learn":
                await learn(front, options.name, options.lesson)
                await _read_on(front)
            case "demo":
                from cli.commands.demo import demo  # late: nothing else needs what a cheat needs

                await demo(front, options)
            case "play":
                return await host(front, options, host_options(options))
            case "resume":
                return await resume(front, options)
            case "join":
                return await join(front, options)
        return None  # back to the menu

    return act


async def _read_on(front: FrontEnd) -> None:
    """Wait for Enter after a lesson, so that the person's last Enter does not reach the menu."""
    if front.asks_back and not front.ending.is_asked:
        front.scene_is(None, say("press Enter"))
        front.say(say("Press Enter for the menu."))
        await front.next_line(BACK_WORDS[0])


def join_at(where: str) -> Action:
    """Return an action that joins the table with this address, name or code.

    If `where` is empty, it joins the only table found, or lets the person choose among several.
    """
    return command("join", *(["--", where] if where else []))


async def come_to(ad: TableAd, front: FrontEnd) -> ExitCode | None:
    """Join the table that this ad is about; return the exit code."""
    return await join(front, read_arguments(["join"]), ad)


async def practise(front: FrontEnd) -> ExitCode | None:
    """Let the player set up a game row by row, and play it; return the exit code.

    Returns None if they go back.
    """
    wanted = Practice(level=chosen(LEVEL).value)
    while True:
        rows = practice_rows(wanted)
        foot = say("Choosing a row changes it; Left, or -2 for row 2, goes back by one value.")
        front.offer(Menu(say("Play here against bots"), rows, foot, VALUE_ROWS))
        line = await front.next_line(BACK_WORDS[0])
        word = (line or "b").strip().lower()
        say_how(front, word)
        said = bare_words(line or "")
        row = row_said(said, len(rows))
        if word in BACK_WORDS or row == len(rows) or goes_back(said):
            return None
        if row == 1 or not {*PLAY}.isdisjoint(said) or means_yes(word):
            front.offer(None)
            return await command(*wanted.arguments)(front)
        if not shows_again(word) and answers(front, line or ""):
            continue
        after = changed(wanted, word)
        if after is None and not shows_again(word):
            front.say(say(PICK))
        wanted = after or wanted


async def host_others(front: FrontEnd) -> ExitCode | None:
    """Let the player choose rules, and host a table with them; return its exit code.

    Returns None to go back, and `OK` at the end of the input. Raises `PortTrouble` if this computer
    cannot accept guests.
    """
    check_listens()
    state = Hosting()
    front.scene_is(None, say("choose what to play"))
    _show_choice(front, state)
    while (line := await front.next_line(BACK_WORDS[0])) is not None:
        if line == REDRAW or (line.strip() and shows_again(line)):
            _show_choice(front, state)
            continue
        step = answered(state, line)
        if step.state is None:
            return None
        moved, state = step.state != state, step.state
        if step.opens:
            options = read_arguments(["host"])
            return await host(front, options, host_options(options, state.choice))
        if step.sheet is not None:
            front.show(sheet(step.sheet, front.canvas()))
        if step.said and not (step.is_wrong and answers(front, line)):
            front.say(step.said)
        if moved or not (step.said or step.sheet or explains(front, line)):
            _show_choice(front, state)
    return ExitCode.OK


def _show_choice(front: FrontEnd, state: Hosting) -> None:
    """Show the current choice: rule sets as a menu, everything else printed."""
    front.offer(rule_sets() if state.lists else None)
    if not state.lists:
        front.show(shown(state, front.canvas()))


async def show_past(front: FrontEnd) -> ExitCode | None:
    """List the latest games, and show the scores of each game chosen. Always returns None."""
    data = data_at(None)
    games = await apart(lambda: [*told_games(data, kept_games(data)[:_LISTED_MAX])])
    if not games:
        front.say(say("You have played no game yet."))
        return None
    rows = [say("game {game}", game=game_sentence(each).strip()) for each in games]
    while (at := await one_of(front, say("Your latest games"), rows)) is not None:
        game, told = games[at].game, games[at].told
        front.offer(None)
        if isinstance(told, str):
            front.say(sentence_of(told))
        else:
            front.show(drawn_sheet(told, front.canvas()))
            text = "Watch it again: {command}"
            front.say(say(text, command=typed_in_shell("replay", game.called)))
    return None


async def show_rules(front: FrontEnd) -> ExitCode | None:
    """Show how to play, and offer a list of the rule sets. Always returns None."""
    front.show(how_to_play(front.canvas()))
    if await one_of(front, say("Rules"), [say("The rule sets, each in full")]) is not None:
        await _rule_sets(front)
    return None


async def _rule_sets(front: FrontEnd) -> None:
    """Show the sheet of each rule set that is chosen."""
    rows = [f"{name}: {say(told.sentence)}" for name, told in PRESETS.items()]
    names = [*PRESETS]
    while (at := await one_of(front, say("Rule sets"), rows, names)) is not None:
        front.offer(None)
        await show_sheet(names[at], front)


async def show_section(number: str, front: FrontEnd) -> ExitCode | None:
    """Show a section of the rules, or say that there is none. Always returns None."""
    section = rulebook().get(number)
    if section is None:
        front.say(no_section_text(number))
    else:
        front.show(section_lines(section, front.canvas()))
    return None


async def show_sheet(preset: str, front: FrontEnd) -> ExitCode | None:
    """Show the sheet of a rule set. Always returns None."""
    front.show(sheet(TableChoice(preset), front.canvas()))
    return None


async def quit_menu(_front: FrontEnd) -> ExitCode | None:
    """End the program: always returns `OK`."""
    return ExitCode.OK


async def take_name(name: str, front: FrontEnd) -> ExitCode | None:
    """Call the player `name` from now on. Always returns None."""
    keep_name(front, name)
    return None
