"""One of several rows is chosen: by its number, with the arrows, or not at all."""

from collections.abc import Iterable, Sequence
from typing import Final

from cli.choices.kinds import meant
from cli.exits import sentence_of
from cli.guess import did_you_mean
from cli.house_rules.menu import BACK
from cli.language import say
from cli.render.menu import Menu
from cli.session.frontend import FrontEnd
from cli.session.verbs.leaving import LEAVING
from cli.session.verbs.table import HELP

PICK: Final = "Type a number from the list, or b to go back."

_HELP: Final = (HELP.word, *HELP.short, *HELP.spanish)
AGAIN: Final = ("", *_HELP, "board", "look")
_HOW: Final = (
    "Type a row's number, or a word: play NAME for other rules, host, learn, demo, games, rules, "
    "quit; join NAME, join HOST:PORT or a join code for a table; name NAME for another name; b "
    "goes back. At a table help lists all that can be typed."
)
BACK_WORDS: Final = (*BACK, *LEAVING)


def say_how(front: FrontEnd, line: str) -> None:
    """Say what can be typed in a menu, if the line is a word for help; else do nothing."""
    if line.strip().lower() in _HELP:
        front.say(say(_HOW))


def unknown_text(word: str, known: Iterable[str]) -> str:
    """Return a question whether the nearest of these was meant; empty if none is near."""
    hint = did_you_mean(word, known)
    return sentence_of(say("I do not know {word}: {hint}", word=word, hint=hint)) if hint else ""


async def one_of(
    front: FrontEnd, head: str, rows: Sequence[str], words: Sequence[str] = ()
) -> int | None:
    """Return the place of the chosen row, from 0; None to go back or quit, or without more input.

    A row is chosen by its number, or by its word, which may be cut short, where the rows have
    `words`. Any other line is answered, and the next one read.
    """
    back = len(rows) + 1
    numbered = [*enumerate(rows, 1), (back, say("Back"))]
    front.offer(Menu(head, tuple(numbered)))
    while (line := await front.next_line()) is not None:
        word = line.strip().lower()
        say_how(front, word)
        if word in BACK_WORDS or word == str(back):
            break
        if word in {str(number) for number, _ in numbered}:
            return int(word) - 1
        if (known := meant(word, words)) is not None:
            return words.index(known)
        if word in AGAIN:
            front.offer(Menu(head, tuple(numbered)))
        else:
            front.say(unknown_text(word, words) or say(PICK))
    return None
