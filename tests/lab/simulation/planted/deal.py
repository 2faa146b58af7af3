"""Bugs about secrets, hands and coins: for example, a restart must not change the secrets."""

from itertools import count

from netgame.crypto.transcript import expand
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.secrets.keyring import Keyring
from tests.lab.simulation.planted.swaps import Swap, bug

_LIVES = count()


def _of_this_life(*names: str) -> list[Swap]:
    """Return swaps that make these secrets of a keyring differ in each life of its process."""

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
    return _of_this_life("shuffle_secret")


@bug("an opening is sealed anew")
def _fresh_seal() -> list[Swap]:
    return _of_this_life("opening_secret")


@bug("a hand is kept over a new deal", Author, "_learn")
def _stale_hand(true, self, state, table, deck, seat):
    kept = self._tiles if self._born >= 0 else {}
    true(self, state, table, deck, seat)
    self._tiles = {**self._tiles, **kept}


@bug("the coin is that of the session before", Keyring, "coin")
def _same_coin(true, self, log_id, head):
    return true(self, b"", b"")


@bug("the coin is bound to no head", Keyring, "coin")
def _coin_of_no_head(true, self, log_id, head):
    return true(self, log_id, b"")
