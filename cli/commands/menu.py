"""`boneyard` alone: a menu with the unfinished games, and tables as they come and go."""

import argparse
import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from cli.arguments.parser import COMMANDS, read_arguments
from cli.choices.kinds import meant
from cli.commands.learn import COURSES
from cli.commands.menu_actions import (
    PLAY,
    Action,
    come_to,
    command,
    host_others,
    join_at,
    practise,
    quit_menu,
    show_past,
    show_rules,
    show_section,
    show_sheet,
    take_name,
)
from cli.exits import CommandFailed, ExitCode, as_failure, sentence_about
from cli.history.listing import ToldGame, company_text, rules_text, told_games, turn_text
from cli.history.naming import data_at
from cli.input.lexer import Words, is_run, without_courtesies
from cli.input.phrases import (
    bare_words,
    denies,
    goes_back,
    mentioned,
    only_one,
    renamed,
    row_said,
    says_nothing,
)
from cli.joining.answering import explains
from cli.joining.asked import asked_text
from cli.joining.choosing import say_how, shows_again, unknown_text
from cli.joining.person import ask_name, at_screen, known_name, own_name
from cli.joining.search import JOIN_PATIENCE_S, ad_sentence, code_typed
from cli.language import say
from cli.program import PROGRAM, RUN_NEXT, typed_in_shell
from cli.render.menu import Menu
from cli.screens.runs import AtScreen
from cli.session.frontend import FrontEnd
from cli.session.verbs.leaving import LEAVING
from cli.session.verbs.reading import FOR_SHELL
from cli.visible import folded
from cli.wording.rulebook import cited_section
from engine.rules.presets import PRESETS
from netgame.errors import NetgameError
from netgame.io.abilities import ABILITIES
from netgame.io.clock import unix_time
from netgame.io.discovery.advert import TableAd
from netgame.io.discovery.browse import Browser, browse
from netgame.io.tables.kept import announcers_in, kept_games, offered_games
from netgame.io.work import apart

_LOOK_S: Final = 0.7
"""How long a script waits for tables before it gets the list, which it gets only once."""

_GAMES_MAX: Final = 3
"""The most unfinished games offered at once; `boneyard resume` knows them all."""

_TYPE: Final = "Type a number from the list, or an address such as 192.168.1.4:4747."

_BOTS_SAID: Final = ("bots", "bot", "alone", "computer", "solo", "against the computer")
_HOST_SAID: Final = ("hosting", "open a table", "new table", "start a game", "new game", "crear")
_LEARN_SAID: Final = (
    "lesson",
    "lessons",
    "tutorial",
    "teach",
    "how to play",
    "do i play",
    "do you play",
    "do we play",
    "how does it work",
    "se juega",
)
_A_TABLE: Final = frozenset({"the", "a", "any", "table", "game", "la", "una", "mesa", "partida"})
"""Words after `join` that name no table."""
_RESUME_SAID: Final = ("resume", "continue", "my game", "continuar", "seguir")
_COMING: Final = frozenset({"join", "watch", "see", "unirse", "unirme", "entrar", "ver"})
_PAST_SAID: Final = ("past games", "old games", "history", "scores", "results", "historial")


def run(options: argparse.Namespace) -> AtScreen:
    """Return the menu, to be run at any screen."""
    return at_screen(options, menu)


class _Entry(Struct, frozen=True):
    """One row of the menu: its text, its action, and words that select it besides its number."""

    words: tuple[str, ...]
    text: str
    action: Action
    more: Mapping[str, Action] = {}
    """Words that may follow one of `words`, as in `learn 2`, and the action of each."""
    phrases: tuple[str, ...] = ()
    """Other ways to say it: understood, but not listed."""

    def meant(self, line: str) -> Action | None:
        """Return the action for a typed line, or None if it is not this row's.

        The `more` words may be abbreviated.
        """
        first, _, rest = line.partition(" ")
        if line in self.words:
            return self.action
        return self.more.get(meant(rest, self.more) or "") if first in self.words else None

    def said(self, words: Words) -> Action | None:
        """Return the action for a sentence that names this row, with or without one `more` word.

        None if it contains a number, but not exactly one `more` word.
        """
        if more := only_one(mentioned(words, self.more)):
            return self.more[more]
        return None if any(map(is_run, words)) else self.action

    @property
    def lines(self) -> list[str]:
        """All lines that can be typed for this row, for suggestions."""
        return [*self.words, *(f"{word} {each}" for word in self.words for each in self.more)]


