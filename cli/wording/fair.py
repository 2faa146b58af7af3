"""The shuffle explained to a player: who shuffled the deck, what was checked, what it means."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from cli.language import joined, say, say_count
from cli.program import typed_in_shell
from cli.scene import convicts_of
from cli.wording.notices import DEALING
from netgame.protocol import notices
from netgame.protocol.log.fault import ProofKind
from netgame.protocol.peer.view import TableStage, TableView

_CHECKED: Final[Mapping[ProofKind, str]] = {
    ProofKind.SHUFFLE: "{count} for shuffles",
    ProofKind.KEY: "{count} for keys",
    ProofKind.LOCK: "{count} for locks taken off",
    ProofKind.TILE: "{count} for tiles shown",
    ProofKind.HAND: "{count} for draws and passes",
    ProofKind.BONEYARD: "{count} for tiles that went back",
}
"""The proofs that were checked, by what they show."""

FINGERPRINTS: Final = (
    "The letters beside a name are the fingerprint of that player's key. If both your screens show "
    "the same letters for each of you, nobody sits in between."
)
"""The explanation of the letters beside each name in a list of players."""

_DEMO: Final = "See a cheat get caught, in another window: {command}"


def fair_texts(
    view: TableView, own_key: bytes, *, seed: int | None = None, returns: bool = False
) -> Iterator[str]:
    """Yield paragraphs on the deck in play: who shuffled it, what that means, what was checked.

    Before the first deal they describe the shuffle to come. They also say what is not fair: a game
    from a `seed`, and bots that share a program. `own_key` is the reader's key. If the reader
    `returns` after a break, the text says that proofs are counted only since then.
    """
    if view.stage is TableStage.LOBBY or view.table is None:
        yield _to_be_mixed(view)
    else:
        yield _mixers_text(view, own_key)
    if view.proofs:
        yield _proofs_text(view, returns=returns)
    if seed is None:
        yield _meaning(view)
    else:
        text = (
            "This game is dealt from seed {seed}: whoever knows that number can know every tile. "
            "The proofs are real all the same."
        )
        yield say(text, seed=seed)
    yield from _bots_texts(view, own_key)
    if view.stage is TableStage.LOBBY:
        yield say(FINGERPRINTS)
    yield say(_DEMO, command=typed_in_shell("demo"))


def unclaimed(notice: notices.Notice) -> notices.Notice:
    """Return a notice without its mixers, because nothing is claimed about a deck from a seed."""
    match notice:
        case notices.Dealt():
            return replace(notice, mixers=())
        case (
            notices.RoundOver(end=notices.LaidOpen() as end)
            | notices.GameOver(end=notices.LaidOpen() as end)
        ):
            return replace(notice, end=replace(end, mixers=()))
        case _:
            return notice


def _to_be_mixed(view: TableView) -> str:
    """Return a sentence on how the first deck is being shuffled, or will be."""
    note = view.deal_note
    if note is not None:
        text = "Everybody is mixing the first deck right now: {step}."
        return say(text, step=say(DEALING[note.step], name=note.name))
    text = (
        "No deck is mixed yet. Everybody here will mix each one in turn, and prove that no tile "
        "was added, swapped or left out."
    )
    return say(text)


def _mixers_text(view: TableView, own_key: bytes) -> str:
    """Return sentences on who shuffled the deck in play, or the last one, if there was one."""
    # the caller has checked
    assert view.table is not None
    infos = [view.seats[seat] for seat in view.mixers]
    names = [info.name for info in infos if info.key != own_key]
    if len(names) < len(infos):
        names.append(say("you"))
    if not names:
        return say("No deck was dealt yet.")
    text = (
        "{names} mixed the deck of round {number} in turn. Each proved that no tile was added, "
        "swapped or left out."
    )
    return say(text, names=joined(names), number=view.table.round_number + 1)


def _meaning(view: TableView) -> str:
    """Return two sentences on what shuffles and proofs achieve, for a mixer or for others."""
    text = (
        "One honest mix is enough: unless everybody who mixed works together, nobody knows "
        "where any tile is. Nobody can play a tile they were not dealt, or pass when they "
        "could play: there would be no proof, and every program would notice."
    )
    if view.sits and (view.seat in view.mixers or not view.mixers):
        text = (
            "Your own mix is enough: even all the others together cannot know where any tile "
            "is or see your hand. Nobody can play a tile they were not dealt, or pass when "
            "they could play: there would be no proof, and every program would notice."
        )
    return say(text)


def _bots_texts(view: TableView, own_key: bytes) -> Iterator[str]:
    """Yield a sentence saying that the host's program plays the bots, so they count as one mixer.

    Yield nothing if there are no bots.
    """
    bots = [info.name for info in view.seats if info.bot and not info.left]
    if not bots:
        return
    host = view.name_of(view.host_key)
    names = joined(bots)
    if view.host_key == own_key:
        one = "{names} is a bot in your own program: count the two of you as one."
        many = "{names} are bots in your own program: count them and you as one."
    elif host:
        one = "{names} is a bot in {host}'s program: count the two as one."
        many = "{names} are bots in {host}'s program: count them and {host} as one."
    else:
        one = "{names} is a bot in the host's program."
        many = "{names} are bots in the host's program: count them as one."
    yield say_count(one, many, len(bots), names=names, host=host)


def _proofs_text(view: TableView, *, returns: bool) -> str:
    """Return how many proofs of each kind this peer has checked, and who was found out."""
    counts = Counter(dict(view.proofs))
    checked = say_count("1 proof", "{count} proofs", counts.total())
    kinds = joined([say(_CHECKED[kind], count=count) for kind, count in view.proofs])
    text = "Your program has checked {proofs} from the others here, and all were good: {kinds}."
    if returns:
        text = (
            "Since you came back your program has checked {proofs} from the others, and all "
            "were good: {kinds}."
        )
    if caught := [each.name for each in convicts_of(view)]:
        text = (
            "Your program has checked {proofs} from the others here that were good: {kinds}. "
            "It has caught {caught}."
        )
    return say(text, proofs=checked, kinds=kinds, caught=joined(caught))
