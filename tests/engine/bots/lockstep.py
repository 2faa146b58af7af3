"""Flat rounds beside the rulebook: every moment, every legal move, every choice of the policy.

    uv run --with ./native/engine python -m tests.engine.bots.lockstep --tables 500 --seed 1

A round is played by random moves under random rules. At each moment the table is flattened; it
comes back the same, has the same list and the same verdicts, and each move leads to the same table.
Now and then the policy plays on to the end both ways.
"""

import argparse
import time
from collections import Counter
from collections.abc import Mapping
from random import Random

from engine.bots import flat
from engine.bots.policy import Rollout
from engine.play.apply import carry_out
from engine.play.due import due_seats
from engine.play.judge import why_illegal_holding
from engine.play.legal_moves import legal_moves
from engine.rules.spec import TableSpec
from engine.struct import asdict
from engine.table.rounds import start_game
from engine.table.table import Table
from engine.table.trains import Position, Seat
from engine.table.turn import InPlay, Reshuffle
from engine.tiles import Tile
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import MOVES_MAX, deal, hand_of, possible_calls, reshuffle

PLAYED_ON_EVERY = 20
"""Moments, one in so many of which the policy plays on to the end."""

FORGED = 3
"""Moves that nobody listed, judged at each moment."""


class Lockstep:
    """Rounds played both ways, and how often which comparison was made."""

    def __init__(self, seed: int) -> None:
        """Start with nothing compared."""
        self.compared: Counter[str] = Counter()
        self.chance = Random(seed)

    def play(self, spec: TableSpec, seed: bytes) -> None:
        """Play one round of such a table by random moves, comparing all the way."""
        entropy = seeded(seed)
        table = start_game(spec, Seat(0))
        tiles = deal(table, entropy)
        for _ in range(MOVES_MAX):
            if table.outcome is not None:
                break
            if isinstance(table.now, Reshuffle):
                table, tiles = reshuffle(table, tiles, entropy)
                continue
            if flat.is_flat(table):
                self.compare(table, tiles)
            else:
                self.compared["moments without"] += isinstance(table.now, InPlay)
            moves = legal_moves(table, hand_of(table, tiles, due_seats(table)[0]))
            table, _ = carry_out(table, self.chance.choice(moves))
            if table.memory.silent and isinstance(table.now, InPlay):
                calls = possible_calls(table, self.chance.choice(table.present))
                table, _ = carry_out(table, self.chance.choice(calls))

    def compare(self, table: Table, tiles: Mapping[Position, Tile]) -> None:
        """Compare all that can be asked of this moment."""
        number = flat.numbered_tiles(table).number
        at = {position: number[tile] for position, tile in tiles.items()}
        positions = {number: position for position, number in at.items()}
        here = flat.flatten(table, at)
        assert_same(flat.table_of(here, table, positions), table)
        moves = legal_moves(table, hand_of(table, tiles, table.to_move))
        self._list_and_judge(here, table, tiles, moves, positions)
        for move in moves:
            if (code := flat.code_of(table, move)) is not None:
                after = here.copy()
                after.carry_out(code)
                assert_same(flat.table_of(after, table, positions), carry_out(table, move)[0])
                self.compared["moves"] += 1
        if not self.chance.randrange(PLAYED_ON_EVERY):
            self._step_by_step(table, tiles, at, positions)
            self._at_once(table, tiles, at)

    def _list_and_judge(self, here, table, tiles, moves, positions) -> None:
        codes = here.legal()
        if codes is None:
            assert here.is_legal(1) is None
            self.compared["lists left to the rulebook"] += 1
            return
        assert tuple(flat.move_of(table, code, positions) for code in codes) == moves
        assert tuple(flat.code_of(table, move) for move in moves) == codes
        self.compared["lists"] += 1
        hand = hand_of(table, tiles, table.to_move)
        forged = [self._forged(table, codes, [*positions]) for _ in range(FORGED)]
        for code in (*codes, *forged):
            refusal = why_illegal_holding(table, hand, flat.move_of(table, code, positions))
            assert here.is_legal(code) == (refusal is None), (code, refusal)
            self.compared["verdicts"] += 1

    def _forged(self, table: Table, codes: tuple[int, ...], hidden: list[int]) -> int:
        """Some tile, held or not, on some end of some train; or a word."""
        tiles, train = flat.numbered_tiles(table).tiles, self.chance.choice(table.trains)
        index = table.trains.index(train)
        tile = self.chance.choice(hidden)
        listed = self.chance.choice(codes)
        if not listed & 3 and self.chance.random() < 0.6:
            tile = listed >> 3 & 255
        half = self.chance.randrange(2) if not tiles[tile].is_double else 0
        end = [end.on for end in train.ends].index(self.chance.choice(train.ends).on)
        lay = half << 2 | tile << 3 | index << 11 | end << 17
        return self.chance.choice((1, 2, 3, lay, lay, lay))

    def _step_by_step(self, table, tiles, at, positions) -> None:
        """The policy chooses in Python, and both carry that out."""
        rollout, here = Rollout(table, tiles), flat.flatten(table, at)
        while isinstance(rollout.table.now, InPlay):
            move = rollout.chosen(rollout.table.to_move)
            code = flat.code_of(rollout.table, move)
            if code is None:
                return
            rollout.make(move)
            here.make(code)
            assert_same(flat.table_of(here, table, positions), rollout.table)
            self.compared["moves of the policy"] += 1

    def _at_once(self, table, tiles, at) -> None:
        """The policy plays to the end in the wheel, but for what it asks the rulebook."""
        rollout, here = Rollout(table, tiles), flat.flatten(table, at)
        positions = {number: position for position, number in at.items()}
        while not here.play(-1):
            moment = flat.table_of(here, table, positions)
            while rollout.table != moment:
                rollout.make(rollout.chosen(rollout.table.to_move))
            move = rollout.chosen(rollout.table.to_move)
            assert flat.plans_in(here) == rollout.kept_plans()
            rollout.make(move)
            self.compared["moves asked for"] += 1
            if not flat.is_flat(rollout.table):
                return
            here = flat.flatten(rollout.table, at, rollout.kept_plans())
        outcome = rollout.play()
        assert flat.outcome_of(here) == outcome
        assert flat.plans_in(here) == rollout.kept_plans()
        assert [sum(1 << tile for tile in hand) for hand in here.hands()] == rollout.hands
        self.compared["rounds played on"] += 1


def assert_same(one: Table, other: Table) -> None:
    """Two tables are equal, or the failure says in what they are not."""
    mine, theirs = asdict(one), asdict(other)
    wrong = {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
    assert not wrong, wrong


def main() -> None:
    """Play many tables, and print how much was compared."""
    parser = argparse.ArgumentParser(description="Compare flat rounds with the rulebook.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    lockstep, began = Lockstep(asked.seed), time.process_time()
    for number in range(asked.tables):
        seed = asked.seed.to_bytes(4, "big") + number.to_bytes(4, "big")
        lockstep.play(random_spec(seeded(seed)), seed)
    print(f"{asked.tables} tables in {time.process_time() - began:.0f} s, no difference:")
    for what, count in sorted(lockstep.compared.items()):
        print(f"{count:>12,} {what}")


if __name__ == "__main__":
    main()
