"""Which trains and seats a typed word can mean."""

from cli.scene import Scene, train_name, train_number
from cli.typed.tokens import read_pair
from engine.table.trains import Seat, TrainId
from engine.tiles import Tile, make_tile


def no_train_text(scene: Scene, text: str) -> str:
    """Say that no train is called this, and which there are."""
    names = ", ".join(train_name(scene, train.id) for train in scene.table.trains)
    return f"There is no train {text} here: {names}."


def find_trains(scene: Scene, text: str) -> tuple[TrainId, ...]:
    """All trains that `text` can mean: its number, `m`, the owner's name or the start of one.

    A whole name wins over the start of another; `own` and `mine` are one's own train unless
    somebody has such a name.
    """
    folded = text.casefold()
    known = {train.id: train_name(scene, train.id).casefold() for train in scene.table.trains}
    exact = tuple(
        key for key, name in known.items() if folded in (name, train_number(key).casefold())
    )
    if exact:
        return exact
    starts = tuple(key for key, name in known.items() if name.startswith(folded))
    if not starts and folded in ("own", "mine") and scene.seat is not None:
        return (TrainId(scene.seat),)
    return starts


def find_places(scene: Scene, text: str | None) -> tuple[tuple[TrainId, ...], Tile | None]:
    """All trains that `text` can mean, and the double named after a slash: `ann/6-6`.

    No text means every train.
    """
    if text is None:
        return tuple(train.id for train in scene.table.trains), None
    trains = find_trains(scene, text)
    name, slash, double = text.rpartition("/")
    pair = read_pair(double) if slash and not trains else None
    return (trains, None) if pair is None else (find_trains(scene, name), make_tile(*pair))


def find_seats(scene: Scene, text: str) -> tuple[Seat, ...]:
    """All seats that `text` can mean: a whole name, else the starts of names, or a number."""
    folded = text.casefold()
    known = {Seat(at): name.casefold() for at, name in enumerate(scene.names)}
    exact = tuple(seat for seat, name in known.items() if folded in (name, str(seat + 1)))
    return exact or tuple(seat for seat, name in known.items() if name.startswith(folded))
