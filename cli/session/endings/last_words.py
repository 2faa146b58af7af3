"""The last words of a game: the proofs made, and the uses of its record."""

from shlex import quote

from cli.language import say, say_count
from cli.program import typed_in_shell
from cli.session.sitting import Sitting
from netgame.io.disk.store import DataFolder
from netgame.io.node.node import Node
from netgame.io.tables.kept import kept_games
from netgame.io.tables.options import SeatOptions
from netgame.protocol.peer.view import TableStage


def last_words(node: Node, sitting: Sitting) -> tuple[str, ...]:
    """Return sentences on what was proved and how to check it again; a command to copy is last.

    Without a record, return only the first sentence. For a game from a seed, that sentence says
    that the deal was not fair. For a halted game, return only how to prove the fault.
    """
    if node.view().stage is TableStage.HALTED:
        return _proof_texts(node)
    kept = _record_word(node, sitting.seat)
    text = "Everybody shuffled every deck, and proved every shuffle, draw and pass to the others."
    if sitting.seed is not None:
        text = (
            "Dealt from seed {seed}: a demonstration, not a fair deal. The same moves bring the "
            "same game again."
        )
    said = [" ".join(filter(None, (say(text, seed=sitting.seed), _checked_text(node, sitting))))]
    if kept and not sitting.auto and node.view().seat is not None:
        said.append(say("Go through your moves: {command}", command=typed_in_shell("review", kept)))
    if kept:
        said.append(say("Watch it again: {command}", command=typed_in_shell("replay", kept)))
        text = "The record is kept; check it again with: {command}"
        said.append(say(text, command=typed_in_shell("verify", kept)))
    return (*said,)


def _checked_text(node: Node, sitting: Sitting) -> str:
    """Return how many proofs of the others this program checked; empty for none, or from a seed.

    After a return in mid-game, count only the proofs checked since.
    """
    count = sum(number for _, number in node.view().proofs)
    if not count or sitting.seed is not None:
        return ""
    one = "Your program has checked 1 proof of the others."
    many = "Your program has checked {count} proofs of the others."
    return say_count(one, many, count)


def _proof_texts(node: Node) -> tuple[str, ...]:
    """Return a sentence on how to prove who cheated at a halted table; empty without a record.

    The proof is beside the record in the data folder, not beside a copy of the record.
    """
    if node.folder is None:
        return ()
    text = "Your record and the proof beside it show who cheated; check them with: {command}"
    command = typed_in_shell("verify", quote(str(node.folder.record.path)))
    return (say(text, command=command),)


def _record_word(node: Node, seat: SeatOptions) -> str:
    """Return the word for the record in a shell command; empty if no record is kept.

    It is the path given as `--record`, else the number of the game, else the path of its record.
    """
    folder = node.folder
    if seat.record is not None:
        return quote(str(seat.record))
    if folder is None:
        return ""
    games = () if seat.data_dir else kept_games(DataFolder(folder.path.parent.parent))
    named = (game.called for game in games if game.path == folder.path)
    return next(named, quote(str(folder.record.path)))
