"""Every value of every switch, played by bots over links, with shuffles, proofs and records.

Other tests play all rules move by move. Here the program that plays a seat must bring each move
into the log: it waits for its turn, chooses, writes, and waits again. A game combines several
values that fit together; a campaign plays each value alone.
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
"""The levels of the bots at the table; the host's own program plays the host's seat."""

SIZES = ((6, 3), (6, 4), (9, 3), (12, 2), (12, 4))
"""The highest pip and the seats of a table, the quickest game first.

Every value of `deal`, and `partners`, is possible with one of them.
"""

NEW_MAX = 6
"""The most values that a game has besides that of `deal`, so that few of them hide each other."""


class Value(NamedTuple):
    """A value of a switch, written as for `--with`."""

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
        """Return the settings that its host offers."""
        words = tuple(f"{name}={word}" for name, word in self.switches.items())
        return Settings(self.preset, words, self.pip_max, self.seats, 1, 0, ("newcomers=open",))

    @property
    def values(self) -> set[Value]:
        """Return the value of each switch in this game."""
        rules = parse_rules(self.preset, self.switches)
        assert isinstance(rules, RuleSet)
        return {Value(name, value_text(rules, name)) for name in SWITCHES}


def values_of(switch: str) -> tuple[Value, ...]:
    """Return every word of a switch, and its fifth number if it has that many."""
    kind = SWITCHES[switch]
    return tuple(Value(switch, word) for word in (*kind.words(), *map(str, kind.numbers[4:5])))


ALL = tuple(value for switch in SWITCHES for value in values_of(switch))


def game_of(switches: Mapping[str, str], preset: str = STANDARD) -> Game | None:
    """Return the quickest game under these switches, or None if they allow no table."""
    rules = parse_rules(preset, switches)
    if isinstance(rules, RuleSet):
        for size in SIZES:
            if isinstance(make_spec(rules, *size, 1), TableSpec):
                return Game(preset, switches, *size)
    return None


def with_value(switches: Mapping[str, str], value: Value) -> Game | None:
    """Return the game with one more value, and with a second value if only that makes it fit.

    Return None if the switch already has a value, or if nothing fits.
    """
    chosen = {**switches, value.switch: value.word}
    if value.switch in switches:
        return None
    seconds = ({**chosen, each.switch: each.word} for each in ALL if each.switch not in chosen)
    return next(filter(None, map(game_of, (chosen, *seconds))), None)


def few_games() -> Iterator[Game]:
    """Yield a game for each value of `deal`, with some values that no earlier game had."""
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
"""A game for each unusual value, with any second value that it needs; then each preset."""


def test_the_games_have_every_value_of_every_switch():
    """`GAMES` and `ALONE` each have every value of every switch; `ALONE` has every preset, too."""
    for games in (GAMES, ALONE):
        played = set().union(*(game.values for game in games))
        assert [value for value in ALL if value not in played] == []
    assert {game.preset for game in ALONE} == set(RULE_SETS)


@pytest.fixture(autouse=True, scope="module")
def _with_checks_shared() -> Iterator[None]:
    """Check each proof once for all nodes, which share this process."""
    with checks_shared():
        yield


async def expect_whole(game, folder, seed):
    """Let bots play a game; check that they end it with all seats present and a good record."""
    table = host_options(folder, game.seats, seed=seed)
    table = replace(table, settings=game.settings, bots=LEVELS[: game.seats - 1])
    async with host_table(table) as host:
        bots = tuple(host.bots)
        # a game that got stuck fails below
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
    """Return a game's name for a test id: its unusual switches, or else its preset."""
    return " ".join(f"{name}={word}" for name, word in game.switches.items()) or game.preset


@pytest.mark.parametrize("game", GAMES, ids=words)
async def test_bots_play_every_value_of_every_switch(game, tmp_path, jumping_clock):
    """Bots play every value to the end, agree, and lose no seat over a refused move."""
    await expect_whole(game, tmp_path, seed=1)


@pytest.mark.campaign
@pytest.mark.parametrize("game", ALONE, ids=words)
async def test_bots_play_each_value_alone_and_each_preset(game, tmp_path, jumping_clock):
    """Bots play each value alone, and each preset.

    On its own a value influences the game more.
    """
    await expect_whole(game, tmp_path, seed=2)
