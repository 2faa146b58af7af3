"""Draws that deny a pair (a double with its cover) although the hand has one. [§5.8, §7.6]"""

from engine.play.judge import hidden_claim, why_illegal
from engine.rules.choose import parse_rules
from engine.rules.spec import make_spec
from engine.table.moves import DrawTile, LayChain, LayTile, Pass
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_round
from tests.engine.deals import dealt

ROUNDS = 300


def denials(preset: str, **switches: str) -> tuple[int, int]:
    """Return how often a pair could be laid, and how often a draw or pass could deny it.

    A pair can be denied if the table allows the draw or pass, and the claim denies no single tile
    of the hand. Doubles are laid as soon as they can be, because a pair needs a double laid before
    it.
    """
    with_pair = deniable = 0

    def choose(view, entropy):
        nonlocal with_pair, deniable
        if view.table.turn.doubles and any(isinstance(move, LayChain) for move in view.legal):
            with_pair += 1
            deniable += any(map(may_say, (DrawTile(view.seat), Pass(view.seat)), [view] * 2))
        lays = [move for move in view.legal if isinstance(move, LayTile)]
        doubles = [move for move in lays if move.tile.is_double]
        return (doubles or list(view.legal))[0]

    rules = parse_rules(preset, switches)
    for seed in range(ROUNDS):
        spec = make_spec(rules, 6 + 3 * (seed % 2), 3, 1)
        table, tiles = dealt(spec, seed.to_bytes(2, "big"))
        play_round(table, tiles, [choose] * 3, seeded(f"pairs {seed}".encode()))
    return with_pair, deniable


def may_say(move, view) -> bool:
    """Return True if the move is allowed and its claim could be proved of the hand."""
    if why_illegal(view.table, move) is not None:
        return False
    claim = hidden_claim(view.table, move)
    held = {tile for _, tile in view.hand.tiles}
    return claim is not None and not held & set(claim)


def test_the_seed_rules_of_a_pair_let_nobody_deny_one() -> None:
    """In `parsons-1994` nobody can deny a pair: its cover is always playable by itself.

    The extra tile may go anywhere, so the cover fits the end that the pair's double fits, or the
    double already laid. A draw must prove that no single tile of the hand fits, and it cannot.
    """
    with_pair, deniable = denials("parsons-1994")
    assert with_pair > 50
    assert deniable == 0


def test_where_the_double_has_to_be_covered_a_pair_can_be_denied() -> None:
    """With `cover=on-double` a pair may be the only lay, and a draw or pass can then deny it."""
    with_pair, deniable = denials("standard", several="two-held")
    assert with_pair > 50
    assert deniable > 0
