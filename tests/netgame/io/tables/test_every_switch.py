"""Every value of every switch, played by bots over links, with shuffles, proofs and records.

Other tests play all rules move by move. Here the program that plays a seat must bring each move
into the log: it waits for its turn, chooses, writes, and is asked again. A game takes as many
values as go together; a campaign plays each value alone.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import NamedTuple

import pytest
import trio
from msgspec.structs import replace

from engine.bots.levels import BotLevel
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, RuleSet, parse_rules, value_text
from engine.rules.spec import TableSpec, make_spec
from netgame.io.tables.host import host_table
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.notices import FaultFound, SeatsLeft, Trouble
from netgame.protocol.peer.view import TableStage
from netgame.wire.messages import Settings
from tests.netgame.io.tables.test_tables import finish, host_options, notices_of
from tests.netgame.shared_checks import checks_shared

LEVELS = (BotLevel.EASY, BotLevel.NORMAL, BotLevel.CASUAL)
"""Levels of the bots; the seat of their host is played too, by a program that is no bot."""

SIZES = ((6, 3), (6, 4), (9, 3), (12, 2), (12, 4))
"""Set and seats of a table, quickest first: one of them suits each deal table, and partners."""

NEW_MAX = 6
"""Values that one game adds to its deal table, so that few of them hide each other."""


class Value(NamedTuple):
    """A value of a switch, in the words that `--with` takes."""

    switch: str
    word: str


class Game(NamedTuple):
    """The rules of one table, its set and its seats."""

    preset: str
    switches: Mapping[str, str]
    pip_max: int
    seats: int

    @property
    def settings(self) -> Settings:
        """The offer of its host."""
        words = tuple(f"{name}={word}" for name, word in self.switches.items())
        return Settings(self.preset, words, self.pip_max, self.seats, 1, 0, ("newcomers=open",))

    @property
    def values(self) -> set[Value]:
        """The value that each switch has in it."""
        rules = parse_rules(self.preset, self.switches)
        assert isinstance(rules, RuleSet)
        return {Value(name, value_text(rules, name)) for name in SWITCHES}


def values_of(switch: str) -> tuple[Value, ...]:
    """Every value of a switch, and one number of those that it takes."""
    kind = SWITCHES[switch]
    return tuple(Value(switch, word) for word in (*kind.words(), *map(str, kind.numbers[4:5])))


ALL = tuple(value for switch in SWITCHES for value in values_of(switch))


def game_of(switches: Mapping[str, str], preset: str = STANDARD) -> Game | None:
    """The quickest game under these switches; None if there is no such table."""
    rules = parse_rules(preset, switches)
    if isinstance(rules, RuleSet):
        for size in SIZES:
            if isinstance(make_spec(rules, *size, 1), TableSpec):
                return Game(preset, switches, *size)
    return None


def with_value(switches: Mapping[str, str], value: Value) -> Game | None:
    """The game with one value more, and with a second one if only that makes them go together.

    None if it takes another value for a switch that is chosen already.
    """
    chosen = {**switches, value.switch: value.word}
    if value.switch in switches:
        return None
    seconds = ({**chosen, each.switch: each.word} for each in ALL if each.switch not in chosen)
    return next(filter(None, map(game_of, (chosen, *seconds))), None)


def few_games() -> Iterator[Game]:
    """A game for each deal table, with the values that no game before it had."""
    left = dict.fromkeys(value for value in ALL if value.switch != "deal")
    for deal in values_of("deal"):
        game = with_value({}, deal)
        assert game is not None, deal
        new = 0
        for value in left:
            if new < NEW_MAX and value not in game.values:
                more = with_value(game.switches, value)
                game, new = (game, new) if more is None else (more, new + 1)
        for value in game.values:
            left.pop(value, None)
        yield game


GAMES = tuple(few_games())


USUAL = Game(STANDARD, {}, *SIZES[0]).values
ALONE = tuple(
    game
    for game in (
        *(with_value({}, value) for value in ALL if value not in USUAL),
        *(game_of({}, preset) for preset in RULE_SETS),
    )
    if game is not None
)
"""A game for each value that is not usual, with what it calls for beside it; then each preset."""


def test_the_games_have_every_value_of_every_switch():
    """A value that is new gets its games, or is named here."""
    for games in (GAMES, ALONE):
        played = set().union(*(game.values for game in games))
        assert [value for value in ALL if value not in played] == []
    assert {game.preset for game in ALONE} == set(RULE_SETS)


@pytest.fixture(autouse=True, scope="module")
def _with_checks_shared() -> Iterator[None]:
    """All nodes are one process: each proof is checked by the first that reads it."""
    with checks_shared():
        yield


async def expect_whole(game, folder, seed):
    """Have bots play a game, which must come to its end with every seat and a good record."""
    table = host_options(folder, game.seats, seed=seed)
    table = replace(table, settings=game.settings, bots=LEVELS[: game.seats - 1])
    async with host_table(table) as host:
        bots = tuple(host.bots)
        # who does not get on is seen below
        with suppress(trio.TooSlowError):
            await finish(host, *bots)
        assert notices_of(host, Trouble | FaultFound | SeatsLeft) == []
        views = [node.view() for node in (host, *bots)]
        assert [view.stage for view in views] == [TableStage.OVER] * game.seats
        assert len({view.head for view in views}) == 1
        record = host.folder.record.path.read_bytes()
    verdict = verify_record(record, Random(seed).randbytes)
    assert verdict.ok, verdict.sentence
    assert verdict.finished


def words(game):
    """Name a game by what is unusual in it."""
    return " ".join(f"{name}={word}" for name, word in game.switches.items()) or game.preset


@pytest.mark.parametrize("game", GAMES, ids=words)
async def test_bots_play_every_value_of_every_switch(game, tmp_path, jumping_clock):
    """No program leaves over a move that the rules refuse, and all come to one result."""
    await expect_whole(game, tmp_path, seed=1)


@pytest.mark.campaign
@pytest.mark.parametrize("game", ALONE, ids=words)
async def test_bots_play_each_value_alone_and_each_preset(game, tmp_path, jumping_clock):
    """As nothing else is unusual there, the value decides more of the game."""
    await expect_whole(game, tmp_path, seed=2)
