"""Records by another revision of the rules, made up from the first octet by who holds all keys.

No rule is read there, so entries of any kind may follow one another, and any seats may go. The
maker reads its own record as the verifier does, to know what the next entry must be linked to and
who decides. The verifier must come to a verdict on each.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.rules.revision import RULES_REVISION
from lab.fuzzing.changed_values import changed
from lab.fuzzing.part import Broken
from lab.simulation.computers.records import file_of, judged
from netgame.crypto.signing import make_signing_key
from netgame.errors import Malformed
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.ledger.signed_log import SignedLog
from netgame.protocol.ledger.verdict import VerdictKind
from netgame.protocol.log.entry import GENESIS, REQUEST_DOMAIN, sign_entry, sign_statement
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import (
    NO_BALLOT,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    author,
    bit,
    seats_in,
)

_SIGNERS: Final = {
    key.public_bytes: key for key in (make_signing_key(bytes([n]) * 32) for n in range(1, 7))
}
_KEYS: Final = tuple(_SIGNERS)
_HOST: Final = _KEYS[0]
_NAMES: Final = ("Ann", "ann", "\u202e", "x" * 64)
_GOES_ON: Final = 0.6
"""How often a step is done, though more seats could write in it."""

_POLL: Final = 0.3
_LEAVES: Final = 0.15
_TWISTED: Final = 0.05


@dataclass(slots=True)
class _Maker:
    """A record in the making: its due step is at `_place`, and `_authors` have written there."""

    chance: Random
    log: SignedLog
    frames: list[wire.RecordEntry | wire.RecordStatement] = field(default_factory=list)
    _place: tuple[int, bytes] = (0, GENESIS)
    _authors: set[int] = field(default_factory=set)

    def write(self, payload: wire.Payload) -> None:
        """Sign an entry as somebody who may; raises `Malformed` where nobody can read on."""
        chance, log = self.chance, self.log
        is_done = self._authors >= {*self._seats()} or chance.random() < _GOES_ON
        if is_done and self._authors:
            log.close()
            self._go_on()
        seat = chance.choice([each for each in self._seats() if each not in self._authors])
        now = log.company.now
        body = wire.Body(now.id, *self._place, seat, chance.randrange(2), payload)
        signed = sign_entry(_SIGNERS[now.keys[seat] if now.keys else _HOST], body)
        self._authors.add(seat)
        self.frames.append(wire.RecordEntry(signed))
        log.take(signed)

    def _seats(self) -> tuple[int, ...]:
        now = self.log.company.now
        return now.present if now.keys else (wire.CHAIR,)

    def _go_on(self) -> None:
        self._place, self._authors = (self.log.step, self.log.head), set()

    def any_payload(self) -> wire.Payload:
        """An entry of a kind that means the same under any rules."""
        chance = self.chance
        match chance.randrange(10):
            case 0 | 1 | 2:
                return self._request()
            case 3 | 4:
                return wire.Dismiss(chance.choice(_KEYS))
            case 5 | 6:
                return wire.Close()
            case 7:
                return wire.CoinCommit(bytes(64))
            case 8:
                return wire.CoinReveal(chance.randbytes(32))
            case _:
                asked = tuple(self._request() for _ in range(chance.randrange(4)))
                return wire.RoundOver((0,) * chance.randrange(4), asked)

    def _request(self) -> wire.Admit:
        key, now = self.chance.choice(_KEYS), self.log.company.now
        name = self.chance.choice(_NAMES)
        octets = encode(wire.JoinRequest(now.session, self.log.step, key, name, (), bot=False))
        return wire.Admit(octets, _SIGNERS[key].sign(REQUEST_DOMAIN, octets))

    def decide(self) -> None:
        """Have all who vote decide who goes, most of them in one ballot, some by leaving."""
        chance, poll, epoch = self.chance, self.log.poll, self.log.company.now
        voters = seats_in(poll.cut.company)
        ballot = Ballot(chance.randrange(1, 4), chance.choice(voters))
        place = chance.choice((self._place, (self.log.step + 1, self.log.head)))
        goes = chance.getrandbits(len(epoch.keys))
        for seat in voters:
            by, here = (poll.id, poll.number, seat), (*place, place[0])
            if chance.random() < _LEAVES:
                self._say(epoch.keys, Parting(*by, NO_BALLOT, *here, b""))
            else:
                self._say(epoch.keys, Promise(*by, ballot, *here, goes & ~bit(seat), b""))
        found = best_proposal(poll.cut, ballot)
        if found is not None:
            value, counted = found
            proposal = Proposal(poll.id, poll.number, ballot, *value, counted)
            name = self._say(epoch.keys, proposal)
            for seat in voters:
                self._say(epoch.keys, Accept(poll.id, poll.number, seat, name))
        if self.log.step != self._place[0] or self.log.company.now is not epoch:
            self._go_on()

    def _say(self, keys: Sequence[bytes], statement: Statement) -> bytes:
        """Sign a statement, now and then a twisted one, and return its name."""
        signer = _SIGNERS[keys[author(statement)]]
        if self.chance.random() < _TWISTED:
            statement = changed(self.chance, statement, tuple(self.log.poll.said))
        try:
            said = sign_statement(signer, statement)
        except Malformed:
            return b""
        self.frames.append(wire.RecordStatement(said.signed))
        self.log.hear(said)
        return said.name


def made_up(chance: Random) -> bool:
    """A record of another revision in which every seat lies."""
    rules = wire.Settings("standard", (), 6, 4, 1, 4, (), RULES_REVISION + 1)
    offer = wire.OpenTable(_HOST, bytes(32), rules)
    maker = _Maker(chance, SignedLog(offer))
    maker.write(offer)
    with suppress(Malformed):
        for _ in range(chance.randrange(4, 60)):
            if maker.log.poll.cut.company and chance.random() < _POLL:
                maker.decide()
            else:
                maker.write(maker.any_payload())
    verdict = judged(file_of((wire.RecordHeader(PROTOCOL_VERSION), *maker.frames)))
    if verdict.ok or verdict.kind is VerdictKind.RECORD:
        raise Broken("a record of other rules was found good")
    return verdict.kind is VerdictKind.OTHER_REVISION
