"""One peer that cheats, once, in a way from a catalogue: everybody honest must name it.

A cheater is a real core that now and then says something else than it should, past its own
judgement. What it signed it repeats to whoever links up, as an honest peer repeats the truth, so
that faults of the network cannot hide it for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from netgame.crypto.group import mul_base, require_point
from netgame.protocol.author import Making
from netgame.protocol.core import Core
from netgame.protocol.log import sign_entry
from netgame.protocol.state import Phase
from netgame.wire import messages as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from netgame.protocol.effects import PeerKey
    from netgame.protocol.sync import Peer
    from netgame.simulation.chance import Chance

__all__ = ["CHEATS", "UNSIGNED", "Cheater", "make_cheater"]

_POINT: Final = 33


def _flip(octets: bytes, at: int = -1) -> bytes:
    """The octets with one bit changed; of none, one octet too many."""
    if not octets:
        return b"\x01"
    changed = bytearray(octets)
    changed[at] ^= 1
    return bytes(changed)


def _other_point() -> bytes:
    return require_point(mul_base(9))


def _swap_tokens(tokens: bytes) -> bytes:
    """The first two the other way round; a single one replaced."""
    one, two, rest = tokens[:_POINT], tokens[_POINT : 2 * _POINT], tokens[2 * _POINT :]
    return two + one + rest if two else _other_point()


def _stacked(deck: bytes) -> bytes:
    """Two tiles whose halves belong to each other no more."""
    tile, point = 2 * _POINT, _POINT
    return (
        deck[:point]
        + deck[tile + point : 2 * tile]
        + deck[tile : tile + point]
        + (deck[point:tile] + deck[2 * tile :])
    )


def _other_half(lay: wire.Lay) -> wire.Lay:
    joined, other = lay.tile
    return wire.Lay(
        lay.position, (joined, (other + 1) % 7), lay.train, lay.on, lay.token, lay.proof
    )


def _other_join(lay: wire.Lay) -> wire.Lay:
    joined, other = lay.tile
    return wire.Lay(
        lay.position, ((joined + 1) % 7, other), lay.train, lay.on, lay.token, lay.proof
    )


def _other_token(lay: wire.Lay) -> wire.Lay:
    return wire.Lay(lay.position, lay.tile, lay.train, lay.on, _other_point(), lay.proof)


def _other_tiles(opened: wire.Open) -> wire.Open | None:
    if not opened.tiles:
        return None
    low, high = opened.tiles[0]
    lie = (low, high - 1) if high > low else (0, high) if high else (0, 1)
    return wire.Open((lie, *opened.tiles[1:]), opened.tokens, opened.proof)


def _no_tiles(opened: wire.Open) -> wire.Open | None:
    return wire.Open((), b"", b"") if opened.tiles else None


def _more_points(scored: wire.RoundOver) -> wire.RoundOver:
    return wire.RoundOver((scored.scores[0] + 1, *scored.scores[1:]), scored.latecomers)


def _rest_of(act: wire.Act) -> tuple[Any, ...]:
    return act.number, act.on, act.tiles, act.tokens, act.proof, act.claim


def _false_act(act: wire.Act) -> wire.Act | None:
    """What it shows or claims, with a proof that does not hold."""
    number, on, tiles, tokens, proof, claim = _rest_of(act)
    if proof:
        return wire.Act(act.word, number, on, tiles, tokens, _flip(proof), claim)
    return wire.Act(act.word, number, on, tiles, tokens, proof, _flip(claim)) if claim else None


def _other_hand(deck: bytes) -> bytes:
    """The halves of its first entry the other way round."""
    return deck[_POINT : 2 * _POINT] + deck[:_POINT] + deck[2 * _POINT :]


Bend = tuple[tuple[type[Any], ...], "Callable[[Any], wire.Payload | None]"]

_ANY_TIME: Final = (
    wire.CoinCommit,
    wire.KeyCommit,
    wire.Checked,
    wire.Shares,
    wire.Lay,
    wire.Draw,
    wire.Pass,
)

CHEATS: Final[dict[str, Bend]] = {
    "another roster": ((wire.Roster,), lambda _: wire.Roster(bytes(64))),
    "another coin": ((wire.CoinReveal,), lambda p: wire.CoinReveal(_flip(p.secret))),
    "another key": ((wire.KeyOpen,), lambda p: wire.KeyOpen(p.round, _flip(p.opening))),
    "a key of no point": ((wire.KeyOpen,), lambda p: wire.KeyOpen(p.round, bytes(130))),
    "a short deck": ((wire.Deck,), lambda p: wire.Deck(p.round, p.deck[2 * _POINT :])),
    "a stacked deck": ((wire.Deck,), lambda p: wire.Deck(p.round, _stacked(p.deck))),
    "a tile twice": (
        (wire.Deck,),
        lambda p: wire.Deck(p.round, p.deck[: 2 * _POINT] + p.deck[: -2 * _POINT]),
    ),
    "a false shuffle proof": ((wire.Proof,), lambda p: wire.Proof(p.round, _flip(p.proof))),
    "another round": ((wire.Checked,), lambda p: wire.Checked(p.round + 1)),
    "a wrong share": ((wire.Shares,), lambda p: wire.Shares(_swap_tokens(p.tokens), p.proof)),
    "a missing share": ((wire.Shares,), lambda p: wire.Shares(p.tokens[_POINT:], p.proof)),
    "a false share proof": ((wire.Shares,), lambda p: wire.Shares(p.tokens, _flip(p.proof))),
    "a foreign tile": ((wire.Lay,), _other_half),
    "a tile that does not join": ((wire.Lay,), _other_join),
    "another token": ((wire.Lay,), _other_token),
    "a false claim": ((wire.Draw,), lambda p: wire.Draw(_flip(p.proof))),
    "a pass for a draw": ((wire.Draw,), lambda p: wire.Pass(p.proof)),
    "a false pass": ((wire.Pass,), lambda p: wire.Pass(_flip(p.proof))),
    "an act of no kind": ((wire.Act,), lambda p: wire.Act("dance", *_rest_of(p))),
    "a false act": ((wire.Act,), _false_act),
    "another opening": (
        (wire.OpeningReveal,),
        lambda p: wire.OpeningReveal(_flip(p.secret), p.turn),
    ),
    "a false hand-over": ((wire.HandOver,), lambda p: wire.HandOver(_flip(p.over))),
    "a false mix of the hand": ((wire.MixHand,), lambda p: wire.MixHand(p.deck, _flip(p.proof))),
    "another hand": ((wire.MixHand,), lambda p: wire.MixHand(_other_hand(p.deck), p.proof)),
    "the key of nothing": ((wire.Keys,), lambda p: wire.Keys(_flip(p.x), p.seed)),
    "another seed": ((wire.Keys,), lambda p: wire.Keys(p.x, _flip(p.seed)) if p.seed else None),
    "a false hand": ((wire.Open,), _other_tiles),
    "a hand that stays hidden": ((wire.Open,), _no_tiles),
    "a false score": ((wire.RoundOver,), _more_points),
    "another kind of entry": (_ANY_TIME, lambda _: wire.Close()),
    "two coins": (
        (wire.CoinCommit,),
        lambda p: wire.CoinCommit(_flip(p.commitment)),
    ),
    "two keys": (
        (wire.KeyCommit,),
        lambda p: wire.KeyCommit(p.round, _flip(p.commitment), p.seed),
    ),
    "two stories": (_ANY_TIME, lambda _: wire.Close()),
    "a wrong signature": (_ANY_TIME, lambda p: p),
    "another's name": (_ANY_TIME, lambda p: p),
    "octets that are no entry": (_ANY_TIME, lambda p: p),
}
"""Each cheat by its name: at which entries it can be done, and what is signed instead."""

UNSIGNED: Final = ("a wrong signature", "another's name", "octets that are no entry")
"""Cheats that bind nobody: the sender is named by who received them, and the game goes on."""

_BESIDE: Final = ("two coins", "two keys", "two stories", *UNSIGNED)
"""Cheats that come on top of the true entry, and are seen by one peer only at first."""


class Cheater(Core):
    """A peer with one cheat; what it has done outlives its process, as its class does."""

    cheat: ClassVar[str]
    wait: ClassVar[int]
    """So many chances pass unused."""
    lie: ClassVar[wire.SignedEntry | None] = None
    victim: ClassVar[bytes] = b""

    def write(self, payload: wire.Payload | Making) -> None:
        """Write honestly, unless it is time to cheat."""
        kinds, bend = CHEATS[self.cheat]
        mine = type(self)
        if isinstance(payload, Making) or self.lie is not None or not isinstance(payload, kinds):
            super().write(payload)
            return
        heard = sorted(key for key, peer in self.peers.items() if peer.greeted)
        mine.wait -= 1
        bent = bend(payload) if mine.wait < 0 and heard else None
        if bent is None:
            super().write(payload)
            return
        mine.lie = self._signed(bent)
        if self.cheat in _BESIDE:
            mine.victim = heard[-1]
            self.send(heard[-1], wire.Entries((mine.lie,)))
            super().write(payload)
        else:
            self._writing = self.state.step
            self.tell_all(wire.Entries((mine.lie,)))

    def _signed(self, payload: wire.Payload) -> wire.SignedEntry:
        """The lie, as an entry for the step that is due."""
        state, own = self.state, self.author.seat(self.state)
        assert own is not None
        if self.cheat == "another's name":
            own = (own + 1) % len(state.members)
        body = wire.Body(state.log_id, state.step, state.head, own, payload)
        signed = sign_entry(self.signer, body)
        if self.cheat == "a wrong signature":
            return wire.SignedEntry(signed.body, _flip(signed.signature))
        if self.cheat == "octets that are no entry":
            return wire.SignedEntry(signed.body[1:], signed.signature)
        return signed

    def _greet(self, key: PeerKey, peer: Peer, hello: wire.Hello) -> None:
        """Tell whoever comes back what was told before."""
        super()._greet(key, peer, hello)
        if self.lie is not None and peer.greeted and self._repeats_to(key):
            self.send(key, wire.Entries((self.lie,)))

    def _repeats_to(self, key: PeerKey) -> bool:
        if self.cheat in UNSIGNED or self.state.phase is Phase.LOBBY:
            return False
        return self.cheat not in _BESIDE or key == self.victim


def make_cheater(chance: Chance) -> type[Cheater]:
    """A cheater of its own class, with one of all cheats at one of its first chances."""
    cheat = chance.pick(tuple(CHEATS))
    comes_often = wire.Lay in CHEATS[cheat][0]
    wait = chance.below(4) if comes_often else 0
    return type("OneCheater", (Cheater,), {"cheat": cheat, "wait": wait})
