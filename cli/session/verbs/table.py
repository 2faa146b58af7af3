"""All verbs, in the order of `help`; how a line finds its verb, and the two verbs about verbs.

Parser, completion, `help`, reserved names and the documentation all read `VERBS`; nothing else
lists verbs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from cli.exits import sentence_of
from cli.guess import did_you_mean
from cli.input.lexer import (
    COURTESIES,
    Words,
    heard,
    plain,
    plain_words,
    read_pair,
    without_courtesies,
)
from cli.input.readers import UsageError, begins_tile, read_word
from cli.input.resolution import (
    Ambiguous,
    Doubtful,
    MoveIntent,
    NotFound,
    NotLegal,
    TileByTile,
    only_watches,
    resolve,
)
from cli.language import either, means_yes, say, spoken
from cli.program import installed_version, typed_in_shell
from cli.render.cells import Canvas, text_cells
from cli.render.grid import Column, Grid, Prose, Row
from cli.render.palette import Line, Paint, Span
from cli.scene import Scene
from cli.session.answers import NOT_BEGUN, explanation
from cli.session.frontend import explain
from cli.session.stay import is_over
from cli.session.until import OnChange, Until
from cli.session.verbs import company, door, fair, leaving, lobby, moves, orders, questions
from cli.session.verbs.glossary import read_question, read_topic
from cli.session.verbs.leaving import Quit
from cli.session.verbs.play import read_move
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, Where, in_play
from cli.visible import folded as unaccented
from cli.wording.moves import move_text
from cli.wording.refusals import rule_sentence
from engine.rules.revision import RULES_REVISION
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.names import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Container

    from cli.scene import CompletionContext
    from cli.session.session import Session
    from engine.rules.ruleset import RuleSet

_NO_NAME: Final = re.compile(r"m?\d+|mexican\d+", re.ASCII)


# ---- why ------------------------------------------------------------------------------------


class Why(Ask, frozen=True):
    """Ask by which rule this move would be refused; None: the last one refused, or a pass."""

    move: MoveIntent | None
    until: ClassVar = Until.ROUND_ENDS
    on_change: ClassVar = OnChange.RENEWS

    async def do(self, session: Session) -> None:
        """Say it of the table as it is, and play nothing; before the game that is said."""
        scene = await session.table_in_play()
        if scene is None:
            return
        text = self._of_last(session, scene) if self.move is None else _judged(self.move, scene)
        explain(session.front, text)

    def _of_last(self, session: Session, scene: Scene) -> str:
        said, refused = session.moves.draws.own_pass or ("", session.moves.refused)
        if refused is not None:
            return f"{said} {rule_sentence(refused, scene.table.rules)}".lstrip()
        if not scene.sits:
            return only_watches().hint
        return say("No move has been refused yet. Ask about one, such as: why 9-4 ben.")


def _judged(move: MoveIntent, scene: Scene) -> str:
    """Say that a move is legal, or why it is none, and by which rule."""
    found = resolve(move, scene)
    if isinstance(found, Doubtful):
        found = found.move
    if isinstance(found, TileByTile):
        found = found.chain
    if not isinstance(found, Ambiguous | NotFound | NotLegal):
        return say("Legal: {move}.", move=move_text(scene, found))
    if not isinstance(found, NotLegal):
        return explanation(found, scene)
    return f"{explanation(found, scene)} {rule_sentence(found.refusal, scene.table.rules)}"


def _read_why(words: Words) -> Read:
    """Read the move that is asked about, with or without its own verb.

    `Why(None)` without words; a `UsageError` for a word that is no move.
    """
    if not words:
        return Why(None)
    first = words[0]
    if begins_tile(first):
        found: Read = read_move(words)
    else:
        verb = find_verb(first)
        if not isinstance(verb, TableVerb) or not verb.makes:
            return UsageError(say("{word} is not a move; ask such as: why 9-4 ben", word=first))
        found = verb.read(words[1:], first)
    return Why(found) if isinstance(found, MoveIntent) else found


WHY: Final = TableVerb(
    "why [MOVE]",
    "Say which rule a move would break, or the last one refused; nothing is played.",
    _read_why,
    short=("w",),
    spanish=("por qué", "porque"),
    also=(
        "why not",
        "why can't i",
        "why cant i",
        "why cannot i",
        "why can i not",
        "por qué no",
        "por qué no puedo",
        "porque no puedo",
    ),
    examples=("why", "why 9-4 ben", "9-4 ben?", "why pass", "why tap"),
    is_of_use=in_play,
)


# ---- help -----------------------------------------------------------------------------------


class Help(Ask, frozen=True):
    """List what can be typed, or explain one word."""

    word: str | None = None

    async def do(self, session: Session) -> None:
        """Explain the word, or list what means something now, here and under these rules."""
        view, canvas = session.node.view(), session.front.canvas()
        rules = view.spec.rules if view.spec is not None else None
        playing = view.table is not None
        hosts = session.desk.door() is not None if playing else view.is_host
        keys = session.front.has_keys and session.front.keeps_board
        idle = playing and (is_over(view) or not view.sits)
        onlooker = session.place() if idle or not playing else None
        session.front.show(
            help_lines(
                self.word,
                canvas,
                rules=rules,
                onlooker=onlooker,
                playing=playing,
                hosts=hosts,
                keys=keys,
            )
        )


def help_lines(
    word: str | None,
    canvas: Canvas,
    *,
    playing: bool,
    hosts: bool = True,
    keys: bool = False,
    rules: RuleSet | None = None,
    onlooker: CompletionContext = None,
) -> tuple[Line, ...]:
    """Explain one verb, or list those that mean something now, and under these rules.

    Of an unknown word it is said that there is no such command. The `keys` are told of where they
    change what stands on the screen. To an `onlooker`, or whoever has played or is about to, no
    moves are told of, nor what is of no use to them there.
    """
    if word is not None:
        found = find_verb(word)
        if isinstance(found, TableVerb):
            return _help_of(found, canvas)
        none = "There is no command {word}; type help for all of them."
        return canvas.prose(say(none, word=word), "")
    rows: list[Row] = []
    for verb in VERBS:
        is_now = verb.where.is_now(playing=playing, hosts=hosts)
        is_theirs = onlooker is None or (not verb.makes and verb.is_of_use(onlooker))
        if is_now and is_theirs and (rules is None or verb.known(rules)):
            rows.append((Span(verb.usage, Paint.STRONG), say(verb.sentence)))
    usage = Column(gap=1, least=max(text_cells(each.usage) for each in VERBS))
    lines = list(Grid((usage,), rows, Prose(below=3, free=0)).lines(canvas.columns))
    if playing:
        about = (
            "A train is its number on the board, m for the Mexican train, or the first letters "
            "of its owner's name. Board: > whose turn, "
            "{open_end} open to all, ! must be covered, x takes no tile any more, "
            "bold new since your turn, + you can play it, n new in your hand, = double."
        )
        lines += canvas.prose(say(about, open_end=canvas.glyphs.open_end))
    if playing and keys:
        text = (
            "Keys: Tab offers what can follow, F1 is help, F2 the whole board. The same key, q or "
            "Esc closes an answer. Esc also drops what you have typed, and says no to a question."
        )
        lines += canvas.prose(say(text))
    return tuple(lines)


def _help_of(verb: TableVerb, canvas: Canvas) -> tuple[Line, ...]:
    words = (verb.word, *verb.spanish) if spoken() == "es" else ()
    others = (*verb.short, *(word for word in words if word != verb.called))
    short = say("(short: {words})", words=", ".join(others)) if others else ""
    typed = (re.sub(rf"^{verb.word}\b", verb.called, each) for each in verb.examples)
    examples = say("Such as: {examples}", examples="; ".join(typed) or verb.called)
    return (
        (Span(f" {verb.usage}", Paint.STRONG), Span(f" {short}" if short else "")),
        *canvas.prose(say(verb.sentence)),
        *canvas.prose(examples),
    )


def _offer_verbs(_scene: object, before: Words, _typing: str) -> Offers:
    return [] if before else [(each.called, say(each.sentence)) for each in VERBS]


HELP: Final = TableVerb(
    "help [WORD]",
    "List what you can type, or explain one word.",
    lambda words: read_topic(words, names_command) or Help(read_word(words_of(" ".join(words)))),
    short=("?",),
    spanish=("ayuda",),
    examples=("help", "help play", "help marker"),
    where=Where.ALWAYS,
    offers=_offer_verbs,
)


class Version(Ask, frozen=True):
    """Say which version of the program this is."""

    async def do(self, session: Session) -> None:
        """Say it, and what others at a table need the same of."""
        text = (
            "Boneyard {number}. Protocol {version}, rules revision {revision}: a table needs the "
            "same of everybody."
        )
        number = installed_version() or say("(not installed)")
        session.answer(text, number=number, version=PROTOCOL_VERSION, revision=RULES_REVISION)


VERSION: Final = TableVerb(
    "version",
    "Say which version of the program this is.",
    Version(),
    spanish=("versión",),
    where=Where.ALWAYS,
)


# ---- all verbs ------------------------------------------------------------------------------

VERBS: Final[tuple[TableVerb, ...]] = (
    *moves.VERBS,
    WHY,
    *questions.VERBS,
    *orders.VERBS,
    *lobby.VERBS,
    *door.VERBS,
    *company.VERBS,
    *fair.VERBS,
    HELP,
    VERSION,
    *leaving.VERBS,
)
WORDS: Final = frozenset(verb.word for verb in VERBS)
"""The word of every verb."""

_ENGLISH: Final = {form: verb for verb in VERBS for form in (verb.word, *verb.short)}
_SPANISH: Final = {unaccented(form): verb for verb in VERBS for form in verb.spanish}
_MEANT: Final = {
    unaccented(form): [verb.word, *words.split()]
    for verb in VERBS
    for form, _, words in (each.partition(":") for each in verb.with_words)
}
"""Phrases that stand for a verb and words behind it."""
_SAID: Final = {unaccented(form): verb for verb in VERBS for form in verb.also} | _SPANISH
_WORDS_MAX: Final = max(form.count(" ") + 1 for form in (*_SAID, *_MEANT))
"""The words of the longest form."""


def find_verb(word: str) -> TableVerb | tuple[TableVerb, ...]:
    """Return the verb of this word, short form or unambiguous start; else all that it may begin.

    The tuple is empty if there is none. A whole Spanish word counts whatever language is spoken.
    The start of one counts only where Spanish is spoken, and then before those of English words.
    """
    folded, plain = word.casefold(), unaccented(word)
    if (verb := _whole(word)) is not None:
        return verb
    if means_yes(folded):  # a yes to what is asked no more is no short form
        return ()
    forms = _SPANISH.items() if spoken() == "es" else ()
    starts = tuple(dict.fromkeys(verb for form, verb in forms if form.startswith(plain)))
    starts = starts or tuple(verb for verb in VERBS if verb.word.startswith(folded))
    return starts[0] if len(starts) == 1 else starts


def _whole(word: str) -> TableVerb | None:
    return (
        _SPANISH.get(unaccented(word))
        or _ENGLISH.get(word.casefold())
        or _SAID.get(unaccented(word))
    )


def names_command(line: str) -> bool:
    """Whether a line begins with the whole word, or all the words, of a verb."""
    return _whole(words_of(line)[0]) is not None


def begins_command(line: str) -> bool:
    """Whether its first word begins that of a verb, or of several."""
    return find_verb(words_of(line)[0]) != ()


def words_of(line: str) -> Words:
    """Return the words of a line; what names a verb is one word, without what stands around it.

    All others are as typed.
    """
    words = line.lstrip("\ufeff").split()
    for count in range(min(_WORDS_MAX, len(words)), 0, -1):
        said = " ".join(map(heard, words[:count]))
        if unaccented(said) in _SAID or unaccented(said) in _MEANT:
            return [*_MEANT.get(unaccented(said), [said]), *words[count:]]
    return [heard(words[0]), *words[1:]] if words else []


OF_SHELL: Final = frozenset(
    {"replay", "standings", "sheet", "export", "solve", "judge", "doctor", "host", "join"}
    | {"tables", "resume", "games", "stats", "completion", "learn", "demo"}
)
"""Commands of the shell that are no verbs."""

FOR_SHELL: Final = "That is typed in your shell: type quit here, and then that there."
"""The answer to a command of the shell, such as those that a game ends with."""


def parse(line: str, usable: Container[str] = WORDS) -> Read | None:
    """Read one line; None if it is empty.

    Only `usable` words are suggested for an unknown one, and are read in a lobby when cut short. A
    line that begins with a tile or a number is a play, all others a verb, or in a lobby the name of
    a setting; a move with a question mark at its end only asks why. Return a `UsageError` for what
    it cannot read; nothing is raised.
    """
    words = words_of(line)
    if not words:
        return None
    in_lobby = _is_lobby(usable)
    tiles = plain_words(line.lstrip("\ufeff").split())
    if in_lobby and (ordered := lobby.in_order(tiles)) is not None:
        words = tiles = ordered
    # a move cannot be taken back, so one with a question mark only asks
    asks = plain(line).rstrip().endswith("?")
    if begins_tile(tiles[0]):
        read = _read_why(tiles) if asks else read_move(tiles)
        return _before_game(read) if in_lobby else read
    if in_lobby and (setting := lobby.read_setting(words, lobby=True)) is not None:
        return setting
    found = _of_use(find_verb(words[0]), usable)
    if isinstance(found, TableVerb):
        read_verb = _read_verb(found, words, usable)
        if read_verb is not None:
            return Why(read_verb) if asks and isinstance(read_verb, MoveIntent) else read_verb
        found = ()
    setting = lobby.read_setting(words, lobby=in_lobby)
    return setting or read_question(line) or _unknown(words, found, usable, " ".join(line.split()))


def _of_use(
    found: TableVerb | tuple[TableVerb, ...], usable: Container[str]
) -> TableVerb | tuple[TableVerb, ...]:
    """Return of the verbs that a start may mean those that mean something now, if any does.

    A move does, also while it is not legal: no start means another thing in another turn.
    """
    if isinstance(found, TableVerb):
        return found
    here = tuple(each for each in found if each.makes or each.word in usable) or found
    return here[0] if len(here) == 1 else here


def _read_verb(verb: TableVerb, words: Words, usable: Container[str]) -> Read | None:
    """Read what is behind a verb; None if the line is no command after all.

    A verb cut short is none before words that it cannot read, nor in a lobby if it is of no use.
    """
    in_lobby, is_whole = _is_lobby(usable), _whole(words[0]) is not None
    if _is_begun(verb, words[0], in_lobby=in_lobby):
        return None
    if in_lobby and not is_whole and verb.word not in usable:
        return None
    rest = words[1:] if verb.takes_text else without_courtesies(plain_words(words[1:]))
    read = verb.read(rest, words[0])
    if isinstance(read, UsageError) and rest and not is_whole:
        return None
    return _before_game(read) if in_lobby and verb.where is Where.GAME else read


def _is_begun(verb: TableVerb, word: str, *, in_lobby: bool) -> bool:
    """Whether this is another word for what a host does before the game, and that has begun.

    In play `go on` and the like are no wish to start.
    """
    is_other = word.casefold() != verb.word and unaccented(word) not in _SPANISH
    return verb.where is Where.HOST and is_other and not in_lobby


def _before_game(read: Read) -> Read:
    """Say of a line that is no move only that the game has not begun: nobody holds a tile yet."""
    return UsageError(say(NOT_BEGUN)) if isinstance(read, UsageError) else read


def _is_lobby(usable: Container[str]) -> bool:
    """Whether none of these words is a verb that means something only during the game."""
    return not any(each.where is Where.GAME and each.word in usable for each in VERBS)


_COMMAND_WORDS: Final = 2
"""A line of more words may be meant for the others at the table."""


def _unknown(
    words: Words, starts: tuple[TableVerb, ...], usable: Container[str], line: str
) -> UsageError:
    """Say what it may have been; never a word that leaves the table, nor one of no use now."""
    word, after = words[0], plain_words(words[1:2])
    if word.lower() == "boneyard":
        return UsageError(say(FOR_SHELL))
    if word.lower() in OF_SHELL:
        text = "{word} is a command of your shell: type quit here, and then there: {command}"
        return UsageError(say(text, word=word, command=typed_in_shell(word.lower())))
    if starts:
        choices = either([verb.called for verb in starts])
        return UsageError(say("{word} could be {choices}", word=word, choices=choices))
    holds_tiles = "hand" in usable
    tile = after[0] if holds_tiles and after and begins_tile(after[0]) else ""
    harmless = (each for each in VERBS if not isinstance(each.means, Quit))
    known = (each for each in harmless if each.word in usable and (each.takes or not tile))
    hint = did_you_mean(word.lower(), [each.called for each in known])
    if not hint:
        text = "type help for what can be typed"
        if tile:
            text = "to play a tile type {tile}, or {tile} and the name of a train"
        hint = say(text, tile=tile)
    unknown = say('"{word}" is not a command here: {hint}', word=word, hint=hint)
    if _is_lobby(usable) or ("say" in usable and len(words) > _COMMAND_WORDS):
        talk = say("To talk to the table type: say {line}", line=line)
        unknown = f"{sentence_of(unknown)} {talk}"
    return UsageError(unknown)


_ENDS: Final = COURTESIES | {"done", "listo", "back"}
"""Words that may stand behind the train of a play."""


def is_no_name(text: str) -> bool:
    """Whether a player cannot be called so: a number, a verb, the Mexican train, or nobody.

    Nor if the name has a tile in it, or ends as a play may: `4-2`, `Well done`, `Please`. False for
    a letter that is short for a verb, except `m`, and for `me`.
    """
    word, words = text.casefold(), text.split()
    if any(map(read_pair, plain_words(words))) or (words and heard(words[-1]).casefold() in _ENDS):
        return True
    if word in NO_NAMES or _NO_NAME.fullmatch(word):
        return True
    return (len(word) > 1 and word in _ENGLISH) or unaccented(text) in _SPANISH
