"""Lists that are empty: a sentence says so, except with `--json`."""

import pytest

from cli.exits import ExitCode
from tests.cli.running import boneyard_here


@pytest.fixture
def no_network(monkeypatch):
    """Make the search for tables find none, without using the network."""

    async def nothing(*_how, **_more):
        return ()

    monkeypatch.setattr("cli.commands.tables.find_tables", nothing)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize(
    ("command", "said", "code"),
    [
        ("games", "There are no games yet in ", ExitCode.OK),
        ("stats", "No round of yours is scored yet.", ExitCode.OK),
        ("standings", "No finished game is among these records.", ExitCode.OK),
        ("tables", "No tables on this network.", ExitCode.NOT_FOUND),
    ],
)
def test_an_empty_list_is_one_sentence_on_standard_output(command, said, code, tmp_path):
    """An empty list is one sentence on standard output; `--json` leaves the sentence out."""
    told = boneyard_here(command, data=tmp_path)
    assert (told.returncode, told.stderr) == (code, "")
    assert told.stdout.startswith(said)
    assert told.stdout.count("\n") == 1
    data = boneyard_here(command, "--json", data=tmp_path)
    assert (data.returncode, data.stderr) == (code, "")
    assert said not in data.stdout