class _Shown(Struct):
    """The present rows of the menu. A table's number is never given to another row."""

    fixed: Sequence[_Entry]
    head: str
    first: int = 0
    """The number of the row selected at first."""
    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    tables: tuple[TableAd, ...] = ()

    def list(self, found: Sequence[TableAd]) -> None:
        """Keep the tables that can be joined or watched; give each new one a number."""
        self.tables = tuple(ad for ad in found if ad.is_open or ad.can_watch)
        for ad in self.tables:
            self.numbers.setdefault(ad.row, len(self.fixed) + len(self.numbers) + 1)
        self.tables = tuple(sorted(self.tables, key=lambda ad: self.numbers[ad.row]))

    def as_menu(self, trouble: NetgameError | None) -> Menu:
        """Return all rows, the tables last, and below them the `trouble` or what can be typed."""
        rows = [(number, entry.text) for number, entry in enumerate(self.fixed, 1)]
        for ad in self.tables:
            text = "Join {table}" if ad.is_open else "Watch {table}"
            rows.append((self.numbers[ad.row], say(text, table=ad_sentence(ad))))
        if trouble is not None:
            foot = sentence_about(trouble)
        elif self.tables:
            foot = say("Type a number, or move with the arrows and Enter.")
        else:
            text = "No table on this network yet; one appears here by itself. Or type HOST:PORT."
            foot = say(text)
        return Menu(self.head, tuple(rows), foot, first=self.first)

    def chosen(self, line: str) -> Action | None:
        """Return the action of a typed line; None if the line means nothing here.

        If the line is the number or a word of a `fixed` row, `first` becomes its number.
        """
        if _has_options(line):
            return None
        word = " ".join(line.lower().split())
        for called in (typed_in_shell(), PROGRAM):
            word = word.removeprefix(f"{called} ")
        for number, entry in enumerate(self.fixed, 1):
            action = entry.action if word == str(number) else entry.meant(word)
            if action is not None:
                self.first = number
                return action
        for ad in self.tables:
            if word == str(self.numbers[ad.row]):
                return partial(come_to, ad)
        return _typed(line) or self._said(line)

    def _said(self, line: str) -> Action | None:
        """Return the action of a sentence that names a row, or a table by its host; else None."""
        words = bare_words(line)
        if denies(words):
            return None
        rows = max((len(self.fixed), *self.numbers.values()))
        if (row := row_said(words, rows)) is not None and line.strip() != str(row):
            return self.chosen(str(row))
        if (ad := self._meant(words)) is not None:
            return partial(come_to, ad)
        phrases = {phrase: each for each in self.fixed for phrase in each.words + each.phrases}
        named = [phrases[phrase] for phrase in mentioned(words, phrases) if len(phrase) > 1]
        return named[0].said(words) if len({id(each) for each in named}) == 1 else None

    def _meant(self, words: Words) -> TableAd | None:
        """Return the table of the host named by a sentence that says nothing else, or None."""
        said = [word.removesuffix("'s") for word in words]
        hosts = {folded(ad.name): ad for ad in self.tables}
        host = only_one(mentioned(said, hosts)) or ""
        others = [word for word in said if word not in host.split()]
        if others and says_nothing(host.split()):  # somebody called Will
            return None
        return hosts.get(host) if says_nothing({*others} - _COMING) else None

    def unknown(self, line: str) -> str:
        """Return the answer to a question, a guess at what was meant, or else what to type."""
        word, lines = line.strip().lower(), [each for entry in self.fixed for each in entry.lines]
        numbers = {word: at for at, entry in enumerate(self.fixed, 1) for word in entry.words}
        return asked_text(line, numbers) or unknown_text(word, lines) or say(_TYPE)


def _has_options(line: str) -> bool:
    """Return True for a shell command with options, which no row takes."""
    return any(word.startswith("--") for word in line.split())


def _typed(line: str) -> Action | None:
    """Return the action of a line that asks for something other than a row, or None.

    It may name rules to play by, a table to join, a section of the rules, or the player.
    """
    words = [*without_courtesies(line.split())]
    match words:
        case [play, rules] if play in PLAY and not says_nothing(bare_words(rules)):
            return command("play", f"--rules={rules}")
        case [where] if ":" in where:
            return join_at(where)
        case ["j" | "join" | "unirse", *rest]:
            return join_at(
                "" if _A_TABLE.issuperset(bare_words(" ".join(rest))) else " ".join(rest)
            )
    if code := code_typed(line):
        return join_at(code)
    if (section := cited_section(line)) is not None:
        return partial(show_section, section)
    name = renamed(line)
    return None if name is None else partial(take_name, name)


async def menu(front: FrontEnd) -> ExitCode:
    """Show the menu and do what is chosen, until the person quits; report failures.

    Returns `OK`; a script ends at the first command that returns a code, with that code.
    """
    if front.asks_back and not known_name(read_arguments(["play"])):
        await ask_name(front, COMMANDS)
    first = 0
    while True:
        action, first = await _pick(front, first)
        if action in (None, quit_menu):
            return ExitCode.OK
        try:
            code = await action(front)
        except (CommandFailed, NetgameError, ExceptionGroup) as error:
            failure = as_failure(error)
            if not isinstance(failure, CommandFailed):
                raise
            front.say(failure.sentence)
            code = None
        if front.ending.is_asked or (code is not None and not front.asks_back):
            return code or ExitCode.OK


