"""The host's verbs before the game; and for anybody, `name` before it and `again` after it.

The bots and rules of a table are fixed. So to change them, the host's program reopens the table in
the same place, and everybody comes along. First a line of talk tells everybody what changes.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Final

from cli.choices.table import RULES, TABLE, read_changes
from cli.input.lexer import Words, without_courtesies
from cli.input.readers import UsageError
from cli.language import say, say_count
from cli.program import typed_in_shell
from cli.render.rule_sheet import offer_of
from cli.scene import Scene
from cli.session.answers import ONLY_HOST
from cli.session.until import Until
from cli.session.verbs.allow import ALLOW
from cli.session.verbs.kick import KICK
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, Where
from cli.wording.refusals import refusal_sentence
from engine.bots.levels import LEVELS, BotLevel
from engine.refusals import Refusal
from engine.rules.presets import PRESETS
from engine.rules.switches import First
from netgame.protocol.peer.view import TableStage, TableView

if TYPE_CHECKING:
    from cli.session.session import Session


def why_no_orders(view: TableView) -> str:
    """Return a sentence on why this person cannot change the table now; "" if they can."""
    if not view.is_host:
        return say(ONLY_HOST)
    begun = view.stage is not TableStage.LOBBY
    return say("You can do that only before the game begins.") if begun else ""


class HostOrder(Ask, frozen=True):
    """An order that only the host can give, before the game."""

    async def do(self, session: Session) -> None:
        """Carry out the order if the host gives it before the game; else say why not."""
        view = session.node.view()
        if problem := why_no_orders(view):
            session.front.say(problem)
        else:
            await self.carry_out(session, view)

    @abstractmethod
    async def carry_out(self, session: Session, view: TableView) -> None:
        """Carry out the order, or say why not; called only for the host, before the game."""


# ---- start ----------------------------------------------------------------------------------


class Start(Ask, frozen=True):
    """Begin the game with the seated players; `first` may name who has the first turn."""

    first: str | None = None
    until: ClassVar = Until.GAME_ENDS

    async def do(self, session: Session) -> None:
        """Begin the game, or say why not.

        If only bots sit with the host, and other people may still come, ask first.
        """
        view, front = session.node.view(), session.front
        if view.stage is not TableStage.LOBBY:
            session.answer("The game has begun already.")
        elif not view.is_host:
            session.answer("Only the host can start the game.")
        elif len(view.seats) < 2:
            session.answer("The game needs at least two players.")
        elif self.first is not None and (why_not := why_not_first(view, self.first)):
            front.say(why_not)
        elif _waits_for_people(session, view):
            session.asked_to_start = True
            session.answer("Only bots sit here so far. To begin with them alone, type that again.")
        elif isinstance(answer := await session.node.begin(self.first), Refusal):
            front.say(refusal_sentence(answer))


def _waits_for_people(session: Session, view: TableView) -> bool:
    """Return True if the host should be asked first: only bots sit here, but people may come.

    False once they have been asked.
    """
    alone = view.sits and all(info.bot or info.key == session.node.key for info in view.seats)
    may_come = session.is_read and not session.node.is_hidden
    return alone and may_come and not session.asked_to_start


def why_not_first(view: TableView, name: str) -> str | None:
    """Return a sentence on why this player cannot be named for the first turn; None if they can."""
    offer = None if view.settings is None else offer_of(view.settings)
    if offer is None or offer.rules.first is not First.CHOSEN_ROTATE:
        return say("These rules decide who plays first; type start alone.")
    if any(info.name.casefold() == name.casefold() for info in view.seats):
        return None
    text = "Nobody of that name sits here. Name one of: {names}."
    return say(text, names=", ".join(info.name for info in view.seats))


def _read_start(words: Words) -> Read:
    """Read the name of the player who goes first, if any; return a `UsageError` for several names.

    If the one word is the name of a rule set, return an order to change the rules instead.
    """
    named = [word for word in without_courtesies(["", *words])[1:] if word.lower() not in _NOW]
    if len(named) == 1 and named[0].lower() in PRESETS:
        return ChangeTable((named[0],))
    if len(named) > 1:
        return UsageError(say("one name: who plays first"))
    return Start(named[0] if named else None)


_NOW: Final = frozenset({"the", "game", "now", "it", "ya", "por", "favor"})
"""Words after `start` that name nobody."""


_START: Final = TableVerb(
    "start [NAME]",
    "Begin with those seated now; only the host can. If the rules have first=chosen-rotate, "
    "you may name who plays first.",
    _read_start,
    short=("go", "begin"),
    spanish=("empezar",),
    where=Where.HOST,
    takes_text=True,
    also=("start game", "start the game", "let's go", "lets go", "let's play", "lets play"),
)


# ---- bots and rules -------------------------------------------------------------------------


LEVEL_SAID: Final = {
    **{word: word for word in LEVELS},
    "easier": "easy",
    "weaker": "easy",
    "harder": "hard",
    "stronger": "hard",
    "better": "hard",
}
"""Words for the level of the bots."""


class SeatBots(HostOrder, frozen=True):
    """Have exactly the bots that the words give, by number or by levels, before the game."""

    words: tuple[str, ...]

    async def carry_out(self, session: Session, view: TableView) -> None:
        """End the session with the offer to reopen the table with these bots; or say why not."""
        typed, choice = " ".join(self.words), session.sitting.habits.bots
        bots = choice.kind.read(typed)
        if bots is None:
            session.front.say(choice.why_not(typed))
        else:
            await seat_bots(session, view, bots)


class LevelBots(HostOrder, frozen=True):
    """Set the level of all bots at the table, or add one if there is none, before the game."""

    level: str

    async def carry_out(self, session: Session, view: TableView) -> None:
        """End the session with the offer to reopen the table with its bots at this level.

        The bots keep their names. If there is no bot and no seat for one, only say so.
        """
        now = session.node.bots
        names = tuple(view.name_of(bot.key) for bot in now)
        await seat_bots(session, view, (LEVELS[self.level],) * max(1, len(now)), names)


def _read_bots(words: Words) -> Read:
    """Read the bots to have; one word such as `easier` sets the level of the present bots."""
    said = [LEVEL_SAID.get(word.lower(), word) for word in words]
    if len(words) == 1 and said[0] != words[0].lower() and said[0] in LEVELS:
        return LevelBots(said[0])
    return SeatBots(tuple(said))


async def seat_bots(
    session: Session, view: TableView, bots: tuple[BotLevel, ...], names: tuple[str, ...] = ()
) -> None:
    """Tell everybody, and reopen the table with these bots; the first of them take the `names`.

    If there are too few seats for them, only say so, and keep the table.
    """
    if problem := _too_few_seats(view.seats_offered, view, len(bots)):
        session.front.say(problem)
        return
    levels = ", ".join(level.value for level in bots) or say("none")
    said = say("Bots at this table now: {levels}.", levels=levels)
    await session.reopen(said, bots=bots, names=names)


def _too_few_seats(seats: int, view: TableView, bots: int) -> str:
    """Return a sentence if there are too few seats for the people here and `bots` bots, else ""."""
    people = sum(not info.bot for info in view.seats)
    if people + bots <= seats:
        return ""
    text = "{seats} seats are too few for {people}: kick somebody first."
    if bots:
        text = (
            "{seats} seats are too few for {people} and {bots}: have fewer bots, or kick somebody."
        )
    persons = say_count("a person", "{count} people", people)
    added = say_count("a bot", "{count} bots", bots)
    return say(text, seats=seats, people=persons, bots=added)


def offer_levels(_scene: Scene | None, _before: Words, typing: str) -> Offers:
    """Offer every level of a bot, each after the levels and commas that are typed already."""
    head, sign, _ = typing.rpartition(",")
    return [(f"{head}{sign}{word}", say(level.sentence)) for word, level in LEVELS.items()]


_BOTS: Final = TableVerb(
    "bots NUMBER|LEVEL …",
    "Choose the bots at your table, before the game.",
    _read_bots,
    "how many, or of which levels? Such as: bots 2, bots easy,hard, bots 0",
    examples=("bots 2", "bots easy,hard", "bots 0"),
    offers=offer_levels,
    where=Where.HOST,
    takes_text=True,
)


class ChangeTable(HostOrder, frozen=True):
    """Change the rules, the set of tiles and other choices of the table, before the game."""

    words: tuple[str, ...]

    async def carry_out(self, session: Session, view: TableView) -> None:
        """End the session with the offer to reopen the table with the changes.

        If a word does not fit or nothing changes, only say so, and keep the table. For `switches`
        alone, list what can be changed. Do nothing until the table's settings are known.
        """
        if view.settings is None:
            return
        bots = sum(info.bot for info in view.seats)
        found = session.sitting.change(
            view.settings, self.words, lambda new: _too_few_seats(new.seats, view, bots)
        )
        if isinstance(found, str):
            session.front.say(found)
        elif found == view.settings:
            session.answer("The table is like that already.")
        else:
            told = ", ".join(" ".join(each) for each in read_changes(self.words))
            told = told.removeprefix(f"{RULES.key} ")
            said = say("The rules change: {words}.", words=told)
            if found.seats != view.settings.seats:
                said = f"{said} {say('The table has {seats} seats now.', seats=found.seats)}"
            await session.reopen(said, settings=found)


def offer_changes(_scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer the rule sets and the names of the choices, or the values of the choice named last."""
    waiting = ""
    for word in (part.lower() for each in before for part in each.split("=") if part):
        waiting = "" if waiting or word in PRESETS else word
    key, sign, _ = typing.rpartition("=")
    if (choice := TABLE.get(waiting or key.lower())) is not None:
        return [(f"{key}{sign}{word}", say(text)) for word, text in choice.kind.sentences.items()]
    keys = {name: choice.about for name, choice in TABLE.items()}
    return [(word, say(text)) for word, text in {**RULES.kind.sentences, **keys}.items()]


