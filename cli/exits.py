"""How the program can end: its exit codes, and the failures that a person can mend."""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Final

from cli.language import capitalized, translated
from netgame.errors import Disconnected, LocalMisuse, Malformed, NetgameError, Refused, TimedOut


class ExitCode(IntEnum):
    """The exit codes that a shell script can rely on."""

    OK = 0
    FAILED = 1
    USAGE = 2
    """The command line itself is wrong, regardless of the files on the disk."""
    NOT_FOUND = 3
    """A named file, game, table or person was not found, not readable, or not reached in time."""
    REFUSED = 4
    BAD_FILE = 5
    """A file was read, but is bad: a record that does not hold, or not a game or settings file."""
    MOVE_REFUSED = 6
    """The rules refused a move chosen by a bot of this process, or by `--auto`.

    This is a bug, whatever the result of the game.
    """
    HUNG_UP = 129
    INTERRUPTED = 130
    CUT_OFF = 141
    """The reader of the game closed the pipe, so it was not played to its end.

    If only a part of a list is read, the code is `OK`.
    """
    TERMINATED = 143


MEANINGS: Final[Mapping[ExitCode, str]] = {
    ExitCode.OK: "ok",
    ExitCode.FAILED: "failed",
    ExitCode.USAGE: "wrong arguments",
    ExitCode.NOT_FOUND: "not found, not readable, or timed out",
    ExitCode.REFUSED: "refused by another player",
    ExitCode.BAD_FILE: "a bad file, such as a record that does not hold",
    ExitCode.MOVE_REFUSED: "the rules refused a move that this program chose",
    ExitCode.HUNG_UP: "terminal closed",
    ExitCode.INTERRUPTED: "interrupted",
    ExitCode.CUT_OFF: "the reader of a game has gone",
    ExitCode.TERMINATED: "terminated",
}
"""The meaning of each code to a person, in English."""


class CommandFailed(Exception):
    """A command cannot go on; `code` is the exit code, and `sentence` tells the person why."""

    def __init__(self, code: ExitCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def as_failure(
    error: BaseException, *, alone: bool = False
) -> CommandFailed | KeyboardInterrupt | BrokenPipeError | None:
    """Return the failure to report, an interrupt or a closed pipe; None if the error is a bug.

    Exception groups are searched. A `KeyboardInterrupt` comes first, then the first
    `CommandFailed`, then a `BrokenPipeError` if there is nothing else. Otherwise the first
    `NetgameError` becomes a failure with its sentence, if all errors are of that kind and none is
    `LocalMisuse`. A command that runs `alone` uses no network, so its `NetgameError`s are bugs.
    """
    found = list(_leaves(error))
    if any(isinstance(leaf, KeyboardInterrupt) for leaf in found):
        return KeyboardInterrupt()
    for leaf in found:
        if isinstance(leaf, CommandFailed):
            return leaf
    cut = [leaf for leaf in found if isinstance(leaf, BrokenPipeError)]
    if cut and len(cut) == len(found):
        return cut[0]
    known = [leaf for leaf in found if isinstance(leaf, NetgameError)]
    bugs = alone or any(isinstance(leaf, LocalMisuse) for leaf in known)
    if bugs or not known or len(known) < len(found):
        return None
    return CommandFailed(_code(known[0]), sentence_about(known[0]))


def sentence_about(error: NetgameError) -> str:
    """Return an exception's text as a sentence, in the player's language."""
    return sentence_of(translated(error.said))


def sentence_of(text: str) -> str:
    """Return a text with a capital at its beginning and a full stop at its end.

    Removes spaces around it. A text that ends in `.`, `!` or `?` gets no full stop.
    """
    text = text.strip()
    end = "" if text.endswith((".", "!", "?")) else "."
    return f"{capitalized(text)}{end}"


def _code(error: NetgameError) -> ExitCode:
    match error:
        case Refused(code="discovery" | "no-table") | TimedOut() | Disconnected():
            return ExitCode.NOT_FOUND
        case Refused():
            return ExitCode.REFUSED
        case Malformed():
            return ExitCode.USAGE
        case _:
            return ExitCode.FAILED


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
