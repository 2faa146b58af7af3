"""Secrets: from the table's one secret, so that a life after a crash repeats them."""

from itertools import count

from netgame.crypto.transcript import expand
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.secrets.keyring import Keyring
from tests.lab.simulation.planted.swaps import Bug, Swap, into

BUGS: dict[str, Bug] = {}
bug = into(BUGS)
_LIVES = count()


def _of_this_life(*names: str) -> list[Swap]:
    """Have secrets of a keyring come from its process instead of from the table's secret."""

    def swap(name: str) -> Swap:
        true = Keyring.__dict__[name]

        def wrong(self, *arguments):
            life = self.__dict__.setdefault("_planted", next(_LIVES))
            return true(Keyring(expand(self._secret, "planted", life)(32)), *arguments)

        return Keyring, name, wrong

    return [swap(name) for name in names]


@bug("round keys are drawn fresh")
def _fresh_keys() -> list[Swap]:
    return _of_this_life("round_secret")


@bug("the coin is tossed again")
def _second_toss() -> list[Swap]:
    return _of_this_life("coin")


@bug("the permutation is drawn fresh")
def _fresh_permutation() -> list[Swap]:
    return _of_this_life("round_seed")


@bug("an opening is sealed anew")
def _fresh_seal() -> list[Swap]:
    return _of_this_life("opening_secret", "box_key")


@bug("a hand is kept over a new deal")
def _stale_hand() -> list[Swap]:
    true = Author._learn

    def wrong(self, state, table, deck, seat):
        kept = self._tiles if self._born >= 0 else {}
        true(self, state, table, deck, seat)
        self._tiles = {**self._tiles, **kept}

    return [(Author, "_learn", wrong)]


@bug("the coin is that of the session before")
def _same_coin() -> list[Swap]:
    true = Keyring.coin
    return [(Keyring, "coin", lambda self, log_id, head: true(self, b"", b""))]


@bug("the coin is bound to no head")
def _coin_of_no_head() -> list[Swap]:
    true = Keyring.coin
    return [(Keyring, "coin", lambda self, log_id, head: true(self, log_id, b""))]
