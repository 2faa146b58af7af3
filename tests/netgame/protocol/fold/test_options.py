"""Table options: hands that are mixed, and rounds that are laid open and computed again."""

from functools import cache
from itertools import product

import pytest

from netgame.crypto.group import encode
from netgame.crypto.shuffle import derive_shuffle_secret
from netgame.crypto.transcript import expand
from netgame.protocol.fold.options import (
    OPTIONS,
    Audit,
    Draws,
    OptionProblem,
    Options,
    parse_options,
)
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.verification import verify_record
from netgame.wire import messages as wire
from tests.netgame.games import entries_of
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, full_table, kill, link_all, revive
from tests.sliced import sliced

NAMES = ("Ann", "Ben", "Cy")
ALL = ("draws=hidden", "audit=seeds")


def offer(options: tuple[str, ...], preset: str = "standard", rounds: int = 2) -> wire.Settings:
    """Three seats, four tiles each."""
    return wire.Settings(preset, (), 6, 3, rounds, 4, options)


@cache
def game(options: tuple[str, ...], preset: str = "standard", seed: int = 2) -> SimTable:
    """A whole game; not to be changed."""
    table = full_table(NAMES, offer(options, preset), seed=bytes([seed]) * 32)
    table.run_game()
    return table


def entries(table: SimTable, kind: type) -> list:
    """Every entry of one kind, with its author."""
    steps = table.sitters[0].core.ledger.steps
    return [entry for step in steps for entry in step if isinstance(entry.payload, kind)]


def test_options_are_read_by_name_and_value() -> None:
    """The last of two holds; what does not exist is told with what does."""
    assert parse_options(()) == Options(Draws.SHOWN, Audit.HANDS)
    assert parse_options(("draws=hidden", "draws=shown")) == Options()
    assert parse_options(("draws=never", "draws=hidden")) == Options(Draws.HIDDEN)
    assert isinstance(parse_options(("draws=hidden", "draws=never")), OptionProblem)
    assert parse_options(ALL) == Options(Draws.HIDDEN, Audit.SEEDS)
    assert parse_options(("colour=red",)) == OptionProblem("colour=red", tuple(OPTIONS))
    problem = parse_options(("audit=never",))
    assert isinstance(problem, OptionProblem)
    assert "audit=keys" in problem.known


@sliced(
    ("options", "preset"),
    product([ALL[:1], ("audit=keys",), ALL], ["standard", "wolf-lake", "roundhouse"]),
    4,
)
def test_a_game_with_options_makes_a_good_record(options: tuple[str, ...], preset: str) -> None:
    """Nobody is accused, and the record verifies offline."""
    table = game(options, preset)
    for sitter in table.sitters:
        assert sitter.core.state.phase is Phase.OVER
        assert not sitter.faults()
    assert len({frozenset(entries_of(sitter)) for sitter in table.sitters}) == 1
    verdict = verify_record(table.sitters[0].record_octets, expand(bytes(32), "verify"))
    assert verdict.ok, verdict.sentence


def test_no_lay_tells_when_its_tile_was_drawn() -> None:
    """When a turn begins, every hand of several tiles lies at positions that came together."""
    table = game(ALL)
    assert entries(table, wire.MixHand)
    state = table.sitters[0].core.state
    assert state.deck is not None
    turn = -1
    for before, _ in state.history:
        if before.turns > turn >= 0:
            for held in before.hands:
                assert len(held) < 2 or state.deck.settled.issuperset(held)
        turn = before.turns


def test_positions_of_mixed_hands_are_new() -> None:
    """And every one that was ever used opens in the audit."""
    state = game(ALL).sitters[0].core.state
    assert state.deck is not None
    seen = [position for _, positions in state.deck.mixed for position in positions]
    assert len(set(seen)) == len(seen)
    assert min(seen) >= len(state.deck.chains[0].decks[-1])
    assert set(seen) <= set(state.deck.tiles)
    assert set(range(len(state.deck.chains[0].decks[-1]))) <= set(state.deck.tiles)


def test_keys_are_laid_open_only_when_all_have_signed_the_scores() -> None:
    """After the round-over step of the same round, never before."""
    kinds = [
        {type(entry.payload) for entry in step} for step in game(ALL).sitters[0].core.ledger.steps
    ]
    at = [number for number, kind in enumerate(kinds) if wire.Keys in kind]
    assert len(at) == 2
    for number in at:
        assert kinds[number - 1] == {wire.RoundOver}


