"""Logs written entry by entry with all keys of a table, even with entries no program would sign.

All secrets follow from the name of the log or from a seed, so the log is the same every time.
"""

from netgame.crypto import keys, shuffle
from netgame.crypto.coin import coin_commitment, table_id
from netgame.crypto.group import encode as octets_of
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.log.entry import (
    REQUEST_DOMAIN,
    read_entry,
    read_statement,
    sign_entry,
    sign_statement,
)
from netgame.protocol.state.deal import context_at
from netgame.protocol.state.lobby import agreed_digest
from netgame.protocol.state.revision import offered
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import NO_BALLOT, Accept, Ballot, Parting, Promise, Proposal
from tests.netgame.games import due_body
from tests.vectors.log_cases import Replay, frames_of, signed_in

SEATS_MOST = 4
"""The most seats of a good log that a case follows."""
PLAIN = offered(wire.Settings("standard", (), 6, 2, 1, 1))


class ByHand:
    """A table and its log so far; `signed` are its entries and statements.

    `host` is the key that signs for the chair, by default that of the first person.
    """

    def __init__(self, name, settings=PLAIN, host=None):
        self.draw = expand(bytes(32), "by hand", name.encode())
        self.settings = settings
        self.people = [make_signing_key(self.draw(32)) for _ in range(settings.seats)]
        self.host = host or self.people[0]
        self.nonce = self.draw(32)
        self.signed = []
        self.replay = Replay(table_id(self.host.public_bytes, self.nonce))
        self.secrets = {}

    @classmethod
    def following(cls, octets, seed, until):
        """Return a log that ends before the first entry that `until` accepts.

        `octets` is a good record, and everybody's keys follow from `seed`. `until` is called with
        the state and the entry. Raise AssertionError if it accepts no entry.
        """
        log = cls.__new__(cls)
        frames = list(map(signed_in, frames_of(octets)))
        log.people = [make_signing_key(expand(seed, "identity", n)(32)) for n in range(SEATS_MOST)]
        log.host, log.secrets = log.people[0], {}
        log.replay, log.signed, log.rest = Replay(read_entry(frames[0]).id), [], []
        for at, each in enumerate(frames):
            if isinstance(each, wire.SignedEntry) and until(log.state, read_entry(each)):
                log.rest = frames[at:]
                return log
            log.put(each)
        raise AssertionError("this game never comes there")

    def written(self, seat):
        """Return the payload that a seat writes for the due step in the log that `self` follows."""
        entries = (read_entry(each) for each in self.rest if isinstance(each, wire.SignedEntry))
        due = (each for each in entries if (each.step, each.seat) == (self.state.step, seat))
        return next(due).payload

    @property
    def ledger(self):
        """The program's ledger of the log."""
        return self.replay.ledger

    @property
    def state(self):
        """The state at the end of the log."""
        return self.ledger.state

    def fork(self):
        """Return a copy that continues separately, with the same secrets."""
        other = ByHand.__new__(ByHand)
        other.__dict__ = {**self.__dict__, "replay": self.replay.fork()}
        other.signed, other.secrets = list(self.signed), dict(self.secrets)
        return other

    # ---- signing --------------------------------------------------------------------------

    def body(self, seat, payload, **changes):
        """Return the body that a seat signs for the due step, with `changes` to its fields."""
        return due_body(self.ledger, seat, payload, **changes)

    def signer(self, seat, step=None):
        """Return the key that signs for a seat or the chair at a step, by default the due one."""
        key = self.state.author_key(self.state.step if step is None else step, seat)
        return next((each for each in self.people if each.public_bytes == key), self.host)

    def entry(self, seat, payload, by=None, **changes):
        """Return an entry of a seat for the due step, signed by seat `by` if given."""
        signer = self.signer(seat if by is None else by)
        return sign_entry(signer, self.body(seat, payload, **changes))

    def entries(self, seat, payloads):
        """Return an entry of a seat for each of these payloads, by the same names."""
        return {name: self.entry(seat, payload) for name, payload in payloads.items()}

    def request(self, person, **changes):
        """Return the payload that admits a person: their signed join request, with `changes`."""
        state = self.state
        fields = {"table": state.session, "step": state.step, "key": person.public_bytes}
        fields |= {"name": "Ann", "addresses": (), "played_by": wire.PlayedBy.TERMINAL}
        asked = encode(wire.JoinRequest(**{**fields, **changes}))
        return wire.Admit(asked, person.sign(REQUEST_DOMAIN, asked))

    # ---- the log --------------------------------------------------------------------------

    def put(self, *signed):
        """Add entries and statements to the log; all of them must be good."""
        for each in signed:
            assert self.replay.offer(each) is None, each
            self.signed.append(each)

    def write(self, seat, payload):
        """Add a seat's entry with this payload to the log."""
        self.put(self.entry(seat, payload))

    def all_write(self, payload_of):
        """Add an entry of every present seat to the log, in seat order.

        `payload_of` makes all payloads before the first entry is added.
        """
        payloads = {seat: payload_of(seat) for seat in self.state.present}
        self.put(*(self.entry(seat, payload) for seat, payload in payloads.items()))

    def open(self):
        """Return the entry that opens the table."""
        return self.entry(255, wire.OpenTable(self.host.public_bytes, self.nonce, self.settings))

    def sit(self, *people):
        """Open the table if it is not open, and admit people, by default everybody.

        Return the log itself.
        """
        if not self.state.step:
            self.put(self.open())
        for each in people or self.people:
            self.write(255, self.request(each))
        return self

    def form(self):
        """Close the lobby, and go on to the first deal; return the log itself."""
        self.write(255, wire.Close(b""))
        coin, state = self.draw(32), self.state
        self.all_write(lambda _: wire.Roster(agreed_digest(state)))
        keys_of = self.state.company.now.keys
        self.all_write(
            lambda seat: wire.CoinCommit(coin_commitment(state.log_id, keys_of[seat], coin))
        )
        self.all_write(lambda _: wire.CoinReveal(coin))
        self.put(*self.decided())
        return self

    # ---- a poll ---------------------------------------------------------------------------

    def say(self, seat, statement):
        """Return this statement, signed by a seat."""
        return sign_statement(self.signer(seat), statement).signed

    def _end(self, seat):
        """Return the fields of a statement about the open poll and the present end of the log."""
        state = self.state
        said = {"id": state.log_id, "poll": self.ledger.poll.number, "seat": seat}
        said |= {"step": state.step, "head": state.head, "last": state.step - 1}
        return said | {"accepted": b""}

    def promise(self, seat, ballot=None, without=0, **changes):
        """Return a promise of a seat, by default in a ballot of its own."""
        said = {"ballot": Ballot(*ballot or (1, seat)), "without": without}
        return self.say(seat, Promise(**self._end(seat) | said | changes))

    def parting(self, seat, promised=NO_BALLOT, **changes):
        """Return a signed parting of a seat, which by default has promised in no ballot."""
        return self.say(
            seat, Parting(**self._end(seat) | {"promised": Ballot(*promised)} | changes)
        )

    def proposal(self, ballot, goes, counted, **changes):
        """Return a proposal by the owner of `ballot` that counts these statements."""
        end = self._end(ballot[1]) | changes
        names = tuple(sorted(map(self.name_of, counted)))
        value = (Ballot(*ballot), goes, end["step"], end["head"])
        return self.say(ballot[1], Proposal(end["id"], end["poll"], *value, names))

    def accept(self, seat, proposal, **changes):
        """Return a seat's signed accept of a proposal."""
        end = self._end(seat) | changes
        return self.say(seat, Accept(end["id"], end["poll"], seat, self.name_of(proposal)))

    def decided(self, goes=0, silent=0, voters=None, owner=None, partings=(), **changes):
        """Return the statements that decide the open poll, by all who stay except the `silent`.

        `goes` and `silent` are bit sets of seats. `voters` and the `owner` of the ballot may be
        given instead. The proposal counts the `partings`, but they are not returned.
        """
        here = self.state.present
        voters = voters or [seat for seat in here if not (goes | silent) >> seat & 1]
        ballot, without = (1, voters[0] if owner is None else owner), 0 if partings else goes
        promises = [self.promise(seat, ballot, without, **changes) for seat in voters]
        proposal = self.proposal(ballot, goes, [*promises, *partings], **changes)
        half = voters[: len(here) // 2 + 1]
        return [*promises, proposal, *(self.accept(seat, proposal, **changes) for seat in half)]

    @staticmethod
    def name_of(signed):
        """Return the name by which other statements refer to this one."""
        return read_statement(signed).name

    # ---- a deal ---------------------------------------------------------------------------

    def commit(self, xs=None):
        """Have all present seats commit to a round key, and return the log itself.

        `xs` gives the secrets of some seats; the others draw theirs.
        """
        state = self.state
        for seat in state.present:
            drawn = keys.make_round_secret(self.draw)
            self.secrets[seat] = keys.RoundSecret((xs or {}).get(seat, drawn.x), drawn.rand)

        def commitment(seat):
            ctx = context_at(state, "key-commit", seat)
            return wire.KeyCommit(0, keys.key_commitment(ctx, self.secrets[seat]))

        self.all_write(commitment)
        return self

    def opening(self, seat):
        """Return a valid opening of a seat's key."""
        state = self.state
        ctx = context_at(state, "key-open", seat)
        return wire.KeyOpen(0, octets_of(keys.open_key(ctx, self.secrets[seat])))

    def mixed(self):
        """Have the seats shuffle the deck one after another; return a valid proof for each seat."""
        proofs = {}
        for seat in self.state.deal.authors:
            state, deal = self.state, self.state.deal
            given, ctx = deal.decks[-1], context_at(state, "deck", seat)
            secret = shuffle.make_shuffle_secret(len(given), self.draw)
            made = shuffle.shuffle(given, deal.joint, secret)
            proof = shuffle.prove_shuffle(ctx, deal.joint, given, made, secret, self.draw)
            proofs[seat] = wire.Proof(deal.round_number, octets_of(proof))
            self.write(seat, wire.Deck(deal.round_number, octets_of(made)))
        return proofs
