"""Which tiles could be played, and whether a seat that has none of them draws."""

from engine.play.ends import DOUBLE_BITS, ends_bits, places
from engine.rules.switches import DrawRule, LayerMiss
from engine.table.table import Table
from engine.table.turn import DUE, TurnStage
from engine.tiles import TILE_BITS, Tile


def playable_bits(table: Table) -> int:
    """Bit set of the unseen tiles that the seat in turn could lay by themselves.

    A double that needs its cover in the same move is left out: two tiles are no single claim.
    """
    now = places(table)
    plain, doubles = now.plain, now.doubles
    bits = ends_bits(table, plain)
    if plain is not doubles or now.paired:
        bits &= ~DOUBLE_BITS
        of_doubles = ends_bits(table, doubles) & DOUBLE_BITS
        bits |= of_doubles if not now.paired else _alone_bits(table, of_doubles)
    bits &= table.unseen
    if shuts_doubles(table):
        bits = bits & ~DOUBLE_BITS | _dying_bits(table, bits & DOUBLE_BITS)
    return bits


def _alone_bits(table: Table, doubles: int) -> int:
    """Of doubles that have to be closed at once, those that nothing can close any more."""
    return 0 if table.aside.last is None else _dying_bits(table, doubles)


def shuts_doubles(table: Table) -> bool:
    """Whether the seat in turn has one tile left, which may not be a double. [§7.1]"""
    return len(table.hands[table.to_move]) == 1 and table.spec.rules.last_double.is_refused


def dies(table: Table, tile: Tile) -> bool:
    """Whether nothing can join a double once it is laid. [docs/rules.md §5.5]"""
    return bool(_dying_bits(table, TILE_BITS[tile]))


def _dying_bits(table: Table, doubles: int) -> int:
    """Of these doubles, those that nothing can join once they are laid."""
    found, fits = 0, table.spec.rules.wild_blanks.fits
    for pip in range(table.spec.pip_max + 1):
        bit = TILE_BITS[Tile(pip, pip)]
        if doubles & bit and not fits[pip] & table.unseen & ~bit:
            found |= bit
    return found


def draw_due(table: Table) -> bool:
    """Whether a seat that can lay nothing has to draw (else it passes). [docs/rules.md §2.4]"""
    if not table.boneyard or (table.drawn and not draws_on(table)):
        return False
    if table.turn.stage not in DUE or table.aside.bullet is not None:
        return False
    return not opening_without_draw(table)


def opening_without_draw(table: Table) -> bool:
    """Whether this is a first turn in which nobody draws. [docs/rules.md §3.2]"""
    return not table.spec.rules.opening_miss.draws and _is_to_start(table)


def _is_to_start(table: Table) -> bool:
    """Whether the seat in turn is to begin its train in its first turn. [docs/rules.md §3.2]"""
    return table.opening and table.turn.stage is TurnStage.START and not table.owed


def draws_on(table: Table) -> bool:
    """Whether one draw is not the last. [docs/rules.md §2.4, §5.4]"""
    rules = table.spec.rules
    if table.turn.doubles and rules.layer_miss is LayerMiss.DRAW_ONLY:
        return False
    if rules.draw is DrawRule.UNTIL_PLAYABLE:
        return True
    if rules.opening_miss.draws > 1 and _is_to_start(table):
        return True
    if not rules.continuous_draw.is_yes or not table.owed:
        return False
    owed = table.owed[0]
    layer = table.train(owed.train).lays[owed.on].seat
    return layer == table.to_move and all(
        seat == layer or owed.left >> seat & 1 for seat in table.present
    )
