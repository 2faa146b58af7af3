"""The roster and the coin, which gives a session its id and its seats (5.2).

A session begins once a poll, held after the coin has fallen, decides that nobody goes (4.7).
"""

from engine.table.rounds import next_round_number
from tests.conformance.fold.round import new_deal
from tests.conformance.fold.state import need
from tests.conformance.octets import VERSION
from tests.netgame.crypto.oracle import hashed, number


def check_roster(fold, _, said):
    """Require the digest of this roster and these rules."""
    keys = sorted(fold.author(fold.step, seat) for seat in fold.present)
    need(said.digest == hashed("roster", fold.id, fold.rules_hash, keys), "shape")


def complete_roster(fold, _):
    """Go on to the commitments of the coin."""
    fold.phase = "coin-commit"


def complete_coin_commit(fold, entries):
    """Keep the commitments and their digest; the secrets come next."""
    fold.coins = {each.seat: each.payload.commitment for each in entries}
    fold.phase = "coin-reveal"
    fold.commit_digest = hashed("step", fold.head, [each.body for each in entries])


def check_coin_reveal(fold, entry, said):
    """Require the secret to which the seat has committed itself."""
    key = fold.author(fold.step, entry.seat)
    need(hashed("n", fold.id, key, said.secret) == fold.coins[entry.seat], "proof")


def complete_coin_reveal(fold, entries):
    """Compute the new session's id from the coin (5.2)."""
    shown = {fold.author(fold.step, each.seat): each.payload.secret for each in entries}
    keys = sorted(shown)
    secrets = [shown[key] for key in keys]
    parts = (fold.rules_hash, keys, fold.commit_digest, secrets)
    fold.fallen = hashed("sid", fold.id, VERSION, *parts)
    fold.phase = "coin-fallen"


def begin_session(fold):
    """Begin a session, with a new epoch and a new deal.

    In the first session, seat everybody in the order that the coin gives.
    """
    fold.id = fold.session = fold.fallen
    fold.ids = (*fold.ids, (fold.step, fold.id))
    fold.sessions = (*fold.sessions, (fold.step, fold.id))
    fold.phase, fold.before = "deal", None
    fold.guests, fold.voting = fold.guests - fold.voting, frozenset()
    if fold.table is None:
        keys = (fold.roster[seat] for seat in fold.present)
        fold.seats = tuple(sorted(keys, key=lambda key: hashed("seat", fold.id, key)))
        fold.seats_step, fold.gone = fold.step, frozenset()
        fold.first = who_begins(fold)
    fold.since_coin = frozenset(fold.present)
    fold.deal = new_deal(fold, 0 if fold.table is None else next_round_number(fold.table))


def who_begins(fold):
    """Return the seat of the first player (5.2).

    The coin decides unless a member was chosen. If that member is not seated, the next member who
    is seated begins.
    """
    if not fold.chosen:
        return number("first", fold.id) % len(fold.seats)
    at = fold.members.index(fold.chosen)
    came = (*fold.members[at:], *fold.members[:at])
    return fold.seats.index(next(key for key in came if key in fold.seats))
