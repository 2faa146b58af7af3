"""The golden answers match the program."""

from tests.cli.running import run_python
from tests.tree import ROOT


def test_the_answers_are_those_of_the_program():
    """The golden answers are up to date; if not, run `uv run python -m tests.cli.answers`."""
    code = "from tests.cli.answers import page; print(page(), end='')"
    done = run_python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (ROOT / "tests" / "cli" / "golden" / "answers.md").read_text("utf-8")
    spellings = done.stdout[done.stdout.index("## Numbers") :].count('`"')
    assert spellings >= 40
