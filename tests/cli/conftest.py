"""Fixtures for the tests of the package `cli`."""

import pytest

from cli.language import ENGLISH, speak
from cli.session import thinking
from engine.bots import advice, review
from lab.simulation.computers.toys import toys
from tests.cli.brackets import Masked, Strict
from tests.cli.players import Player
from tests.cli.pseudoterminals import Terminal
from tests.cli.running import boneyard


def speaking(language, catalogue=None):
    """Return a fixture that makes the program speak a language while a test runs."""

    @pytest.fixture
    def spoken():
        speak(language, catalogue)
        yield
        speak(ENGLISH)

    return spoken


strict = speaking("brackets", Strict())
dots = speaking("dots", Masked())
spanish = speaking("es")


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Return a data folder with one finished game of two rounds, played automatically."""
    data = tmp_path_factory.mktemp("played")
    rules = ("--set", "6", "--rounds", "2", "--bots", "2", "--with", "blanks=25-50")
    done = boneyard("play", *rules, "--auto", "--plain", "--record", data / "copy", data=data)
    assert done.returncode == 0, done.stderr
    return data


@pytest.fixture(scope="session")
def record(played):
    """Return the path of the record of the game in the `played` folder."""
    return played / "copy"


@pytest.fixture(autouse=True)
def called_by_its_name(monkeypatch):
    """Have sentences call the program `boneyard`, even if the tests were started by uv."""
    monkeypatch.delenv("UV_RUN_RECURSION_DEPTH", raising=False)
    monkeypatch.delenv("UV", raising=False)


@pytest.fixture(autouse=True)
def on_battery(monkeypatch):
    """Pretend to run on battery, so that no hints are computed ahead: few tests ask for one."""
    monkeypatch.setattr(thinking, "on_battery", lambda: True)


@pytest.fixture
def quick_reviews(monkeypatch):
    """Have reviews simulate only a few rounds for each move, so that they are quick."""
    monkeypatch.setattr(advice, "EXPERT_ROLLOUTS", 20)
    monkeypatch.setattr(advice, "MARGIN_DEALS", 50)
    monkeypatch.setattr(review, "WEIGHED_DEALS", 50)


@pytest.fixture
def start(tmp_path):
    """Yield a function that runs the program in a new terminal; close them all after the test."""
    started = []

    def begin(*arguments, **size):
        terminal = Terminal(tmp_path / f"data{len(started)}", *arguments, **size)
        started.append(terminal)
        return terminal

    yield begin
    for terminal in started:
        terminal.process.close(force=True)


@pytest.fixture
def party(tmp_path):
    """Yield a function that runs the program for a named player; end them all after the test."""
    players = []

    def begin(name: str, *arguments: str) -> Player:
        player = Player(tmp_path / name, *arguments, "--plain", "--name", name)
        players.append(player)
        return player

    yield begin
    for player in players:
        player.process.kill()
        player.listener.join()
        player.stdin.close()
        player.stdout.close()


@pytest.fixture
def toy_group():
    """Use fast toy cryptography, for tests that are not about cryptography."""
    with toys():
        yield
