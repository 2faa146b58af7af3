"""Scenes that tests of the program share, and a check against golden screens."""

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from cli.render.palette import Line, plain_text
from cli.scene import Scene, lays
from engine.chance import Entropy, below
from engine.notation.game import GameText
from engine.notation.notation import parse
from engine.notation.position import known_hand
from engine.notation.referee import follow
from engine.play.apply import apply
from engine.play.due import due_seats
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RuleSet, parse_rules
from engine.rules.spec import TableSpec, make_spec
from engine.table.moves import Catch, Quiet
from engine.table.rounds import start_game
from engine.table.table import ENDED, RoundPhase
from engine.table.trains import Seat
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of, reshuffle
from tests.engine.deals import spec_of

NAMES = ("Ana", "Ben", "Cy", "Dora", "Eve", "Fritz", "Gül", "Hannah")
SCREENS = Path(__file__).parent / "screens"


def walk(spec: TableSpec, seed: bytes, moves: int) -> Iterator[Scene]:
    """Yield the scene of the seat to move before each move of a random round.

    End after `moves` moves, or earlier if the play of the round ends.
    """
    chance = seeded(seed)
    table = start_game(spec, Seat(0))
    tiles = deal(table, seeded(seed + b"deal"))
    names = tuple(NAMES[at % len(NAMES)] + str(at // len(NAMES) or "") for at in range(spec.seats))
    for _ in range(moves):
        if table.phase is not RoundPhase.PLAY:
            return
        hand = hand_of(table, tiles, table.to_move)
        yield Scene(table, hand, names, table.to_move, can_move=True)
        choices = legal_moves(table, hand)
        table, _ = apply(table, choices[chance(1)[0] % len(choices)])


def history_of(scenes: Sequence[Scene]):
    """Return a pair for each move between consecutive scenes: the table before it, and the move."""
    history = []
    for before, after in pairwise(scenes):
        moves = legal_moves(before.table, before.hand)
        made = next(move for move in moves if apply(before.table, move)[0] == after.table)
        history.append((before.table, made))
    return tuple(history)


def scene_after(pip_max: int, seats: int, moves: int, seed: bytes = b"screen") -> Scene:
    """Return the scene of the seat to move after `moves` moves of a random round.

    If the round ends before that, return the scene before its last move.
    """
    return list(walk(spec_of(pip_max, seats), seed, moves + 1))[-1]


def some_scenes() -> tuple[Scene, ...]:
    """Return scenes with various sets, numbers of seats and stages of a round."""
    found: list[Scene] = []
    for pip_max, seats, seed in ((6, 2, b"a"), (9, 4, b"b"), (12, 8, b"c"), (12, 3, b"d")):
        found += list(walk(spec_of(pip_max, seats), seed, 90))[::4]
    return tuple(found)


def with_plays(count: int) -> Scene:
    """Return a scene in which the player can choose from at least `count` plays."""
    return next(each for each in scenes_of("standard", 40, 40) if len(lays(each)) >= count)


def with_owed() -> Scene:
    """Return a scene in which the player must and can cover a double.

    The double is not on the player's own train.
    """
    return next(
        scene
        for number in range(40)
        for scene in walk(spec_of(9, 4), bytes([number]), 80)
        if lays(scene) and scene.table.owed and scene.table.owed[0].train != scene.seat
    )


def written(lines: Sequence[Line]) -> str:
    """Return lines as text, without colours or trailing spaces."""
    return "".join(f"{plain_text(line).rstrip()}\n" for line in lines)


def check_screen(name: str, lines: Sequence[Line]) -> None:
    """Fail if the lines differ from the golden screen of this name.

    `BONEYARD_WRITE_SCREENS=1` rewrites the golden screen, for review.
    """
    path = SCREENS / f"{name}.txt"
    if os.environ.get("BONEYARD_WRITE_SCREENS"):
        path.write_text(written(lines), encoding="utf-8")
    assert written(lines) == path.read_text(encoding="utf-8")


def walk_all(spec: TableSpec, seed: bytes, moves: int) -> Iterator[Scene]:
    """Yield the scene of every seat before each random move, whatever the rules.

    Searches for an engine, reshuffles and simultaneous openings are included. End after `moves`
    moves and reshuffles, or earlier if the round is over.
    """
    entropy = seeded(seed)
    table = start_game(spec, Seat(0))
    tiles = deal(table, entropy)
    names = tuple(NAMES[at % len(NAMES)] + str(at // len(NAMES) or "") for at in range(spec.seats))
    for _ in range(moves):
        if table.phase is RoundPhase.RESHUFFLE:
            table, tiles = reshuffle(table, tiles, entropy)
            continue
        due = due_seats(table)
        if not due:
            return
        for each in range(spec.seats):
            seat = Seat(each)
            yield Scene(table, hand_of(table, tiles, seat), names, seat, can_move=seat in due)
        seat = due[below(entropy, len(due))]
        choices = legal_moves(table, hand_of(table, tiles, seat))
        table, _ = apply(table, choices[below(entropy, len(choices))])


def played_out(spec: TableSpec, entropy: Entropy, first: Seat):
    """Play a random round to its end, in which nobody makes a `Catch` or a `Quiet` move.

    Return its history, as pairs of the table before a move and the move; all tiles of the round by
    position, including the positions before a reshuffle; the tiles by position at the end; and the
    table at the end.
    """
    table = start_game(spec, first)
    tiles = deal(table, entropy)
    known, history = dict(tiles), []
    while table.phase not in ENDED:
        if table.phase is RoundPhase.RESHUFFLE:
            table, tiles = reshuffle(table, tiles, entropy)
            known |= tiles
            continue
        hand = hand_of(table, tiles, due_seats(table)[0])
        choices = [m for m in legal_moves(table, hand) if not isinstance(m, Catch | Quiet)]
        history.append((table, choices[below(entropy, len(choices))]))
        table, _ = apply(*history[-1])
    return history, known, tiles, table


def scenes_of(preset: str, moves: int, seeds: int = 3, **switches: str) -> Iterator[Scene]:
    """Yield scenes of every seat in several random rounds of a preset.

    In a switch's name `_` means `-`. `deal` is not a switch, but the number of tiles dealt to each
    hand, 5 if it is left out.
    """
    hand = int(switches.pop("deal", "5"))
    rules = parse_rules(preset, {name.replace("_", "-"): to for name, to in switches.items()})
    assert isinstance(rules, RuleSet), rules
    seats = 4 if "partners" in switches else 3
    spec = make_spec(rules, 9, seats, deal=hand)
    assert isinstance(spec, TableSpec), spec
    for number in range(seeds):
        yield from walk_all(spec, bytes([number]), moves)


def scene_written(game: str, name: str) -> Scene:
    """Return the scene of the seat called `name` at the end of a written game.

    Every move of that game must be legal.
    """
    paper = parse(game)
    assert isinstance(paper, GameText), paper
    verdict, here = [*follow(paper)][-1]
    assert verdict.ok, verdict
    assert here is not None
    seat = Seat(here.names.index(name))
    can_move = here.table.to_move == seat
    return Scene(here.table, known_hand(here, seat), here.names, seat, can_move=can_move)
