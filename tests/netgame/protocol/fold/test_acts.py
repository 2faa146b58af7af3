"""Acts of the richer rules: mutated, misplaced, and in every word, an answer and never a crash."""

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netgame.crypto.transcript import expand
from netgame.protocol.fold.acts import move_of
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import check_payload, complete_step, due
from netgame.protocol.fold.state import State
from netgame.protocol.log.entry import Entry, read_entry, sign_entry
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, ledgers_of
from tests.netgame.protocol.happenings import expect_agreement, restart, until_in_play, verified
from tests.netgame.simtable import SimTable, full_table

RULES = (
    ("roundhouse", ()),
    ("standard", ("opening=whole-train", "bullet=yes", "opening-double=owed")),
    ("standard", ("last-tile=tap", "tap-penalty=2")),
    ("standard", ("partners=yes",)),
    ("standard", ("engine=highest-held", "first=engine-layer", "engine-missing=turn-draw")),
    ("standard", ("branching=chicken-foot", "marker-voluntary=yes")),
    ("standard", ("cover=anywhere-then-duty", "several=chain", "duty-order=last-played")),
)
WORDS = (
    *("none", "done", "tap", "quiet", "hub", "mark", "catch", "dance"),
    *("chain", "chain-back", "bullet", "bullet-back"),
)


@cache
def game(preset: str, switches: tuple[str, ...]) -> SimTable:
    """A game of four by these rules."""
    table = full_table(NAMES[:4], wire.Settings(preset, switches, 6, 4, 1, 5))
    table.run_game()
    return table


@cache
def turns_of(preset: str, switches: tuple[str, ...]) -> list[tuple[State, tuple[Entry, ...]]]:
    """Every turn and every round of calls of it: the state before, and the entries."""
    before: State | None = None
    found: list[tuple[State, tuple[Entry, ...]]] = []
    for ledger in ledgers_of(game(preset, switches)):
        after = ledger.state
        if before is not None and after.step > before.step and wire.Act in due(before).kinds:
            found.append((before, ledger.steps[-1]))
        before = after
    return found


def _act(data: st.DataObject, real: wire.Payload) -> wire.Act:
    """An act like the real one, or like none."""
    acts = isinstance(real, wire.Act)
    lays = isinstance(real, wire.Lay)
    tiles = real.tiles if acts else ((real.position, *real.tile),) if lays else ()
    pip = st.integers(0, 6) | st.just(18)
    tile = st.tuples(st.integers(0, 30) | st.just(65_535), pip, pip)
    if tiles:
        tile = tile | st.sampled_from(tiles)
    real_train = real.number if acts else real.train if lays else 0
    return wire.Act(
        data.draw(st.sampled_from([*WORDS, *([real.word] * 4 if acts else [])])),
        data.draw(st.just(real_train) | st.integers(-16, 14)),
        data.draw(st.just(real.on if acts or lays else -1) | st.integers(-1, 12) | st.just(400)),
        data.draw(st.just(tiles) | st.lists(tile, max_size=5).map(tuple)),
        data.draw(st.just(real.tokens if acts else b"") | st.binary(max_size=70)),
        data.draw(st.just(real.proof if acts or lays else b"") | st.binary(max_size=98)),
        data.draw(st.just(real.claim if acts else b"") | st.binary(max_size=200)),
    )


@pytest.mark.parametrize("examples", [8, pytest.param(30, marks=pytest.mark.campaign)])
@pytest.mark.parametrize(("preset", "switches"), RULES, ids=str)
def test_any_act_gets_an_answer(preset: str, switches: tuple[str, ...], examples: int) -> None:
    """A finding with a sentence, or an entry with which the game goes on."""

    @settings(max_examples=examples)
    @given(data=st.data())
    def try_one(data: st.DataObject) -> None:
        expect_an_answer(preset, switches, data)

    try_one()


def expect_an_answer(preset: str, switches: tuple[str, ...], data: st.DataObject) -> None:
    """Hold the fold to this for one act."""
    state, entries = data.draw(st.sampled_from(turns_of(preset, switches)))
    place = data.draw(st.integers(0, len(entries) - 1))
    payload = _act(data, entries[place].payload)
    author = entries[place].seat
    signer = game(preset, switches).by_key[state.seats[author].key].signer
    body = wire.Body(state.log_id, state.step, state.head, author, 0, payload)
    entry = read_entry(sign_entry(signer, body))
    found = check_payload(state, entry)
    finding = found.run(expand(bytes(32), "judge")) if hasattr(found, "run") else found
    if finding is not None:
        assert finding.says
        return
    moved, _ = complete_step(state, (*entries[:place], entry, *entries[place + 1 :]))
    assert moved.step == state.step + 1
    assert due(moved).authors or moved.phase is Phase.OVER


def test_these_rules_are_rich_enough() -> None:
    """Between them their games have acts of most words, and steps in which several act at once."""
    steps = [step for rules in RULES for _, step in turns_of(*rules)]
    words = {e.payload.word for step in steps for e in step if isinstance(e.payload, wire.Act)}
    assert words >= {"tap", "quiet", "none", "hub"}
    assert any(len(step) == 4 for step in steps)


AGAIN = wire.Settings(
    "standard", ("engine=holder", "first=engine-layer", "engine-missing=all-draw"), *(6, 6, 1, 4)
)
"""Six seats, four tiles each: the double may lie in a boneyard too small to draw from."""

AGAIN_SEED = 4


def test_a_round_dealt_again_has_keys_proofs_and_hands_of_its_own() -> None:
    """Also for who restarts in the middle of it; the first hands are forgotten."""
    table = full_table(NAMES[:6], AGAIN, seed=bytes([AGAIN_SEED]) * 32, bots=False)
    first = table.sitters[0]
    table.run(lambda: first.core.state.phase is Phase.PLAY)
    before = [sitter.core.view().hand for sitter in table.sitters]
    table.bots = True
    for sitter in table.sitters:
        table.move(sitter)
    table.run(lambda: first.core.state.phase is Phase.DEAL)
    table.run(lambda: first.core.state.deal.phase is DealPhase.PROOF)
    victim = table.sitters[3]
    restart(table, victim)
    table.bots = False
    until_in_play(table)
    after = [sitter.core.view().hand for sitter in table.sitters]
    assert all(one.tiles != other.tiles for one, other in zip(before, after, strict=True))
    assert len({tile for hand in after for _, tile in hand.tiles}) == 24
    table.bots = True
    for sitter in table.sitters:
        table.move(sitter)
    table.run_game()
    expect_agreement(table)
    keys = [
        step[0].payload.commitment
        for step in first.core.ledger.steps
        if isinstance(step[0].payload, wire.KeyCommit)
    ]
    assert len(keys) == len(set(keys)) == 2
    checked = verified(first.record_octets)
    assert checked.finished, checked.sentence


def test_no_two_acts_are_one_move() -> None:
    """Whatever the fields of a word that means nothing by them hold: one spelling a move."""
    words = (*WORDS, "silent", "declare", "discard", "pull", "")
    tiles = ((), ((4, 3, 9),), ((4, 9, 3),), ((4, 9, 9),), ((4, 3, 9), (5, 9, 1)))
    spelt: dict[object, wire.Act] = {}
    for word, number, on, laid in product(words, range(-2, 4), range(-1, 3), tiles):
        act = wire.Act(word, number, on, laid, b"", b"", b"")
        move = move_of(1, act)
        if move is not None:
            assert spelt.setdefault(move, act) == act
    assert {act.word for act in spelt.values()} == {*words} - {"dance", ""}