async def _pick(front: FrontEnd, first: int) -> tuple[Action | None, int]:
    """Offer the menu; return the action chosen, and the number of the row last chosen.

    The action is None at the end of the input. The row numbered `first` is selected at first.
    Unfinished games come after the permanent rows, so that those keep their numbers.
    """
    front.scene_is(None, say("one moment: your games are being read"))
    fixed = [*_entries(), *await apart(_waiting_entries)]
    name = own_name(read_arguments(["play"]))
    head = say("Boneyard: Mexican Train dominoes. You are {name}.", name=name)
    shown_now = _Shown(fixed, head, first)
    front.scene_is(None, say("what do you want to do?"))
    async with browse(announcers_in(data_at(None))) as browser, trio.open_nursery() as nursery:
        if not front.asks_back:
            await trio.sleep(_LOOK_S)
        changes = browser.when_changed()
        _draw(front, browser, shown_now)
        if front.asks_back:
            nursery.start_soon(_keep_drawn, front, browser, shown_now, changes)
        action = await _read(front, browser, shown_now)
        nursery.cancel_scope.cancel()
    front.offer(None)
    return action, shown_now.first


def _draw(front: FrontEnd, browser: Browser, shown_now: _Shown) -> None:
    shown_now.list(browser.tables)
    front.offer(shown_now.as_menu(browser.trouble))


async def _keep_drawn(
    front: FrontEnd, browser: Browser, shown_now: _Shown, changes: trio.Event
) -> None:
    """Redraw the menu whenever a table comes or goes, until cancelled."""
    while True:
        await changes.wait()
        changes = browser.when_changed()
        _draw(front, browser, shown_now)


async def _read(front: FrontEnd, browser: Browser, shown_now: _Shown) -> Action | None:
    while (line := await front.next_line()) is not None:
        say_how(front, line)
        if shows_again(line) or goes_back(bare_words(line)):
            _draw(front, browser, shown_now)
        elif (action := await _meant(front, browser, shown_now, line)) is not None:
            return action
        elif not explains(front, line):
            is_shell = line.lower().split()[:1] == [PROGRAM] or _has_options(line)
            if _runs_next(line, called=is_shell):
                return quit_menu
            front.say(say(FOR_SHELL) if is_shell else shown_now.unknown(line))
    return None


def _runs_next(line: str, *, called: bool) -> bool:
    """Have the shell command in a line run next if `RUN_NEXT` is set; return True if it will.

    With `called`, the line need not begin with the name of a command.
    """
    run_next = RUN_NEXT.get()
    if run_next is None:
        return False
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    if words[:1] == [PROGRAM]:
        del words[0]
    if not (called or (words[:1] and words[0] in COMMANDS)):
        return False
    run_next(words)
    return True


async def _meant(front: FrontEnd, browser: Browser, shown_now: _Shown, line: str) -> Action | None:
    """Return the action of a line, or None.

    In a script, a number that no row has waits for a table, for at most `JOIN_PATIENCE_S`.
    """
    action = shown_now.chosen(line)
    if front.asks_back or action is not None or not line.strip().isdecimal():
        return action
    with trio.move_on_after(JOIN_PATIENCE_S):
        while True:
            changes = browser.when_changed()
            shown_now.list(browser.tables)
            if (action := shown_now.chosen(line)) is not None:
                break
            await changes.wait()
    return action


# ---- what can be chosen ---------------------------------------------------------------------


def _waiting_entries() -> list[_Entry]:
    """Return entries for the readable games that wait for the player, at most the latest three."""
    data = data_at(None)
    waiting = offered_games(kept_games(data), unix_time())
    entries = [*islice(filter(None, map(_waiting_entry, told_games(data, waiting))), _GAMES_MAX)]
    if entries:  # as in a shell, `resume` alone means the latest
        entries[0] = replace(entries[0], words=(*entries[0].words, "resume"))
    return entries


def _waiting_entry(each: ToldGame) -> _Entry | None:
    told, number = each.told, each.game.called
    if isinstance(told, str) or told.finished:
        return None
    text = say(
        "Resume game {number}, {company}: {state} ({rules})",
        number=number,
        company=company_text(told, each.own),
        state=say("unfinished") if told.turn < 0 else turn_text(told, each.own),
        rules=rules_text(told),
    )
    action = command("resume", number)
    return _Entry((f"resume {number}",), text, action, phrases=_RESUME_SAID)


def _entries() -> tuple[_Entry, ...]:
    sheets = {name: partial(show_sheet, name) for name in PRESETS}
    lessons = {number: command("learn", number) for number in COURSES}
    to_learn = say("Learn to play, in five minutes")
    cheat = say("Watch somebody cheat, and be caught")
    learn_words = ("l", "learn", "aprender")
    hosts = _Entry(
        ("h", "host", "abrir"), say("Host a table for others"), host_others, phrases=_HOST_SAID
    )
    return (
        _Entry(PLAY, say("Play here against bots"), practise, phrases=_BOTS_SAID),
        *((hosts,) if ABILITIES.get().listens else ()),
        _Entry(learn_words, to_learn, command("learn"), lessons, _LEARN_SAID),
        _Entry(("d", "demo"), cheat, command("demo"), phrases=("cheat", "cheats", "trampa")),
        _Entry(("g", "games", "partidas"), say("Past games"), show_past, phrases=_PAST_SAID),
        _Entry(("r", "rules", "reglas"), say("Rules"), show_rules, sheets),
        _Entry(LEAVING, say("Quit"), quit_menu),
    )
