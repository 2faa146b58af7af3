"""Every rule system that the protocol carries, played over it with hidden hands."""

import pytest

from engine.rules.choose import RULE_SETS
from engine.table.events import TileReturned
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.acts import move_of, words_of
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.verification import verify_record
from netgame.wire import messages as wire
from tests.netgame.mallory import Mallory
from tests.netgame.simtable import SimTable, full_table
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


def expect_whole(table: SimTable) -> None:
    """One head, nobody accused, and a record that holds."""
    assert len({sitter.core.state.head for sitter in table.sitters}) == 1
    for sitter in table.sitters:
        assert sitter.core.state.phase is Phase.OVER
        assert not sitter.faults()
    verdict = verify_record(table.sitters[1].record_octets, expand(bytes(32), "verify"))
    assert verdict.ok, verdict.sentence
    assert verdict.finished


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
    assert drawn.core.state.table is not None
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


def test_a_false_none_has_no_proof() -> None:
    """Who holds the engine and says it does not is caught at that entry."""
    settings = wire.Settings("roundhouse", (), 9, 3, 1, 0)
    seed = next(seed for seed in range(64) if _holder(settings, seed) is not None)
    name = _holder(settings, seed)
    table = SimTable(settings, bytes([seed]) * 32)
    for at, each in enumerate(NAMES[:3]):
        kind = Mallory if each == name else None
        options = {"core_class": kind} if kind else {}
        table.seat(each, start_at=3 if at == 0 else None, **options)
    liar = next(sitter for sitter in table.sitters if sitter.core.place.name == name)

    def bend(core: Mallory, payload: wire.Payload) -> wire.Payload | None:
        if not isinstance(payload, wire.Act) or payload.word != "hub":
            return None
        return wire.Act("none", 0, -1, (), b"", b"", payload.proof)

    liar.core.bend = bend
    honest = [sitter for sitter in table.sitters if sitter is not liar]
    table.run(lambda: all(sitter.faults() for sitter in honest), 600)
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check in ("proof", "shape")
        assert fault.name.startswith(f"{name} (")


def _holder(settings: wire.Settings, seed: int) -> str | None:
    """Who is dealt the first engine under this seed, if anybody."""
    table = full_table(NAMES[:3], settings, seed=bytes([seed]) * 32, bots=False)
    table.run(lambda: all(each.core.state.phase is Phase.PLAY for each in table.sitters))
    for sitter in table.sitters:
        hand = sitter.core.view().hand
        if hand is not None and any(tile == (9, 9) for _, tile in hand.tiles):
            return sitter.core.place.name
    return None


@pytest.mark.parametrize(
    "act",
    [
        wire.Act("none", 1, -1, (), b"", b"", b""),
        wire.Act("none", 0, 3, (), b"", b"", b""),
        wire.Act("hub", 0, -1, (), b"", b"", b""),
        wire.Act("hub", 0, -1, ((4, 9, 3),), b"", b"", b""),
        wire.Act("chain", 0, -1, (), b"", b"", b""),
        wire.Act("mark", 2, -1, (), b"", b"", b""),
        wire.Act("dance", 0, -1, (), b"", b"", b""),
    ],
)
def test_an_act_is_written_in_one_way_only(act: wire.Act) -> None:
    """Fields that mean nothing are empty; what says no move is none."""
    assert move_of(0, act) is None  # type: ignore[arg-type]
    assert words_of(wire) is None  # type: ignore[arg-type]
