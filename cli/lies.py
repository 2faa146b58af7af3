"""Six ways to cheat that a guest would think of, and a signer that tries one of them.

`boneyard demo` gives that signer to one of four programs. The rest of that program and the other
three programs are what people run, and react to the lie as they would in a game.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from engine.play.judge import unseen_tiles, why_illegal
from engine.table import moves
from engine.table.trains import Seat
from engine.view import SeatView
from netgame.crypto.group import Q, encode
from netgame.crypto.hand import prove_hand
from netgame.crypto.shuffle import make_shuffle_secret, shuffle
from netgame.protocol.peer.entries.writer import EntrySigner
from netgame.protocol.peer.parts import Parts
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.protocol.state.acts import move_of
from netgame.protocol.state.phases import Round
from netgame.protocol.state.shares import shares_owed
from netgame.protocol.state.state import State
from netgame.protocol.state.turn import hand_statement
from netgame.wire import messages as wire


class Lie(NamedTuple):
    """One way to cheat."""

    sentence: str
    """What the cheat's program does, without a subject."""
    told: str
    """The sentence to tell when it happens."""
    why: str
    """The reason why it cannot work."""
    kind: type[wire.Payload]
    """The kind of payload that the lie replaces."""
    instead: Callable[[Parts, Any], wire.Payload | None]
    """Takes the parts of the cheat's program and the true payload; returns the lie to sign.

    None waits for another chance.
    """
    is_twofold: bool = False
    """True if one player gets the lie, and all others the true entry."""


class LyingSigner(EntrySigner, kw_only=True):
    """A signer for one seat that lies once, as soon as it has a chance and a connected peer.

    Otherwise it signs what any signer would.
    """

    parts: Parts
    lie: Lie
    tell: Callable[[str], None]
    """Called at the lie with the name of a player who gets it, or "" if the name is not known."""
    _has_lied: bool = False

    def write(self, payload: wire.Payload | PendingPayload) -> None:
        """Write the true payload or, once, the lie.

        A false deck is written like a true one, because no program can detect it yet. Any other lie
        is sent to the peers without this program judging it; if it `is_twofold`, only the last peer
        by key is sent it, and the others are sent the true entry.
        """
        peers = sorted(self.context.links.greeted())
        is_chance = peers and isinstance(payload, self.lie.kind) and not self._has_lied
        false = self.lie.instead(self.parts, payload) if is_chance else None
        if false is None or isinstance(payload, PendingPayload):
            super().write(payload)
            return
        self._has_lied, context = True, self.context
        victim = context.state.member(peers[-1])
        self.tell(victim.name if victim else "")
        if isinstance(false, wire.Deck):  # no program can detect it yet, this one included
            super().write(false)
            return
        self.begun = self.context.due()
        lie = self.signed(false)
        other = self.signed(payload) if self.lie.is_twofold else lie
        for peer in peers:
            context.outbox.send(peer, wire.Entries((lie if peer == peers[-1] else other,)))


def corrupt(parts: Parts, lie: Lie, tell: Callable[[str], None]) -> None:
    """Replace a seat's signer with one that tells this `lie` once.

    `tell` is then called with the name of a player who is lied to, or "" if it is not known.
    """
    liar = LyingSigner(
        parts.context,
        parts.journal,
        parts.recovery,
        parts.lifetime,
        parts.intake,
        parts=parts,
        lie=lie,
        tell=tell,
    )
    parts.entry_signer = parts.writer.entry_signer = liar


# ---- the lies ---------------------------------------------------------------------------------


def _here(parts: Parts) -> tuple[State, Round, Seat]:
    """Return the state, its round and the seat of these parts.

    There must be a round, and the parts must be those of a seat.
    """
    state, seat = parts.context.state, parts.context.seat
    assert state.round is not None, "tiles are dealt and played in a round"
    assert seat is not None, "only a seat writes"
    return state, state.round, Seat(seat)


def _tile_twice(parts: Parts, said: wire.Deck) -> wire.Deck:
    """Return a deck with one tile twice and another missing, shuffled as usual otherwise."""
    deal = parts.context.state.deal
    assert deal is not None, "a deck is made in a deal"
    first, _, *rest = deal.decks[-1]
    given = (first, first, *rest)
    secret = make_shuffle_secret(len(given), parts.author.fresh())
    return wire.Deck(said.round, encode(shuffle(given, deal.joint, secret)))


def _another_key(parts: Parts, _: wire.Shares) -> wire.Shares:
    """Return reveal tokens made with another key, and a proof that is valid for that key."""
    state, round_, seat = _here(parts)
    x = (parts.author.round_secret(state, round_.deck).x + 1) % Q
    return wire.Shares(*shares_owed(state, round_, seat).proved(x, parts.author.fresh()))