_TO: Final = frozenset({"to", "the", "a", "las", "el", "la", "please"})
"""Words between a setting and its value: `change the rules to walnut`."""

_CHANGE: Final = TableVerb(
    "change NAME VALUE",
    "Play by other rules, before the game: a rule set, a switch, set, seats, rounds, tiles, "
    "draws, audit, leaver, patience, latecomers or newcomers; change rounds none takes the "
    "usual number. The name of a setting is enough: rounds 5.",
    lambda words: ChangeTable(tuple(word for word in words if word.lower() not in _TO)),
    "what? Such as: change walnut, change set 9, change blanks=25-50",
    spanish=("cambiar",),
    examples=("change walnut", "change set 9", "change blanks=25-50"),
    offers=offer_changes,
    where=Where.HOST,
    takes_text=True,
)


# ---- by anybody -----------------------------------------------------------------------------


class Rename(Ask, frozen=True):
    """Change the player's name at this and later tables; the lobby shows it if they are seated."""

    name: str

    async def do(self, session: Session) -> None:
        """Take the name, if it is allowed and the game has not begun; else say why not."""
        view, front, choice = session.node.view(), session.front, session.sitting.habits.name
        found = choice.kind.read(self.name)
        if view.stage is not TableStage.LOBBY:
            session.answer("You can change your name only before the game begins.")
        elif found is None:
            front.say(choice.why_not(self.name))
        else:
            await session.node.rename(found)
            if not view.sits:
                session.answer("You are now called {name}.", name=found)
            if session.is_read and (told := session.sitting.habits.keep_name(found)):
                front.say(told)


