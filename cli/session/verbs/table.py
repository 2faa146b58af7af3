"""All verbs, in the order of `help`; how a line finds its verb, and the two verbs about verbs.

Parser, completion, `help`, reserved names and the documentation all read `VERBS`; nothing else
lists verbs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.exits import sentence_of
from cli.guess import did_you_mean
from cli.input.asking import asks, move_asked, puts_question
from cli.input.lexer import (
    COURTESIES,
    Words,
    heard,
    plain,
    plain_words,
    read_pair,
    without_courtesies,
)
from cli.input.phrases import bare_words, denies, in_order, leads, renamed, trails, wishes, wonders
from cli.input.readers import UsageError, begins_tile, read_word
from cli.input.resolution import MoveIntent
from cli.language import either, means_yes, say, spoken
from cli.program import installed_version, typed_in_shell
from cli.render.cells import Canvas, text_cells
from cli.render.grid import Column, Grid, Prose, Row
from cli.render.palette import UNICODE_GLYPHS, Line, Paint, Span
from cli.session.answers import NOT_BEGUN
from cli.session.stay import is_over
from cli.session.until import OnChange
from cli.session.verbs import company, config, door, fair, leaving, lobby, moves, orders, questions
from cli.session.verbs.asked import answer_for, is_talk, ways_to_ask
from cli.session.verbs.glossary import WhatIs, read_question, read_topic
from cli.session.verbs.leaving import Quit
from cli.session.verbs.planning import MakePlan
from cli.session.verbs.play import read_move
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, Where, in_play
from cli.session.verbs.why import Why, read_why
from cli.visible import folded as unaccented
from cli.wording.glossary import EXPLAINED, legend
from cli.wording.rulebook import cited_section
from engine.rules.revision import RULES_REVISION
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.names import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from cli.scene import CompletionContext
    from cli.session.session import Session
    from engine.rules.ruleset import RuleSet

_NO_NAME: Final = re.compile(r"m?\d+|mexican\d+", re.ASCII)


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
    ("Enter", "Do what stands at the prompt, such as draw where nothing fits."),
    ("hint", "Be told what an expert would play."),
    ("why", "Be told why a move was refused."),
)
"""All that one needs to play, as typed, and what it does."""


def _first_lines(canvas: Canvas) -> Sequence[Line]:
    rows: list[Row] = []
    for typed, told in FIRST_STEPS:
        verb = _whole(typed)
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
    """Offer every verb and every word and sign that can be explained, word by word."""
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
    """Read a word or a sign, or a verb; `help me` lists all; a `UsageError` for anything else."""
    if (topic := read_topic(words, names_command)) is not None:
        return topic
    for_whom = _FOR_WHOM.issuperset(heard(word).casefold() for word in words)
    word = None if for_whom else read_word(words_of(" ".join(words)))
    if word is not None and not isinstance(find_verb(word), TableVerb):
        return UsageError(say(_NO_COMMAND, word=word))
    return Help(word)


_FOR_WHOM: Final = frozenset({"me", "us", "please", "favor"})
"""Words behind `help` that name nothing to be explained."""


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
    *config.VERBS,
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


_SEVERAL: Final = re.compile(r";\s*\w")


def parse(line: str, usable: Container[str] = WORDS, names: Iterable[str] = ()) -> Read | None:
    """Read one line; else as a question, or as the command that a sentence has in it.

    None if it is empty. `names` are those of the players. A line with a semicolon may have been
    meant as several, which is said where it cannot be read. No more is done of it than its first
    command would, as a move cannot be taken back, and what is said to the table may have a
    semicolon, too.
    """
    read = parse_line(line, usable)
    if not isinstance(read, UsageError) or _lacks_something(line, usable):
        return read
    asked, said = _read_asked(line, usable, names), _read_sentence(line, usable)
    wants = said is not None and not (_only_shows(said) or puts_question(line))
    if wants or isinstance(said, company.ReadRules):
        return said
    if asked is None and said is None and _SEVERAL.search(line):
        text = "type one command a line; only tiles can follow each other, as in 9-5 5-6 done"
        return UsageError(say(text))
    return asked or said or read


def parse_line(line: str, usable: Container[str]) -> Read | None:
    """Read one line as a command or a play; None if it is empty.

    Only `usable` words are suggested for an unknown one, and are read in a lobby when cut short. A
    line that begins with a tile or a number is a play, all others a verb, or in a lobby the name of
    a setting; a move with a question mark at its end only asks why, and a section of the rules that
    is cited is shown. Return a `UsageError` for what it cannot read; nothing is raised.
    """
    words = words_of(line)
    if not words:
        return None
    in_lobby = _is_lobby(usable)
    if (section := cited_section(line)) is not None and not _is_text(words[0]):
        return company.ReadRules(section)
    tiles = plain_words(line.lstrip("\ufeff").replace(";", " ").split())
    if in_lobby and (ordered := in_order(bare_words(line))) is not None:
        words = tiles = ordered
    # a move cannot be taken back, so one with a question mark only asks
    only_asks = plain(line).rstrip().endswith("?")
    if begins_tile(tiles[0]):
        read = read_why(tiles, find_verb) if only_asks else read_move(tiles)
        return _before_game(read) if in_lobby else read
    if in_lobby and (setting := lobby.read_setting(words, lobby=True)) is not None:
        return setting
    found = _of_use(find_verb(words[0]), usable)
    if isinstance(found, TableVerb):
        read_verb = _read_verb(found, words, usable)
        if read_verb is not None:
            return Why(read_verb) if only_asks and isinstance(read_verb, MoveIntent) else read_verb
        found = ()
    setting = lobby.read_setting(words, lobby=in_lobby)
    asks_first = wonders(words[:1])
    if in_lobby and not asks_first and (name := renamed(line)) is not None:
        return orders.Rename(name)
    return setting or read_question(line) or _unknown(words, found, usable, line)


def _lacks_something(line: str, usable: Container[str]) -> bool:
    """Whether a line that cannot be read is a command all the same, whose sentence says why."""
    words = words_of(line)
    verb = _whole(words[0])
    if verb is None or _is_begun(verb, words[0], in_lobby=_is_lobby(usable)):
        return False
    return len(words) == 1 or verb.takes_text


def _read_asked(line: str, usable: Container[str], names: Iterable[str]) -> Read | None:
    """Read a question after a move or the game; None if a line asks nothing."""
    why = read_why(move, _whole) if (move := move_asked(line)) else None
    if isinstance(why, Why):
        return why
    answer = answer_for(line, names, in_lobby=_is_lobby(usable))
    if not isinstance(answer, str):
        return answer
    words = words_of(line)
    is_same = find_verb(words_of(answer)[0]) == _whole(words[0])
    # `odds ben` is a command with a word too many, `who is here` a question
    return None if is_same and not asks(words[1:]) else parse_line(answer, usable)


def _read_sentence(line: str, usable: Container[str]) -> Read | None:
    """Read the command, the play or the setting within a sentence; None if there is none.

    What asks about a command does not do it: `can I draw` says whether, and `how do I kick Ben` is
    help for it.
    """
    words = line.split()
    said = [unaccented(heard(word)) for word in words]
    if denies(said) or (words and _whole(words_of(line)[0]) is WHY):
        return None
    for at in range(leads(said) + 1):
        read = _read_at(words[at:], usable, is_first=at == 0)
        if read is None or isinstance(read, UsageError):
            continue
        if _only_shows(read):
            return read
        if not (wonders(said[:at]) or plain(line).rstrip().endswith("?")):
            return read if wishes(said[:at]) else None
        return (
            Why(read) if isinstance(read, MoveIntent) else Help(words_of(" ".join(words[at:]))[0])
        )
    return lobby.read_order(line) if _is_lobby(usable) else None


def _only_shows(read: Read) -> bool:
    """Whether something is only told, so that no harm is done by somebody who meant to talk."""
    shown = Help | WhatIs | Why | questions.OfTable | MakePlan | company.ReadRules
    return isinstance(read, shown) or (
        isinstance(read, Ask) and read.on_change is not OnChange.HOLDS
    )


def _read_at(words: Words, usable: Container[str], *, is_first: bool) -> Read | None:
    """Read these words as a command or a play, without what says nothing behind a command.

    None if they begin with neither, or if the line `is_first` and was read so before.
    """
    line = " ".join(words)
    if not words or len(heard(words[0])) < 2:
        return None
    if begins_tile(plain_words(words)[0]):
        return None if is_first else parse_line(line, usable)
    verb = _whole(words_of(line)[0])
    if verb is None or (_is_lobby(usable) and verb.where is Where.GAME):
        return None
    behind = [unaccented(heard(word)) for word in words_of(line)[1:]]
    if is_first and not trails(behind):
        return None
    read = None if is_first else parse_line(line, usable)
    if isinstance(read, UsageError | None) and trails(behind) and not verb.missing:
        return _read_verb(verb, words_of(line)[:1], usable)
    return read


def _is_text(word: str) -> bool:
    """Whether this is the whole word of a verb whose other words are as they were typed."""
    verb = _whole(word)
    return verb is not None and verb.takes_text


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
"""A line of more words is a sentence, which may be meant for the others at the table."""


def _unknown(
    words: Words, starts: tuple[TableVerb, ...], usable: Container[str], line: str
) -> UsageError:
    """Say what it may have been; never a word that leaves the table, nor one of no use now."""
    word, after, is_sentence = words[0], plain_words(words[1:2]), len(words) > _COMMAND_WORDS
    if word.lower() == "boneyard":
        return UsageError(say(FOR_SHELL))
    if word.lower() in OF_SHELL:
        text = "{word} is a command of your shell: type quit here, and then there: {command}"
        return UsageError(say(text, word=word, command=typed_in_shell(word.lower())))
    if starts:
        choices = either([verb.called for verb in starts])
        return UsageError(say("{word} could be {choices}", word=word, choices=choices))
    tile = after[0] if "hand" in usable and after and begins_tile(after[0]) else ""
    harmless = (each for each in VERBS if not isinstance(each.means, Quit))
    known = (each for each in harmless if each.word in usable and (each.takes or not tile))
    hint = "" if is_sentence else did_you_mean(word.lower(), [each.called for each in known])
    if not hint:
        text = "type help for what can be typed"
        if tile:
            text = "to play a tile type {tile}, or {tile} and the name of a train"
        elif is_sentence:
            text = "ask {questions}, or type help"
        hint = say(text, tile=tile, questions=ways_to_ask(usable))
    unknown = say('"{word}" is not a command here: {hint}', word=word, hint=hint)
    if "say" in usable and (is_sentence or _is_lobby(usable) or is_talk(line)):
        talk = say("To talk to the table type: say {line}", line=" ".join(line.split()))
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