def _not_held(parts: Parts, said: wire.Lay) -> wire.Lay | None:
    """Return the lay with a different tile that fits too, is not in hand and is not a double.

    None if there is no such tile.
    """
    state, round_, _ = _here(parts)
    hand, joined = parts.author.hand(state), said.tile[0]
    held = [tile for _, tile in hand.tiles] if hand else []
    fitting = (tile for tile in unseen_tiles(round_.table) if tile.has(joined))
    tile = next((tile for tile in fitting if tile not in held and not tile.is_double), None)
    return replace(said, tile=(joined, tile.other_end(joined))) if tile else None


def _cannot_play(parts: Parts, _: wire.Lay) -> wire.Draw | wire.Pass | None:
    """Return a draw or a pass, with a proof for tiles that are not all in hand.

    None if neither is possible now, no proof is needed, the claim is true, or it cannot be faked.
    """
    state, round_, seat = _here(parts)
    hand = parts.author.hand(state)
    ways = (moves.DrawTile(seat), "draw", wire.Draw), (moves.Pass(seat), "pass", wire.Pass)
    way = next((each for each in ways if why_illegal(round_.table, each[0]) is None), None)
    if way is None or hand is None:
        return None
    move, name, entry = way
    statement = hand_statement(state, round_, move, name)
    if statement is None:
        return None
    held = [tile for _, tile in hand.tiles if tile in statement.tiles]
    spare = [tile for tile in statement.tiles if tile not in held]
    lies = len(hand.tiles) - len(held)
    if not lies or len(spare) < lies:
        return None
    x, entropy = parts.author.round_secret(state, round_.deck).x, parts.author.fresh()
    return entry(encode(prove_hand(statement, x, [*held, *spare[:lies]], entropy)))


def _another_move(parts: Parts, said: wire.Lay) -> wire.Payload | None:
    """Return the entry of another legal lay in place of the true one; None if there is none."""
    state, round_, seat = _here(parts)
    legal = SeatView(round_.table, seat, parts.author.hand(state)).legal
    lays = (move for move in legal if isinstance(move, moves.LayTile))
    other = next((move for move in lays if move != move_of(seat, said)), None)
    return parts.author.turn(state, other).run() if other else None


LIES: Final[Mapping[str, Lie]] = {
    "shuffle": Lie(
        "puts a tile into the deck twice, and leaves another out",
        "{name} cheats by putting one tile into the deck twice and leaving another out. The tiles "
        "lie face down, so nobody can see it.",
        "A shuffle comes with a proof that the deck still holds the same tiles, each once. "
        "{name} has sent the best proof anybody could make, and it fails.",
        wire.Deck,
        _tile_twice,
    ),
    "coin": Lie(
        "opens another number than it has sealed, when seats are drawn",
        "To draw seats, each signs a sealed number, and opens it once all have signed. {name} "
        "cheats by opening another number than the one that was sealed.",
        "The seal is a digest of the number, signed before anybody opened theirs. No other number "
        "has that digest.",
        wire.CoinReveal,
        lambda parts, _: wire.CoinReveal(parts.author.fresh("other")(32)),
    ),
    "share": Lie(
        "unlocks the others' tiles with a false key, so that they read wrong ones",
        "The tiles are dealt: everybody takes their locks off the others' hands. {name} "
        "cheats by using a different key from the one that locked them, so that the others "
        "read the wrong tiles.",
        "Every player who takes a lock off must prove that they used this round's key. "
        "{name}'s proof is good for another key.",
        wire.Shares,
        _another_key,
    ),
    "tile": Lie(
        "plays a tile that it does not hold",
        "{name} cheats by playing a tile that would fit, but is in somebody else's hand or in the "
        "boneyard.",
        "Every tile has its place in the shuffled deck. Playing one takes the last lock off "
        "its place, for all to see, and a different tile was there.",
        wire.Lay,
        _not_held,
    ),
    "pass": Lie(
        "says that it cannot play, and holds a tile that fits",
        "{name} holds a tile that fits, and cheats by claiming to hold none.",
        '"I cannot play" comes with a proof that no tile in the hand fits. There is no '
        "such proof for this hand, and nobody had to see the tiles to know that.",
        wire.Lay,
        _cannot_play,
    ),
    "stories": Lie(
        "tells one player another move than it tells the rest",
        "{name} cheats by sending {victim} one move, and another to the rest. Both are legal, and "
        "both are signed.",
        "Every message commits to all the messages before it, so the two versions never fit "
        "together again. As soon as two programs compare them, they have two signatures for "
        "one turn.",
        wire.Lay,
        _another_move,
        is_twofold=True,
    ),
}
"""The lies by the words typed for them; the first is the default."""
