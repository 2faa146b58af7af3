"""A typed line -> what it asks for, or where and why it is not understood."""

from difflib import get_close_matches

from cli.typed.command import Command
from cli.typed.grammar import COMMANDS, find_command
from cli.typed.intent import Intent, Nothing, UsageError
from cli.typed.readers import read_move
from cli.typed.tokens import Word, begins_tile, split_words


def parse(line: str) -> Intent | UsageError:
    """Read one line. A line that begins with a digit or `[` is a play, all others start a command.

    Never fails on any text; which trains and tiles exist is for `resolve` to say.
    """
    words = split_words(line.lstrip("\ufeff"))
    if not words:
        return Nothing()
    first = words[0]
    if begins_tile(first):
        return read_move(words)
    found = find_command(first.text)
    if isinstance(found, Command):
        return found.intent(words[1:], first)
    return _unknown(first, found)


def _unknown(word: Word, starts: tuple[Command, ...]) -> UsageError:
    if starts:
        choices = " or ".join(command.word for command in starts)
        return UsageError(word.column, f"{word.text} could be {choices}")
    near = get_close_matches(word.text.lower(), [command.word for command in COMMANDS], 1)
    hint = f"did you mean {near[0]}?" if near else "type help for what can be typed"
    return UsageError(word.column, f"I do not know {word.text}: {hint}")
