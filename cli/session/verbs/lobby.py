"""Lines typed mostly before the game: more bots, how others join, settings by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from cli.choices.bots import BOTS_MAX
from cli.choices.table import RULES, SIZES, TABLE
from cli.input.lexer import is_run, number_of, without_courtesies
from cli.input.phrases import (
    asks,
    bare_words,
    denies,
    mentioned,
    only_number,
    only_one,
    says_nothing,
)
from cli.language import either, say
from cli.program import typed_in_shell
from cli.scene import LobbyScene, Scene
from cli.session.until import OnChange
from cli.session.verbs.company import Rules
from cli.session.verbs.orders import (
    LEVEL_SAID,
    ChangeTable,
    HostOrder,
    LevelBots,
    offer_changes,
    offer_levels,
    seat_bots,
)
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, Where
from engine.rules.choose import STANDARD
from engine.rules.presets import PRESETS
from netgame.io.network.addresses import leads_nowhere_else
from netgame.io.tables.again import level_of
from netgame.protocol.state.options import OPTIONS

if TYPE_CHECKING:
    from cli.input.lexer import Words
    from cli.scene import CompletionContext
    from cli.session.session import Session
    from netgame.protocol.peer.view import TableView

# ---- bots -----------------------------------------------------------------------------------

_FILLERS: Final = frozenset(
    {"a", "another", "more", "bot", "bots", "un", "otro", "más", "mas", "the", "please"}
)
"""Words of `add another bot` that tell neither a number nor a level."""


class AddBots(HostOrder, frozen=True):
    """Add bots: the words say how many, of which levels, or both."""

    words: tuple[str, ...]

    async def carry_out(self, session: Session, view: TableView) -> None:
        """End the session with the offer to reopen the table with more bots; or say why not."""
        choice = session.sitting.habits.bots
        match [number_of(word) for word in map(str.lower, self.words) if word not in _FILLERS]:
            case []:
                typed, times = "1", 1
            case [count, level] if is_run(count):
                typed, times = level, min(int(count), BOTS_MAX + 1)
            case words:
                typed, times = " ".join(words), 1
        added = choice.kind.read(typed)
        if added is None:
            session.front.say(choice.why_not(typed))
        elif not added * times:
            session.answer("The table is like that already.")
        else:
            now = tuple(map(level_of, session.node.bots))
            names = tuple(view.name_of(bot.key) for bot in session.node.bots)
            await seat_bots(session, view, (*now, *added * times), names)


def _offer_bots(scene: Scene | None, before: Words, typing: str) -> Offers:
    """Offer the word for one more bot, and the levels of bots; nothing after a word."""
    return [] if before else [("bot", say("one more bot")), *offer_levels(scene, before, typing)]


_ADD: Final = TableVerb(
    "add bot",
    "Have one more bot at your table, before the game; also add 2 bots, or add hard bot.",
    lambda words: AddBots(tuple(words)),
    "what? Such as: add bot, add 2 bots, add hard bot",
    spanish=("añadir", "agregar"),
    also=("añade", "agrega"),
    examples=("add bot", "add 2 bots", "add hard bot"),
    offers=_offer_bots,
    where=Where.HOST,
)


# ---- how others join ------------------------------------------------------------------------


class Invite(Ask, frozen=True):
    """Ask what others have to type to join this table."""

    on_change: ClassVar = OnChange.RENEWS

    def about(self, view: TableView) -> tuple[object, ...]:
        """Return who announces the table, and whether it is open to all without a code."""
        return (view.announcer, view.is_open)

    async def do(self, session: Session) -> None:
        """Say what others type to join, with the addresses if this person announces the table.

        If the join code is not known here, say whom to ask for it. In a practice game, say that
        nobody else can join.
        """
        view, where = session.node.view(), session.sitting.visit.addresses
        if session.node.is_hidden:
            text = (
                "Nobody else can come to a practice game. To play with others type quit, and in "
                "your shell: {command}"
            )
            session.answer(text, command=typed_in_shell("host"))
        elif code := session.join_code():
            session.answer("The join code is {code}. Others type: boneyard join {code}", code=code)
        elif view.is_open:
            session.answer("Nobody needs a join code here. Others type: boneyard join")
        else:
            text = "Ask {name} for the join code: it is on the screen there."
            name = view.name_of(view.announcer) or view.name_of(view.host_key) or say("the host")
            session.answer(text, name=name)
        if where and view.announces:
            text = "Where that finds no table: boneyard join {where}"
            if all(map(leads_nowhere_else, where)):
                text = "No network is found. On this computer: {command}"
            command = typed_in_shell("join", either(where))
            session.answer(text, where=either(where), command=command)


_CODE: Final = TableVerb(
    "code",
    "Say what others type to join this table.",
    Invite(),
    short=("invite",),
    spanish=("código", "invitar"),
    also=("join code", "others join", "friends join", "friend join", "join"),
    where=Where.DOOR,
)


# ---- settings -------------------------------------------------------------------------------

_SETTINGS: Final = frozenset(TABLE) - {RULES.key}
_USUAL: Final = frozenset({"usual", "normal", "default", "regular", "siempre", "normales"})
_MORE: Final = frozenset({"more", "another", "otro", "mas"})
_A_BOT: Final = frozenset({"bot", "bots"})
_CHANGING: Final = frozenset(
    {"change", "switch", "instead", "cambiar", "cambia", "set", "do", "use", "usa", "back", "to"}
    | {"dominoes", "fichas", "make", "have"}
)
_DOUBLE_BLANKS: Final = (["double", "0"], ["doble", "0"])
"""The double blank, with its pips as a digit."""
_COSTING: Final = frozenset(
    {"point", "points", "cost", "costs", "count", "counts", "worth", "punto", "puntos"}
    | {"cuesta", "cuenta", "vale", "blanks", "blancas"}
)
"""Words around the cost of a tile."""
_HYPHENED: Final = {
    value: name
    for name in _SETTINGS
    for value in TABLE[name].kind.sentences
    if "-" in value and value not in PRESETS
}
"""Hyphenated values, each with its setting; none belongs to two."""
_LETTERS_MIN: Final = 4
"""The fewest letters that can abbreviate a setting in a line with its hyphenated value, as `open`
stands for `opening` in `whole-train to open`."""

_IN_GAME: Final = frozenset((*SIZES, *OPTIONS))
"""The settings whose names mean nothing else during the game."""


def read_setting(words: Words, *, lobby: bool) -> Read | None:
    """Read a line that begins with the name of a setting or a rule set; None if it does not.

    The name alone asks for its explanation or its sheet. A line with a value is read as if after
    `change`, and so is `switches` alone. In a game read only changes of the settings in `_IN_GAME`,
    which are then refused.
    """
    first = words[0].lower()
    name, is_pair, _ = first.partition("=")
    is_alone = len(words) == 1 and not is_pair
    if is_alone and first == "switches":
        return ChangeTable((first,)) if lobby else None
    if not lobby:
        return ChangeTable(tuple(words)) if name in _IN_GAME and not is_alone else None
    if name == RULES.key or name not in (TABLE if is_pair else {**TABLE, **PRESETS}):
        return None
    return Rules(name) if is_alone else ChangeTable(tuple(without_courtesies(words)))


def read_order(line: str) -> Read | None:
    """Read a sentence that names a rule set, settings with their values, or bots, and nothing else.

    A question about one rule set or setting asks for its rules. Return None for any other line.
    """
    words = _with_price(bare_words(line))
    sets, named = mentioned(words, PRESETS), mentioned(words, _SETTINGS)
    if denies(words):
        return None
    if not _MORE.isdisjoint(words) and not _A_BOT.isdisjoint(words):
        return AddBots(tuple(word for word in words if not says_nothing([word])))
    levels = {LEVEL_SAID[word] for word in words if word in LEVEL_SAID}
    others = {*words} - _A_BOT - {*LEVEL_SAID}
    if not _A_BOT.isdisjoint(words) and len(levels) == 1 and says_nothing(others - _CHANGING):
        return LevelBots(levels.pop())
    if asks(line):
        topic = only_one((*sets, *named))
        return None if topic is None else Rules(topic)
    if not (sets or named) and mentioned(words, _USUAL):
        return ChangeTable((STANDARD,)) if says_nothing({*words} - _USUAL) else None
    begun = _begun(words, named)
    changes = [*sets]
    used = {part for each in sets for part in each.split("-")} | begun.keys()
    for name in (*named, *begun.values()):
        kind = TABLE[name].kind
        value = only_one(mentioned([w for w in words if w != name], kind.sentences))
        value = value or only_number([w for w in words if w not in used])
        if value is None:
            return None
        changes += [name, value]
        used |= {name, value, *value.split("-")}
    left = [word for word in words if used.isdisjoint((word, *word.split("-")))]
    return ChangeTable(tuple(changes)) if changes and says_nothing({*left} - _CHANGING) else None


def _with_price(words: list[str]) -> list[str]:
    """Return the words with the double blank and its cost replaced by a value of `blanks`.

    The value counts only the double blank, such as `0-50`. Return the words unchanged if they do
    not name the double blank, or if `blanks` has no such value.
    """
    at = next((at for at in range(len(words)) if words[at : at + 2] in _DOUBLE_BLANKS), None)
    if at is None:
        return words
    rest = [word for word in (*words[:at], *words[at + 2 :]) if word not in _COSTING]
    price = only_number(rest)
    value = f"0-{price}"
    if value not in TABLE["blanks"].kind.sentences:
        return words
    return ["blanks", value, *(word for word in rest if word != price)]


def _begun(words: Words, named: Words) -> dict[str, str]:
    """Return each word that abbreviates a setting, with that setting.

    Only a setting with a hyphenated value counts, and only if the words name such a value, too.
    Skip settings that are `named` in full.
    """
    meant = {_HYPHENED[value] for value in mentioned(words, _HYPHENED)} - {*named}
    return {
        word: name
        for name in meant
        for word in words
        if len(word) >= _LETTERS_MIN and name.startswith(word)
    }


def offer_settings(place: CompletionContext, before: Words, typing: str) -> Offers:
    """Offer a host in the lobby the settings, or the values of the one setting already typed.

    Offer nothing at an empty prompt, and nothing to anybody else.
    """
    if not (isinstance(place, LobbyScene) and place.view.is_host):
        return []
    if not before:
        names = {name: choice.about for name, choice in TABLE.items() if name != RULES.key}
        return [(name, say(about)) for name, about in names.items()] if typing else []
    name = before[0].lower()
    is_named = len(before) == 1 and name in TABLE and name != RULES.key
    return offer_changes(None, before, typing) if is_named else []


VERBS: Final = (_ADD, _CODE)