@pytest.mark.parametrize("phase", [Phase.MIX_HAND, Phase.AUDIT])
def test_a_killed_process_mixes_and_lays_open_the_same(phase: Phase) -> None:
    """What is derived again is what was committed to."""
    table = full_table(NAMES, offer(ALL), seed=bytes([1]) * 32)
    victim = table.sitters[1]
    table.run(lambda: victim.core.state.phase is phase)
    kill(table, victim)
    revive(table, victim)
    link_all(table)
    table.run_game()
    assert len({sitter.core.state.head for sitter in table.sitters}) == 1
    assert not any(sitter.faults() for sitter in table.sitters)


def bent_table(bend, options: tuple[str, ...] = ALL) -> SimTable:
    """A table at which everybody would cheat, and the first who does is told of."""
    table = SimTable(offer(options), bytes([1]) * 32)
    for number, name in enumerate(NAMES):
        sitter = table.seat(name, core_class=Mallory, start_at=3 if number == 0 else None)
        sitter.core.bend = bend
    return table


def _swapped(core: Mallory, mixed: wire.MixHand) -> wire.MixHand:
    """Two tiles the same: no proof of that exists."""
    return wire.MixHand(mixed.deck[:66] + mixed.deck[:66] + mixed.deck[132:], mixed.proof)


def _wrong_key(_: Mallory, keys: wire.Keys) -> wire.Keys:
    return wire.Keys(encode(7), keys.seed)


def _wrong_seed(_: Mallory, keys: wire.Keys) -> wire.Keys:
    return wire.Keys(keys.x, bytes(32))


def _no_seed(_: Mallory, keys: wire.Keys) -> wire.Keys:
    return wire.Keys(keys.x, b"")


def _zero_key(_: Mallory, keys: wire.Keys) -> wire.Keys:
    return wire.Keys(bytes(31) + b"\x00", keys.seed)


def _uncommitted(_: Mallory, commit: wire.KeyCommit) -> wire.KeyCommit:
    return wire.KeyCommit(commit.round, commit.commitment, b"")


@pytest.mark.parametrize(
    ("kind", "change", "check"),
    [
        (wire.MixHand, _swapped, "proof"),
        (wire.MixHand, lambda _, each: wire.MixHand(each.deck[66:], each.proof), "shape"),
        (wire.Keys, _wrong_key, "proof"),
        (wire.Keys, _zero_key, "proof"),
        (wire.Keys, _wrong_seed, "proof"),
        (wire.Keys, _no_seed, "shape"),
        (wire.Keys, lambda _, each: wire.Keys(each.x, each.seed[:-1]), "shape"),
        (wire.KeyCommit, _uncommitted, "shape"),
    ],
)
def test_cheats_are_found_at_their_entry(kind, change, check: str) -> None:
    """With evidence that convinces anybody."""
    table = bent_table(when(kind, change))
    table.run(lambda: sum(bool(sitter.faults()) for sitter in table.sitters) >= 2)
    for sitter in table.sitters:
        for fault in sitter.faults():
            assert fault.check == check, fault.sentence
            verdict = verify_record(sitter.evidence[fault.evidence], expand(bytes(32), "verify"))
            assert verdict.ok, verdict.sentence


def test_a_shuffle_that_its_seed_does_not_give_is_named() -> None:
    """Proved, and yet drawn from something else: only the third layer can see it."""
    table = full_table(NAMES, offer(("audit=seeds",)), seed=bytes([1]) * 32)
    cheat = table.sitters[2]
    other = expand(bytes(32), "other")(32)
    cheat.core.author._keyring.shuffle_secret = lambda committed, context, given: (
        derive_shuffle_secret(other, context, given)
    )
    table.run(lambda: all(sitter.faults() for sitter in table.sitters[:2]))
    for sitter in table.sitters[:2]:
        (fault,) = sitter.faults()
        assert fault.check == "audit"
        assert fault.name.startswith("Cy (")


def test_an_offer_with_an_unknown_option_convicts_the_host() -> None:
    """Every joiner reads the offer."""
    table = SimTable(offer(("colour=red",)))
    table.seat("Ann")
    assert table.sitters[0].core.fault is not None
