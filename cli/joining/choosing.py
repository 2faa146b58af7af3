"""Let a person choose one of several rows, by its number, its word or the arrows.

`one_of` lets a person go back without a choice; `chosen_of` is for a command that needs one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from cli.choices.kinds import meant
from cli.exits import CommandFailed, ExitCode, sentence_of
from cli.guess import did_you_mean
from cli.house_rules.menu import BACK
from cli.input.phrases import bare_words, goes_back, mentioned, only_one, row_said, says_nothing
from cli.joining.answering import answers
from cli.language import say
from cli.render.menu import Menu
from cli.session.frontend import FrontEnd
from cli.session.verbs.leaving import LEAVING
from cli.session.verbs.table import HELP

_Listed = TypeVar("_Listed")

BACK_WORDS: Final = (*BACK, *LEAVING)
PICK: Final = "Type a number from the list, or b to go back."
_HELP: Final = (HELP.word, *HELP.short, *HELP.spanish)
_AGAIN: Final = ("", "board", "look")
_HOW: Final = (
    "Type a row's number, or a word: play NAME for other rules, host, learn, demo, games, rules, "
    "quit; join NAME, join HOST:PORT or a join code for a table; name NAME for another name; b "
    "goes back. At a table help lists all that can be typed."
)


def say_how(front: FrontEnd, line: str) -> None:
    """Say what can be typed in a menu, if the line asks for help; else do nothing."""
    if _asks_help(line):
        front.say(say(_HOW))


def shows_again(line: str) -> bool:
    """Return True if a line only asks to see the list.

    Such a line is empty, `board`, `look` or a word for help.
    """
    return line.strip().lower() in _AGAIN or _asks_help(line)


def _asks_help(line: str) -> bool:
    words = {*bare_words(line)}
    return not words.isdisjoint(_HELP) and says_nothing(words.difference(_HELP))


def unknown_text(word: str, known: Iterable[str]) -> str:
    """Return a question suggesting the nearest known word; empty if none is near."""
    hint = did_you_mean(word, known)
    return (
        sentence_of(say('"{word}" is not a command here: {hint}', word=word, hint=hint))
        if hint
        else ""
    )


async def one_of(
    front: FrontEnd, head: str, rows: Sequence[str], words: Sequence[str] = ()
) -> int | None:
    """Return the index of the chosen row; None to go back or quit, or at the end of the input.

    A row is chosen by its number or, if there are `words`, by its word, which may be abbreviated.
    Any other line is answered, and the next one read.
    """
    back = len(rows) + 1
    numbered = [*enumerate(rows, 1), (back, say("Back"))]
    front.offer(Menu(head, tuple(numbered)))
    while (line := await front.next_line(BACK[0])) is not None:
        word, said = line.strip().lower(), bare_words(line)
        say_how(front, word)
        row = row_said(said, back)
        if word in BACK_WORDS or row == back or goes_back(said):
            break
        if row is not None:
            return row - 1
        if not shows_again(word) and answers(front, line):
            continue
        if (known := meant(word, words) or only_one(mentioned(said, words))) is not None:
            return words.index(known)
        if shows_again(word):
            front.offer(Menu(head, tuple(numbered)))
        else:
            front.say(unknown_text(word, words) or say(PICK))
    return None


async def chosen_of(
    front: FrontEnd,
    head: str,
    listed: Mapping[int, tuple[str, _Listed]],
    named: Callable[[str], _Listed | str] | None = None,
) -> _Listed:
    """Show a list and return the item whose number is typed, or that `named` finds for a word.

    `named` is given the word in lower case, and returns an item, or a sentence saying why there is
    none. If it returns "", the person is asked for a number. Raises `CommandFailed` if the person
    leaves or the input ends.
    """
    rows = tuple((number, text) for number, (text, _) in listed.items())
    front.offer(Menu(head, rows, say("Type a number, or quit.")))
    while (line := await front.next_line(LEAVING[0])) is not None:
        word, said = line.strip().lower(), bare_words(line)
        row = row_said(said, max(listed))
        if row is not None and row in listed:
            front.offer(None)
            return listed[row][1]
        if word in LEAVING or goes_back(said):
            break
        found = named(word) if named is not None and word and not word.isdecimal() else ""
        if not isinstance(found, str):
            front.offer(None)
            return found
        if not answers(front, line, behind_menu=False):
            front.say(found or say("Type a number from the list, or quit."))
    raise CommandFailed(ExitCode.NOT_FOUND, say("Nothing was chosen."))
