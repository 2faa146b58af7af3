"""The golden page of commands matches what they print."""

from tests.cli.invocations import CHAPTERS, PAGE
from tests.cli.running import run_python


def test_commands_print_what_is_on_the_page():
    """The golden page is up to date; if not, run `uv run python -m tests.cli.invocations`."""
    assert sum(map(len, CHAPTERS.values())) >= 40
    done = run_python("-c", "from tests.cli.invocations import page; print(page(), end='')")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == PAGE.read_text("utf-8")
