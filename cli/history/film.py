"""A recorded game as pictures to step through: a frame per move and per end of a round.

The frames are made from the whole record at once, so that each can show every hand as the record
proves it.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from cli.scene import Scene, onlooker_scene
from cli.wording.events import events_text
from cli.wording.notices import notice_text
from engine.table.table import CALLED_OFF, Table
from engine.tiles import Tile
from netgame.crypto.batch import Batch
from netgame.io.entropy import fresh_octets
from netgame.protocol import notices
from netgame.protocol.ledger.hurry import in_a_hurry
from netgame.protocol.ledger.record import Walked, walk
from netgame.protocol.ledger.voided import standing


class Frame(Struct, frozen=True):
    """One move, or the end of a round: the table as an onlooker sees it, and its sentence."""

    scene: Scene
    text: str
    step: int
    """The step of the log."""
    mover: int
    """The seat that moved; -1 for the end of a round."""
    tiles: Mapping[int, Tile]
    """All tiles that are ever opened in this deal, by position; its frames share the mapping."""

    @property
    def round_number(self) -> int:
        """The number of the round, from 1."""
        return self.scene.table.round_number + 1


def _with_shown(step: Walked, tiles: dict[int, Tile]) -> dict[int, Tile]:
    """Add the tiles that one step has opened to those of its deal, and return them.

    All frames of a deal share `tiles`, so it is changed in place. A new deal gets a new mapping.
    """
    found = {} if _is_new_deal(step.before.table, step.after.table) else tiles
    if step.after.deck is not None:
        found.update((int(at), tile) for at, tile in step.after.deck.tiles.items())
    return found


def _is_new_deal(before: Table | None, after: Table | None) -> bool:
    if before is None or after is None:
        return False
    was_off = before.outcome is not None and before.outcome.ending in CALLED_OFF
    return before.round_number != after.round_number or (was_off and after.outcome is None)


def film_of(octets: bytes) -> tuple[Frame, ...]:
    """Return the frames of a record in their order; empty if nobody has moved.

    Raises `BadRecord` if the record does not hold, proofs included.
    """
    batch = Batch(fresh_octets)
    return in_a_hurry(lambda by: tuple(_frames(standing(walk(octets, by)))), batch)


def _frames(steps: Iterable[Walked]) -> Iterator[Frame]:
    tiles: dict[int, Tile] = {}
    beside = ""
    for step in steps:
        before, tiles = tiles, _with_shown(step, tiles)
        if step.after.table is None:
            continue
        scene = onlooker_scene(step.after.table, step.after.seats)
        for notice in step.notices:
            told = told_of(scene, notice)
            if told is None:
                continue
            text, mover = told
            beside = f"{beside} {text}".strip()
            if mover is None:
                continue
            if mover < 0 and step.before.table is not None:
                game = replace(step.before.table.game, absent=step.after.table.game.absent)
                ended = replace(step.before.table, past=step.after.table.past, game=game)
                laid = onlooker_scene(ended, step.after.seats)
                yield Frame(laid, beside, step.number, mover, before)
            else:
                yield Frame(scene, beside, step.number, mover, tiles)
            beside = ""


def told_of(scene: Scene, notice: notices.Notice) -> tuple[str, int | None] | None:
    """Return the sentence for a notice and the seat that moved, or None for a notice without one.

    The seat is -1 for the end of a round, and None for a sentence that is to be shown with the next
    frame.
    """
    match notice:
        case notices.Played():
            text = events_text(scene, notice.events)
            return (text, notice.seat) if text else None
        case notices.RoundOver() | notices.GameOver():
            return events_text(scene, notice.events), -1
        case notices.Dealt() | notices.Reshuffled() | notices.SeatsCame() | notices.SeatsLeft():
            return notice_text(scene, notice), None
        case notices.MovesUndone():
            return notice_text(scene, notice), None
        case _:
            return None