_NAME: Final = TableVerb(
    "name NAME",
    "Take another name, before the game; it is kept for later games.",
    lambda words: Rename(" ".join(words)),
    "which name? Such as: name Ann",
    spanish=("nombre",),
    examples=("name Ann",),
    where=Where.LOBBY,
    takes_text=True,
)


class PlayAgain(Ask, frozen=True):
    """Ask for another game with the same company, once this one is over."""

    words: tuple[str, ...] = ()

    async def do(self, session: Session) -> None:
        """Act on the wish for another game, as `NextTable.again` does.

        With `words`, only say how to change the rules. The next table opens with the rules of the
        last; its host can change them unless its game begins by itself.
        """
        if not self.words:
            await session.next_table.again()
            return
        text = (
            "The next game has the rules of this one: type again alone. Before it begins, its host "
            "can type: change {words}"
        )
        if session.sitting.starts_itself:
            text = (
                "The next game has the rules of this one. For others type quit, and in your "
                "shell: {command}"
            )
        command = typed_in_shell("play", "--rules", "NAME")
        session.answer(text, words=" ".join(self.words), command=command)


_AGAIN: Final = TableVerb(
    "again",
    "When the game is over: play another with the same company, in seats drawn anew.",
    lambda words: PlayAgain(tuple(without_courtesies(words))),
    spanish=("otra",),
    takes_text=True,
    also=(
        "play again",
        "another game",
        "one more game",
        "rematch",
        "new game",
        "start a new game",
        "start over",
        "start again",
        "begin again",
        "restart",
        "otra partida",
        "nueva partida",
        "empezar de nuevo",
    ),
)

VERBS: Final = (_START, KICK, ALLOW, _BOTS, _CHANGE, _NAME, _AGAIN)
