"""How the program ends: its exit codes, and the one exception that carries one."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a shell script can rely on."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    INTERRUPTED = 130


class CommandFailed(Exception):
    """A command cannot go on: the code to leave with, and one sentence for the person."""

    def __init__(self, code: ExitCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
