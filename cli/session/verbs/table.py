"""All verbs in the order of `help`, and their lookup; `why`, `help`, `version`; reserved names.

Parser, completion, `help`, reserved names and the documentation all read `VERBS`; nothing else
lists verbs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.input.lexer import COURTESIES, Words, heard, plain_words, read_pair
from cli.input.readers import UsageError, read_word
from cli.language import means_yes, say, spoken
from cli.program import installed_version
from cli.render.cells import Canvas, text_cells
from cli.render.grid import Column, Grid, Prose, Row
from cli.render.palette import UNICODE_GLYPHS, Line, Paint, Span
from cli.session.stay import is_over
from cli.session.verbs import (
    company,
    config,
    door,
    fair,
    leaving,
    lobby,
    moves,
    mute,
    orders,
    page,
    questions,
)
from cli.session.verbs.glossary import read_topic
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, Where, in_play
from cli.session.verbs.why import read_why
from cli.visible import folded as unaccented
from cli.wording.glossary import EXPLAINED, legend
from engine.rules.revision import RULES_REVISION
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.names import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.scene import CompletionContext
    from cli.session.session import Session
    from engine.rules.ruleset import RuleSet


WHY: Final = TableVerb(
    "why [MOVE]",
    "Say which rule a move would break, or the last one refused; nothing is played. why §2.2 shows "
    "that section of the rules.",
    lambda words: read_why(words, find_verb),
    short=("w",),
    spanish=("por qué", "porque"),
    examples=("why", "why 9-4 ben", "9-4 ben?", "why pass", "why tap"),
    is_of_use=in_play,
)


# ---- help -----------------------------------------------------------------------------------


_NO_COMMAND: Final = "There is no command {word}; type help for all of them."


class Help(Ask, frozen=True):
    """List the verbs that mean something now, or explain one verb."""

    word: str | None = None

    async def do(self, session: Session) -> None:
        """Explain the verb, or list those that mean something now under the rules of this table."""
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
    """Return an explanation of one verb, or a list of those that mean something now.

    The list leaves out verbs of no use under the `rules`. With `keys`, it also explains the keys of
    a screen that keeps the board. For an unknown word, the lines say that there is no such command.
    An `onlooker` is the place of somebody who is not playing (before the game, after it, or without
    a seat): leave out moves and other verbs of no use there.
    """
    if word is not None:
        found = find_verb(word)
        if isinstance(found, TableVerb):
            return _help_of(found, canvas)
        return canvas.prose(say(_NO_COMMAND, word=word), "")
    plays = playing and onlooker is None
    first = [*_first_lines(canvas), (), *canvas.prose(say("All that you can type:"))]
    rows: list[Row] = []
    for verb in VERBS:
        is_now = verb.where.is_now(playing=playing, hosts=hosts)
        is_theirs = onlooker is None or (not verb.makes and verb.is_of_use(onlooker))
        if is_now and is_theirs and (rules is None or verb.known(rules)):
            rows.append((Span(verb.usage, Paint.STRONG), say(verb.sentence)))
    usage = Column(gap=1, least=max(text_cells(each.usage) for each in VERBS))
    lines = first if plays else []
    lines += Grid((usage,), rows, Prose(below=3, free=0)).lines(canvas.columns)
    if playing:
        about = (
            "A train is its number on the board, m for the Mexican train, or the first letters "
            "of its owner's name. Board: {signs}."
        )
        lines += canvas.prose(say(about, signs=legend(canvas.glyphs.open_end)))
    if playing and keys:
        text = (
            "Keys: Tab offers what can follow, F1 is help, F2 the whole board. The same key, q or "
            "Esc closes an answer. Esc also drops what you have typed, and says no to a question."
        )
        lines += canvas.prose(say(text))
    return tuple(lines)


FIRST_STEPS: Final = (
    ("9-4", "Play that tile. Its number in the list of plays does the same."),
    ("9-4 ben", "Play it on Ben's train: 9-4 m for the Mexican train, 9-4 mine for your own."),
    ("Enter", "Do what the prompt offers, such as draw when nothing fits."),
    ("hint", "See what an expert would play."),
    ("why", "See why a move was refused."),
)
"""Everything that one needs to play: the words to type, each with its effect."""


def _first_lines(canvas: Canvas) -> Sequence[Line]:
    rows: list[Row] = []
    for typed, told in FIRST_STEPS:
        verb = verb_called(typed)
        rows.append((Span(verb.called if verb else typed, Paint.STRONG), say(told)))
    head = canvas.prose(say("You need five things to play:"))
    return (*head, *Grid((Column(),), rows, Prose(below=3, free=0)).lines(canvas.columns))


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


def _offer_topics(_scene: object, before: Words, _typing: str) -> Offers:
    """Offer every verb, and every term or sign that can be explained, by its next word."""
    said = "".join(f"{word} " for word in before)
    verbs = {} if before else {each.called: say(each.sentence) for each in VERBS}
    terms = {each.called: each.told(UNICODE_GLYPHS.open_end) for each in EXPLAINED}
    found = {
        name.removeprefix(said).partition(" ")[0]: told
        for name, told in terms.items()
        if name.startswith(said)
    }
    return [*(found | verbs).items()]


def _read_help(words: Words) -> Read:
    """Read a term, a sign or a verb to explain; none, as in `help me`, lists the verbs.

    Return a `UsageError` for anything else.
    """
    if (topic := read_topic(words, names_command)) is not None:
        return topic
    for_whom = _FOR_WHOM.issuperset(heard(word).casefold() for word in words)
    word = None if for_whom else read_word(words_of(" ".join(words)))
    if word is not None and not isinstance(find_verb(word), TableVerb):
        return UsageError(say(_NO_COMMAND, word=word))
    return Help(word)


_FOR_WHOM: Final = frozenset({"me", "us", "please", "favor"})
"""Words after `help` that name nothing to explain."""


HELP: Final = TableVerb(
    "help [WORD]",
    "List what you can type, or explain one word.",
    _read_help,
    short=("?",),
    spanish=("ayuda",),
    examples=("help", "help play", "help marker"),
    where=Where.ALWAYS,
    offers=_offer_topics,
)


class Version(Ask, frozen=True):
    """Say which version of the program this is."""

    async def do(self, session: Session) -> None:
        """Say the version, and the protocol version and rules revision that a table must share."""
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
    *page.VERBS,
    *company.VERBS,
    *mute.VERBS,
    *fair.VERBS,
    *config.VERBS,
    HELP,
    VERSION,
    *leaving.VERBS,
)
WORDS: Final = frozenset(verb.word for verb in VERBS)
"""The word of every verb."""

ENGLISH: Final = {form: verb for verb in VERBS for form in (verb.word, *verb.short)}
"""The verb of each English word and short form."""
SPANISH: Final = {unaccented(form): verb for verb in VERBS for form in verb.spanish}
"""The verb of each Spanish word, without accents."""
_MEANT: Final = {
    unaccented(form): [verb.word, *words.split()]
    for verb in VERBS
    for form, _, words in (each.partition(":") for each in verb.with_words)
}
"""Phrases that mean a verb and words after it."""
_SAID: Final = {unaccented(form): verb for verb in VERBS for form in verb.also} | SPANISH
_WORDS_MAX: Final = max(form.count(" ") + 1 for form in (*_SAID, *_MEANT))
"""The number of words in the longest form."""


def find_verb(word: str) -> TableVerb | tuple[TableVerb, ...]:
    """Return the verb of this word, short form or unambiguous start; else all verbs it may begin.

    Return an empty tuple if there are none, and for a yes or a word of `NO_NAMES` that is not a
    verb. A whole Spanish word counts in every language. The start of one counts only if the program
    speaks Spanish, and then before the starts of English words.
    """
    folded, plain = word.casefold(), unaccented(word)
    if (verb := verb_called(word)) is not None:
        return verb
    # A late yes is not a short form, and neither is a word for a train or for people.
    if means_yes(folded) or folded in NO_NAMES:
        return ()
    forms = SPANISH.items() if spoken() == "es" else ()
    starts = tuple(dict.fromkeys(verb for form, verb in forms if form.startswith(plain)))
    starts = starts or tuple(verb for verb in VERBS if verb.word.startswith(folded))
    return starts[0] if len(starts) == 1 else starts


def verb_called(word: str) -> TableVerb | None:
    """Return the verb of a whole word, phrase or short form, in any language; else None."""
    return (
        SPANISH.get(unaccented(word)) or ENGLISH.get(word.casefold()) or _SAID.get(unaccented(word))
    )


def names_command(line: str) -> bool:
    """Return True if a line begins with the whole word, or all the words, of a verb.

    The line must have a word.
    """
    return verb_called(words_of(line)[0]) is not None


def begins_command(line: str) -> bool:
    """Return True if a line begins with a verb, or with the start of one or several verbs.

    The line must have a word.
    """
    return find_verb(words_of(line)[0]) != ()


def words_of(line: str) -> Words:
    """Return the words of a line; a phrase that means a verb is one word, without punctuation.

    All words after it are as typed. A phrase of `with_words` becomes its verb and words.
    """
    words = line.lstrip("\ufeff").split()
    for count in range(min(_WORDS_MAX, len(words)), 0, -1):
        said = " ".join(map(heard, words[:count]))
        if unaccented(said) in _SAID or unaccented(said) in _MEANT:
            return [*_MEANT.get(unaccented(said), [said]), *words[count:]]
    return [heard(words[0]), *words[1:]] if words else []


# ---- reserved names -------------------------------------------------------------------------

_NO_NAME: Final = re.compile(r"m?\d+|mexican\d+", re.ASCII)
_ENDS: Final = COURTESIES | {"done", "listo", "back"}
"""Words that may follow the train of a play."""


def is_no_name(text: str) -> bool:
    """Return True if no player may have this name: a number, a verb, or a reserved word.

    Also True for a name that contains a tile, or ends as a play may: `4-2`, `Well done`, `Please`.
    `me` and a single letter that is short for a verb are allowed, but not `m`.
    """
    word, words = text.casefold(), text.split()
    if any(map(read_pair, plain_words(words))) or (words and heard(words[-1]).casefold() in _ENDS):
        return True
    if word in NO_NAMES or _NO_NAME.fullmatch(word):
        return True
    return (len(word) > 1 and word in ENGLISH) or unaccented(text) in SPANISH
