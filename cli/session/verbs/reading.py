"""The parser of a line typed at the table: a command, a play, a question or a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.exits import sentence_of
from cli.guess import did_you_mean
from cli.input.asking import asks, move_asked, puts_question
from cli.input.lexer import Words, heard, plain, plain_words, without_courtesies
from cli.input.phrases import bare_words, denies, in_order, leads, renamed, trails, wishes, wonders
from cli.input.readers import UsageError, begins_tile
from cli.input.resolution import MoveIntent
from cli.language import either, say
from cli.program import typed_in_shell
from cli.session.answers import NOT_BEGUN
from cli.session.until import OnChange
from cli.session.verbs import company, lobby, orders, questions
from cli.session.verbs.asked import answer_for, is_talk, ways_to_ask
from cli.session.verbs.glossary import WhatIs, read_question
from cli.session.verbs.leaving import Quit
from cli.session.verbs.planning import MakePlan
from cli.session.verbs.play import read_move
from cli.session.verbs.table import (
    SPANISH,
    VERBS,
    WHY,
    WORDS,
    Help,
    find_verb,
    verb_called,
    words_of,
)
from cli.session.verbs.verb import Ask, Read, TableVerb, Where
from cli.session.verbs.why import Why, read_why
from cli.visible import folded as unaccented
from cli.wording.rulebook import cited_section

if TYPE_CHECKING:
    from collections.abc import Container, Iterable


OF_SHELL: Final = frozenset(
    {"replay", "standings", "sheet", "export", "solve", "judge", "doctor", "host", "join"}
    | {"tables", "resume", "games", "stats", "completion", "learn", "demo", "selftest"}
    | {"share"}
)
"""Shell commands that are not verbs."""

FOR_SHELL: Final = "That is typed in your shell: type quit here, and then that there."
"""The answer to a shell command, such as those suggested at the end of a game."""


_SEVERAL: Final = re.compile(r";\s*\w")


def parse(line: str, usable: Container[str] = WORDS, names: Iterable[str] = ()) -> Read | None:
    """Read one line as a command or a play, or else as a question or a sentence with a command.

    Return None if it is empty. `usable` are the verbs that mean something now, `names` the players'
    names. A line with a semicolon may have been meant as several commands: if it cannot be read,
    the `UsageError` says that a line takes only one. A line is never split, since a move cannot be
    taken back, and talk may have semicolons, too.
    """
    read = parse_line(line, usable)
    if not isinstance(read, UsageError) or _lacks_something(line, usable):
        return read
    if _SEVERAL.search(line):
        text = "type one command a line; only tiles can follow each other, as in 9-5 5-6 done"
        return UsageError(say(text))
    asked, said = _read_asked(line, usable, names), _read_sentence(line, usable)
    wants = said is not None and not (_only_shows(said) or puts_question(line))
    if wants or isinstance(said, company.ReadRules):
        return said
    return asked or said or read


def parse_line(line: str, usable: Container[str]) -> Read | None:
    """Read one line as a command or a play; None if it is empty.

    For an unknown word suggest only `usable` words; in a lobby only these may be cut short. A line
    that begins with a tile or a number is a play. Any other is a verb, a question about a word, or
    in a lobby a change of a setting or of the player's name. A move with a question mark at its end
    only asks why. A line that cites a section of the rules asks to read it. Return a `UsageError`
    for an unreadable line; raise nothing.
    """
    words = words_of(line)
    if not words:
        return None
    in_lobby = _is_lobby(usable)
    if (section := cited_section(line)) is not None and not _is_text(words[0]):
        return company.ReadRules(section)
    tiles = plain_words(line.lstrip("\ufeff").replace(";", " ").split()) or words
    if in_lobby and (ordered := in_order(bare_words(line))) is not None:
        words = tiles = ordered
    # a move cannot be taken back, so one with a question mark only asks
    only_asks = plain(line).rstrip().endswith("?")
    if begins_tile(tiles[0]):
        if in_lobby and (order := lobby.read_order(line)) is not None:
            return order  # such as the cost of the double blank
        read = read_why(tiles, find_verb) if only_asks else read_move(tiles)
        return _before_game(read) if in_lobby else read
    setting = lobby.read_setting(words, lobby=in_lobby)
    if in_lobby and setting is not None:
        return setting
    found = _of_use(find_verb(words[0]), usable)
    if isinstance(found, TableVerb):
        read_verb = _read_verb(found, words, usable)
        if read_verb is not None:
            return Why(read_verb) if only_asks and isinstance(read_verb, MoveIntent) else read_verb
        found = ()
    asks_first = wonders(words[:1])
    if in_lobby and not asks_first and (name := renamed(line)) is not None:
        return orders.Rename(name)
    return setting or read_question(line) or _unknown(words, found, usable, line)


def _lacks_something(line: str, usable: Container[str]) -> bool:
    """Return True if an unreadable line is a command whose arguments are missing or wrong.

    The error of that command is then the best answer to the line.
    """
    words = words_of(line)
    verb = verb_called(words[0])
    if verb is None or _is_begun(verb, words[0], in_lobby=_is_lobby(usable)):
        return False
    return len(words) == 1 or verb.takes_text


def _read_asked(line: str, usable: Container[str], names: Iterable[str]) -> Read | None:
    """Read a question about a move or the game; return None if the line asks no such question."""
    why = read_why(move, verb_called) if (move := move_asked(line)) else None
    if isinstance(why, Why):
        return why
    answer = answer_for(line, names, in_lobby=_is_lobby(usable))
    if not isinstance(answer, str):
        return answer
    words = words_of(line)
    is_same = find_verb(words_of(answer)[0]) == verb_called(words[0])
    # `odds ben` is a command with a word too many, `who is here` a question
    return None if is_same and not asks(words[1:]) else parse_line(answer, usable)


def _read_sentence(line: str, usable: Container[str]) -> Read | None:
    """Read the command, the play or the setting within a sentence; None if there is none.

    A question about a command does not carry it out: `can I draw` asks whether one can, and `how do
    I kick Ben` asks for help.
    """
    words = line.split()
    said = [unaccented(heard(word)) for word in words]
    if denies(said) or (words and verb_called(words_of(line)[0]) is WHY):
        return None
    for at in range(leads(said) + 1):
        read = _read_at(words[at:], usable, is_first=at == 0)
        if read is None or isinstance(read, UsageError):
            continue
        if _only_shows(read):
            return read
        if wonders(said[:at]) or plain(line).rstrip().endswith("?"):
            verb = words_of(" ".join(words[at:]))[0]
            return Why(read) if isinstance(read, MoveIntent) else Help(verb)
        if wishes(said[:at]):
            return read
        break
    return lobby.read_order(line) if _is_lobby(usable) else None


def _only_shows(read: Read) -> bool:
    """Return True if the answer only tells something, so it does no harm if the line was talk."""
    shown = Help | WhatIs | Why | questions.OfTable | MakePlan | company.ReadRules
    return isinstance(read, shown) or (
        isinstance(read, Ask) and read.on_change is not OnChange.HOLDS
    )


def _read_at(words: Words, usable: Container[str], *, is_first: bool) -> Read | None:
    """Read these words as a command or a play, ignoring phrases without meaning after a command.

    Return None if they begin with neither. `is_first` means that they are the whole line, which
    `parse_line` could not read; then only a verb followed by such a phrase counts.
    """
    line = " ".join(words)
    if not words or len(heard(words[0])) < 2:
        return None
    if begins_tile(plain_words(words)[0]):
        return None if is_first else parse_line(line, usable)
    verb = verb_called(words_of(line)[0])
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
    """Return True if this is the whole word of a verb that reads the words after it as typed."""
    verb = verb_called(word)
    return verb is not None and verb.takes_text


def _of_use(
    found: TableVerb | tuple[TableVerb, ...], usable: Container[str]
) -> TableVerb | tuple[TableVerb, ...]:
    """Return the usable verbs among the `found` ones, or all of them if none is usable.

    A single verb is returned by itself. A move always counts as usable, even while it is not legal,
    so that the start of a word means the same in every turn.
    """
    if isinstance(found, TableVerb):
        return found
    here = tuple(each for each in found if each.makes or each.word in usable) or found
    return here[0] if len(here) == 1 else here


def _read_verb(verb: TableVerb, words: Words, usable: Container[str]) -> Read | None:
    """Read the words after a verb; return None if the line is not a command after all.

    A verb that is cut short does not count before words that it cannot read, or in a lobby where it
    is of no use.
    """
    in_lobby, is_whole = _is_lobby(usable), verb_called(words[0]) is not None
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
    """Return True once the game has begun, if `word` is a synonym or the start of a host's verb.

    Such verbs are for the lobby: during the game, `go on` and the like do not ask to start.
    """
    is_other = word.casefold() != verb.word and unaccented(word) not in SPANISH
    return verb.where is Where.HOST and is_other and not in_lobby


def _before_game(read: Read) -> Read:
    """Return "not begun" in place of an error about a move, and anything else unchanged."""
    return UsageError(say(NOT_BEGUN)) if isinstance(read, UsageError) else read


def _is_lobby(usable: Container[str]) -> bool:
    """Return True if none of the usable verbs is for the game only, which means the lobby."""
    return not any(each.where is Where.GAME and each.word in usable for each in VERBS)


_COMMAND_WORDS: Final = 2
"""A line of more words counts as a sentence, perhaps meant for the others at the table."""


def _unknown(
    words: Words, starts: tuple[TableVerb, ...], usable: Container[str], line: str
) -> UsageError:
    """Return an error for an unknown line.

    It may suggest a usable verb, but never one that leaves the table.
    """
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
