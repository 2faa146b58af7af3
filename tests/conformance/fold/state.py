"""The state of a log as a value, and the keys of its authors."""

from copy import copy

from engine.table.rounds import round_deck
from tests.conformance import proofs
from tests.netgame.crypto.oracle import hashed

HOST = 255
"""The seat number of the only author before there is a roster (4.1)."""


class Refused(Exception):
    """An entry has failed the check whose name is `check`."""

    def __init__(self, check):
        super().__init__(check)
        self.check = check


def need(holds, check):
    """Raise Refused with this check unless `holds`."""
    if not holds:
        raise Refused(check)


class Deal:
    """A deck being made for a round, by the seats present when it began (4.4)."""

    def __init__(self, fold, round_number, first, keys=None, joint=None):
        self.round, self.authors = round_number, fold.present
        self.decks, self.contexts = (first,), ()
        self.keys, self.joint = keys or {}, joint
        self.stage = "deck" if keys else "key-commit"
        self.commit_ctx, self.commitments = {}, {}


class Deck:
    """The tiles of the round in play: round keys, masked entries, residuals and open tiles."""

    def __init__(self, deal):
        self.keys, self.joint = deal.keys, deal.joint
        self.commit_ctx = deal.commit_ctx
        self.masked, self.next = {}, 0
        self.residuals, self.keepers, self.tiles = {}, {}, {}
        self.settled, self.mixed, self.chains = frozenset(), (), ()

    def with_chain(self, deal, blanks=()):
        """Return a copy with one more chain, whose positions continue the numbering (5.4).

        Only this chain stays masked; positions in `blanks` are left out.
        """
        new = copy(self)
        last = deal.decks[-1]
        new.masked = {self.next + at: e for at, e in enumerate(last) if at not in blanks}
        new.next = self.next + len(last)
        new.chains = (*self.chains, (self.next, deal))
        return new


class Fold:
    """The state that a log has reached."""

    def __init__(self, table):
        self.phase, self.step, self.head = "lobby", 0, bytes(64)
        self.table_id = self.id = self.session = table
        """The table's id, the id that entries carry, and the session's id, which requests name."""
        self.ids, self.sessions = ((0, table),), ()
        self.late = None
        """The fault that a finished step has shown in one of its entries (7.13, 7.14)."""

        # lobby
        self.host, self.settings, self.options = None, None, None
        self.rules_hash, self.chosen = b"", b""
        self.members, self.admitted, self.seating_since = (), {}, 0

        # roster, coin, seats
        self.roster = self.seats = None
        self.roster_step = self.seats_step = None
        self.coins, self.commit_digest, self.fallen = {}, b"", b""
        self.coming, self.voting = (), frozenset()
        self.guests, self.before = frozenset(), None
        self.since_coin = frozenset()
        """The seats present since the last coin, or since the lobby closed."""
        self.gone = frozenset()

        # rounds
        self.spec, self.first, self.table = None, 0, None
        self.deal, self.between, self.deck = None, False, None
        self.history, self.sealed = (), None
        self.rebuilding, self.blinded = False, None

    @property
    def present(self):
        """The seats that are present, or, before there are seats, the members by their numbers."""
        everybody = range(len(self.seats or self.roster or ()))
        return tuple(seat for seat in everybody if seat not in self.gone)

    def author(self, step, seat):
        """Return the key that signs a slot, or None if there is no such slot (7.4, 4.1)."""
        if self.phase == "over" and step >= self.step:
            return None
        if self.roster_step is None or step < self.roster_step:
            return self.host if seat == HOST else None
        keys = self.roster if self.seats_step is None or step < self.seats_step else self.seats
        return keys[seat] if seat < len(keys) else None

    def seat_of(self, key):
        """Return the number of the seat for which this key signs, or None."""
        keys = self.seats or self.roster or ()
        return keys.index(key) if key in keys else None

    @property
    def chair(self):
        """The seat that admits latecomers: the host if present, else the lowest voter (4.8)."""
        host = self.seat_of(self.host)
        voters = [seat for seat in self.present if seat not in self.guests]
        return host if host in self.present else min(voters)

    def id_at(self, step):
        """Return the id that entries of a step carry."""
        return next(each for first, each in reversed(self.ids) if first <= step)

    def ctx(self, phase, seat, round_number=None):
        """Return the context of an entry of the due step (5.2)."""
        number_ = self.table.round_number if round_number is None else round_number
        return hashed("ctx", self.id, number_, phase, seat, self.step, self.head)

    def named(self):
        """Return a dict from the point of each tile of the round to the tile."""
        return {proofs.tile(t): t for t in round_deck(self.spec, self.table.round_number)}
