"""A reader of the program's output may stop at any line, as `head` does."""

import pytest

from cli.exits import CommandFailed, ExitCode, as_failure
from tests.cli.running import WAIT_S, environment, piped

GAME = ("--set", "6", "--bots", "1", "--auto")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("play", "--plain", *GAME), ExitCode.CUT_OFF),
        (("play", "--json", *GAME), ExitCode.CUT_OFF),
        (("demo", "coin", "--speed", "0"), ExitCode.CUT_OFF),
        (("rules",), ExitCode.OK),
        (("help",), ExitCode.OK),
    ],
)
def test_a_game_that_is_cut_off_is_not_one_that_ended_well(words, code, tmp_path):
    """A game whose reader stops early ends with a code of its own, and a list ends with success."""
    with piped(words, environment(BONEYARD_DATA=str(tmp_path))) as (
        program,
        typed,
        told,
        complained,
    ):
        typed.close()
        assert told.readline()
        told.close()
        assert (program.wait(WAIT_S), complained.read()) == (code, "")


def test_a_closed_pipe_beside_something_else_is_not_the_whole_story():
    """If another failure occurs together with a closed pipe, that failure is reported.

    A bug that occurs with it is not turned into a sentence.
    """
    cut = BrokenPipeError()
    assert as_failure(ExceptionGroup("g", [ExceptionGroup("h", [cut])])) is cut
    failed = CommandFailed(ExitCode.USAGE, "No.")
    assert as_failure(ExceptionGroup("g", [cut, failed])) is failed
    assert as_failure(ExceptionGroup("g", [cut, ValueError("bug")])) is None
