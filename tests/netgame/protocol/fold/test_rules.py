"""Every rule system that the protocol carries, played over it with hidden hands."""

from engine.rules.choose import RULE_SETS
from engine.table.events import TileReturned
from netgame.protocol import notices
from netgame.wire import messages as wire
from tests.netgame.simtable import SimTable, full_table
from tests.netgame.small_games import expect_whole
from tests.sliced import sliced

NAMES = ("Ann", "Ben", "Cy", "Dee")
SWITCHES = (
    ("cover=anywhere-then-duty", "several=chain", "duty-order=last-played"),
    ("cover=layer-may",),
    ("cover=optional",),
    ("several=share",),
    ("several=until-covered",),
    ("opening=delayed",),
    ("opening=whole-train", "bullet=yes", "opening-double=owed"),
    ("branching=chicken-foot",),
    ("branching=three-required",),
    ("branching=spur",),
    ("wild-blanks=yes",),
    ("partners=yes",),
    ("swan-drive=yes",),
    ("mexican=many",),
    ("draw=until-playable",),
    ("last-double=must-cover", "continuous-draw=yes"),
    ("last-tile=tap", "tap-penalty=2"),
    ("marker-voluntary=yes", "own-train-first=always"),
    ("engine=holder", "first=engine-layer", "engine-missing=all-draw"),
    ("engine=first-seat", "engine-missing=turn-draw"),
    ("engine=highest-held", "first=engine-layer", "engine-missing=turn-draw"),
    ("round-end=last-plays",),
    ("first=high-draw",),
    ("first=high-draw", "engine=holder"),
    ("opening=simultaneous",),
    ("opening=simultaneous", "opening-miss=marker", "first=high-draw"),
    ("engine=declared",),
    ("engine=declared", "first=high-draw", "opening=simultaneous"),
    ("first=high-draw-once", "target=20"),
    ("scoring=winner-takes", "ties=shared", "start-double=3", "blanks=0-25"),
    ("engine=highest-unused", "opening-miss=draw-until", "mexican-from=first-player"),
)


def play(
    preset: str, switches: tuple[str, ...], seed: int, rounds: int = 1, seats: int = 4
) -> SimTable:
    """A game with a small deal."""
    settings = wire.Settings(preset, switches, 6, seats, rounds, 5)
    table = full_table(NAMES[:seats], settings, seed=bytes([seed]) * 32)
    table.run_game()
    return table


@sliced("preset", RULE_SETS, 4)
def test_a_preset_is_played_to_the_end(preset: str) -> None:
    """Claims, chains, calls and all, with proofs."""
    expect_whole(play(preset, (), 1, rounds=2, seats=3))


@sliced("switches", SWITCHES, 6, ids=" ".join)
def test_a_switch_is_played_to_the_end(switches: tuple[str, ...]) -> None:
    """On top of `standard`."""
    expect_whole(play("standard", switches, 2))


def test_a_shuffle_between_two_deals_is_told_once() -> None:
    """After the draw for the first turn, with who leads; and where a tile goes back."""
    drawn = play("standard", ("first=high-draw",), 2).sitters[0]
    (told,) = (each for each in drawn.told if isinstance(each, notices.Reshuffled))
    assert told.lead == drawn.core.state.table.first
    plain = play("standard", (), 2).sitters[0]
    assert not any(isinstance(each, notices.Reshuffled) for each in plain.told)
    few = full_table(NAMES[:2], wire.Settings("wolf-lake", (), 6, 2, 1, 1), seed=bytes([1]) * 32)
    few.run_game()
    looked = few.sitters[0]
    at = next(at for at, each in enumerate(looked.told) if _goes_back(each))
    assert looked.told[at + 1] == notices.Reshuffled(None)


def _goes_back(notice: object) -> bool:
    return isinstance(notice, notices.Played) and any(
        isinstance(event, TileReturned) for event in notice.events
    )


def test_the_last_tile_is_told_in_a_step_in_which_all_may_speak() -> None:
    """After the turn that leaves one tile, until it is told: one call of every seat a step."""
    table = play("standard", ("last-tile=tap", "tap-penalty=2"), 10)
    words = [
        [entry.payload.word for entry in step if isinstance(entry.payload, wire.Act)]
        for step in table.sitters[0].core.ledger.steps
    ]
    calls = [step for step in words if len(step) > 1]
    assert calls
    for step in calls:
        assert len(step) == 4
        assert sorted(step) == ["quiet", "quiet", "quiet", "tap"]
