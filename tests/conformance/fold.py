"""The log of protocol.md 4 folded: what is due, what an entry must be, what a step brings.

Written from the page; the rules of the game are those of `engine`. A check gives the name of the
check that fails, or None. A fold never changes what it holds, so `copy` takes a position.
"""

from __future__ import annotations

from copy import copy

from engine.audit import audit
from engine.play.apply import apply, score_round
from engine.play.calls import apply_calls, calls_due
from engine.play.due import as_left, due_seats, in_step_order
from engine.play.hub_outcome import reshuffled
from engine.play.hub_search import turned_now
from engine.play.judge import hidden_claim, unseen_tiles, why_illegal
from engine.play.latecomers import with_seats
from engine.play.leavers import leave, rebuilt, void_round
from engine.rules.choose import RuleProblem, parse_rules
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import First, Partners
from engine.table.moves import Catch, DrawTile, Quiet, TurnUp, shows
from engine.table.rounds import (
    next_round,
    next_round_number,
    round_deck,
    start_game,
    with_positions,
)
from engine.table.table import CALLED_OFF, ENDED, Ending
from engine.table.table import RoundPhase as At
from engine.table.trains import Seat
from engine.tiles import make_tile
from tests.conformance import proofs
from tests.conformance.moves import TURNS, called, move_of
from tests.conformance.octets import PAGE, Malformed, mask, message, seats_of
from tests.netgame.crypto.oracle import hashed, number

HOST = 255
LATE = 4
STAGES = ("key-commit", "key-open", "deck", "proof", "checked")
EVERYBODY = {
    "roster": ("roster",),
    "coin-commit": ("coin-commit",),
    "coin-reveal": ("coin-reveal",),
    "calls": ("act",),
    "opening-commit": ("opening-commit",),
    "rebuild": ("rebuild",),
    "blind": ("blind",),
    "unblind": ("unblind",),
    "open": ("open",),
    "score": ("round-over",),
    "audit": ("keys",),
}
"""Phases in which all that are there write, and what (4.4)."""


class Refused(Exception):
    """An entry fails the check of this name."""

    def __init__(self, check):
        super().__init__(check)
        self.check = check


def need(holds, check):
    """Refuse an entry unless something holds."""
    if not holds:
        raise Refused(check)


class Deal:
    """A deck in the making: for a round, by the seats that were there when it began (4.4)."""

    def __init__(self, fold, round_number, first, keys=None, joint=None):
        self.round, self.authors = round_number, fold.present
        self.decks, self.contexts = (first,), ()
        self.keys, self.joint = keys or {}, joint
        self.stage = "deck" if keys else "key-commit"
        self.commit_ctx, self.commitments, self.seeds = {}, {}, {}
        self.proof_step = None


class Deck:
    """The tiles of the round in play: who has which key, what is masked how, what is open."""

    def __init__(self, deal):
        self.keys, self.joint = deal.keys, deal.joint
        self.commit_ctx, self.seeds = deal.commit_ctx, deal.seeds
        self.masked, self.next = {}, 0
        self.residuals, self.keepers, self.tiles = {}, {}, {}
        self.settled, self.mixed, self.chains = frozenset(), (), ()

    def with_chain(self, deal, blanks=()):
        """Give the deck with a further chain, whose positions count on (5.4)."""
        new = copy(self)
        last = deal.decks[-1]
        new.masked = {self.next + at: e for at, e in enumerate(last) if at not in blanks}
        new.next = self.next + len(last)
        new.chains = (*self.chains, (self.next, deal))
        return new


class Fold:
    """All that a log says so far."""

    def __init__(self, table):
        self.phase, self.step, self.head = "lobby", 0, bytes(64)
        self.table_id = self.id = table
        self.ids = ((0, table),)
        self.host, self.settings, self.options = None, None, None
        self.members, self.roster, self.seats = (), None, None
        self.roster_step = self.seats_step = None
        self.sat_down = {}
        self.gone = frozenset()
        self.coins, self.commit_digest = {}, b""
        self.spec, self.first, self.table = None, 0, None
        self.deal, self.between, self.deck = None, False, None
        self.history, self.sealed = (), None
        self.rebuilding, self.blinded = False, None
        self.coming, self.seating_since, self.admitted = (), 0, {}
        self.newcomers, self.before = frozenset(), None
        self.late = None

    # ---- who is who ---------------------------------------------------------------------------

    @property
    def present(self):
        """Give the seats that are there, or the members, as entries number them."""
        everybody = range(len(self.seats or self.roster or ()))
        return tuple(seat for seat in everybody if seat not in self.gone)

    def author(self, step, seat):
        """Give the key that signs a slot; None if there is no such slot (7.4, 4.1)."""
        if self.phase == "over" and step >= self.step:
            return None
        if self.roster_step is None or step < self.roster_step:
            return self.host if seat == HOST else None
        keys = self.roster if self.seats_step is None or step < self.seats_step else self.seats
        return keys[seat] if seat < len(keys) else None

    def seat_of(self, key):
        """Give the number under which somebody writes."""
        keys = self.seats or self.roster or ()
        return keys.index(key) if key in keys else None

    @property
    def chair(self):
        """Give the seat that may seat others (4.8)."""
        host = self.seat_of(self.host)
        return host if host in self.present else min(self.present)

    def id_at(self, step):
        """Give the id that entries of a step carry."""
        return next(each for first, each in reversed(self.ids) if first <= step)

    def ctx(self, phase, seat, round_number=None):
        """Give the context of an entry of the due step (5.2)."""
        number_ = self.table.round_number if round_number is None else round_number
        return hashed("ctx", self.id, number_, phase, seat, self.step, self.head)

    # ---- what is due --------------------------------------------------------------------------

    def due(self):
        """Give who must write now, and the kinds of entry that they may write (4.4)."""
        phase = self.phase
        if phase == "lobby":
            kinds = ("open-table",) if self.step == 0 else ("admit", "dismiss", "close")
            return (HOST,), kinds
        if phase == "deal" or (phase == "play" and self.between):
            one = self.deal.authors[len(self.deal.contexts) % len(self.deal.authors)]
            authors = (one,) if self.deal.stage == "deck" else self.deal.authors
            return authors, (self.deal.stage,)
        if phase == "play":
            kinds = ("opening-reveal",) if self.sealed else ("lay", "draw", "pass", "act")
            return tuple(due_seats(self.table)), kinds
        if phase in ("shares", "drawn"):
            return self.owing(), ("shares",)
        if phase == "hand-over":
            return tuple(sorted(seat for seat, _ in self.table.reshuffle.hidden)), ("hand-over",)
        if phase == "mix-hand":
            return self.to_mix(), ("mix-hand",)
        return (self.present, EVERYBODY[phase]) if phase != "over" else ((), ())

    def check(self, entry):
        """Refuse an entry of a slot that is due, by 7.9 to 7.12."""
        need(entry.kind in self.due()[1], "kind")
        if entry.kind in STAGES:
            need(entry.payload.round == self.deal.round, "kind")
        try:
            getattr(self, "check_" + entry.kind.replace("-", "_"))(entry, entry.payload)
        except Malformed:
            raise Refused("shape") from None

    def complete(self, entries):
        """Move on by a step that has all its entries."""
        self.late = None
        kind = entries[0].kind
        name = "deal_stage" if kind in STAGES else kind.replace("-", "_")
        name = "turn" if kind in TURNS and self.phase == "play" else name
        getattr(self, "complete_" + name)(sorted(entries, key=lambda each: each.seat))
        self.close(entries)

    def close(self, entries):
        """Give the step its digest (4.2)."""
        ordered = sorted(entries, key=lambda each: (each.seat, each.kind == "missing"))
        self.head = hashed("step", self.head, [each.body for each in ordered])
        self.step += 1

    # ---- lobby --------------------------------------------------------------------------------

    def spec_of(self, seats):
        """Give the table that the offer makes for so many, or what speaks against it."""
        offer = self.settings
        rules = parse_rules(offer.preset, dict(_word(each) for each in offer.switches))
        if isinstance(rules, RuleProblem):
            return rules
        return make_spec(rules, offer.pip_max, seats, offer.rounds or None, offer.hand or None)

    def check_open_table(self, _, said):
        """Rules and options exist."""
        probe = copy(self)
        probe.settings = said.settings
        for word in said.settings.options:
            name, value = _word(word)
            need(value in OPTIONS.get(name, ()), "rules")
        need(not isinstance(probe.spec_of(said.settings.seats), RuleProblem), "rules")

    def complete_open_table(self, entries):
        """Now the host and the offer are known."""
        said = entries[0].payload
        self.host, self.settings = said.host, said.settings
        chosen = {name: values[0] for name, values in OPTIONS.items()}
        self.options = chosen | dict(map(_word, said.settings.options))
        self.rules_hash = hashed("rules", _octets_of_settings(entries[0].body))

    def request(self, octets, signature):
        """Read a join request (3.3)."""
        read = message(octets, "JoinRequest", limit=1024)
        need(proofs.is_key(read.key), "shape")
        need(proofs.signed(read.key, "boneyard/v1/join", octets, signature), "shape")
        return read

    def is_for_now(self, request):
        """Whether a request is for the seating that is open: good once (3.3, 4.8)."""
        since = self.seating_since
        if self.phase == "lobby":
            since = max(since, self.admitted.get(request.key, -1) + 1)
        return request.table == self.id and since <= request.step <= self.step

    def check_admit(self, _, said):
        """Somebody new, who has asked, and a seat for them."""
        request = self.request(said.request, said.signature)
        need(self.is_for_now(request), "shape")
        need(request.key not in self.members and len(self.members) < self.settings.seats, "shape")

    def complete_admit(self, entries):
        """One more."""
        said = entries[0].payload
        key = self.request(said.request, said.signature).key
        self.members = (*self.members, key)
        self.admitted = {**self.admitted, key: self.step}

    def check_dismiss(self, _, said):
        """Somebody who is there."""
        need(said.key in self.members, "shape")

    def complete_dismiss(self, entries):
        """One fewer."""
        gone = entries[0].payload.key
        self.members = tuple(key for key in self.members if key != gone)

    def check_close(self, _, said):
        """The rules allow a table of so many, and that somebody is named who plays first."""
        spec = self.spec_of(len(self.members))
        need(isinstance(spec, TableSpec), "rules")
        chosen = spec.rules.first is First.CHOSEN_ROTATE
        need(said.first in self.members if chosen else not said.first, "rules")

    def complete_close(self, entries):
        """The roster is fixed."""
        self.chosen = entries[0].payload.first
        self.roster, self.roster_step = tuple(sorted(self.members)), self.step + 1
        self.spec, self.phase = self.spec_of(len(self.members)), "roster"

    # ---- roster and coin ----------------------------------------------------------------------

    def check_roster(self, _, said):
        """The same roster and rules."""
        keys = sorted(self.author(self.step, seat) for seat in self.present)
        need(said.digest == hashed("roster", self.id, self.rules_hash, keys), "shape")

    def complete_roster(self, _):
        """On to the coin."""
        self.phase = "coin-commit"

    def check_coin_commit(self, _entry, _said):
        """Nothing can be wrong yet."""

    def complete_coin_commit(self, entries):
        """All are bound."""
        self.coins = {each.seat: each.payload.commitment for each in entries}
        self.phase = "coin-reveal"
        self.commit_digest = hashed("step", self.head, [each.body for each in entries])

    def check_coin_reveal(self, entry, said):
        """What was committed to."""
        key = self.author(self.step, entry.seat)
        need(hashed("n", self.id, key, said.secret) == self.coins[entry.seat], "proof")

    def complete_coin_reveal(self, entries):
        """A session, and the first time seats (5.2)."""
        shown = {self.author(self.step, each.seat): each.payload.secret for each in entries}
        keys = sorted(shown)
        secrets = [shown[key] for key in keys]
        parts = (self.rules_hash, keys, self.commit_digest, secrets)
        self.id = hashed("sid", self.id, VERSION, *parts)
        self.ids = (*self.ids, (self.step + 1, self.id))
        self.phase, self.newcomers, self.before = "deal", frozenset(), None
        if self.table is None:
            self.seats = tuple(sorted(keys, key=lambda key: hashed("seat", self.id, key)))
            self.seats_step, self.gone = self.step + 1, frozenset()
            self.first = self.who_begins()
        self.deal = self.new_deal(0 if self.table is None else next_round_number(self.table))

    def who_begins(self):
        """Give the first player: by the coin, or whom the table has named, or the next (5.2)."""
        if not self.chosen:
            return number("first", self.id) % len(self.seats)
        at = self.members.index(self.chosen)
        came = (*self.members[at:], *self.members[:at])
        return self.seats.index(next(key for key in came if key in self.seats))

    # ---- deals --------------------------------------------------------------------------------

    def new_deal(self, number_):
        """Give a deal of a round from its first stage (5.4)."""
        first = tuple((None, proofs.tile(t)) for t in round_deck(self.spec, number_))
        return Deal(self, number_, first)

    def mix(self, first):
        """Give a chain in mid-round, under the keys of the round."""
        return Deal(self, self.table.round_number, first, self.deck.keys, self.deck.joint)

    def check_key_commit(self, _, said):
        """As long as the table asks for."""
        need(len(said.seed) == (64 if self.options["audit"] == "seeds" else 0), "shape")

    def check_key_open(self, entry, said):
        """What was committed to, by who knows its secret."""
        opening, deal = proofs.key_opening(said.opening), self.deal
        ctx = self.ctx("key-open", entry.seat, deal.round)
        commitment, commit_ctx = deal.commitments[entry.seat], deal.commit_ctx[entry.seat]
        need(proofs.key_holds(commitment, commit_ctx, opening, ctx), "proof")

    def check_deck(self, _, said):
        """As many entries, all points."""
        proofs.deck(said.deck, len(self.deal.decks[0]))

    def check_proof(self, _, said):
        """All points and scalars."""
        proofs.shuffle_proof(said.proof, len(self.deal.decks[0]))

    def check_checked(self, _entry, _said):
        """Nothing but the round."""

    def complete_deal_stage(self, entries):
        """Another stage of the deal is done."""
        deal = self.deal = copy(self.deal)
        following = STAGES.index(deal.stage) + 1
        if deal.stage == "key-commit":
            deal.commitments = {each.seat: each.payload.commitment for each in entries}
            deal.seeds = {each.seat: each.payload.seed for each in entries}
            deal.commit_ctx = {
                seat: self.ctx("key-commit", seat, deal.round) for seat in deal.authors
            }
        elif deal.stage == "key-open":
            opened = {each.seat: proofs.key_opening(each.payload.opening)[0] for each in entries}
            deal.keys, deal.joint = opened, proofs.joint(list(opened.values()))
            if deal.joint is None:
                keys = list(opened.values())
                twice = [seat for at, seat in enumerate(opened) if keys[at] in keys[:at]]
                culprit = (twice or [entries[-1].seat])[0]
                self.late = ("proof", next(e for e in entries if e.seat == culprit))
        elif deal.stage == "deck":
            (each,) = entries
            deal.decks = (*deal.decks, proofs.deck(each.payload.deck, len(deal.decks[0])))
            deal.contexts = (*deal.contexts, self.ctx("deck", each.seat, deal.round))
            if len(deal.contexts) < len(deal.authors):
                following -= 1
        elif deal.stage == "proof":
            deal.proof_step = self.step
            self.late = self.bad_link(entries)
        deal.stage = STAGES[following] if following < len(STAGES) else "whole"
        if self.between:
            self.between = False
        elif deal.stage == "whole":
            self.chain_done()

    def bad_link(self, entries):
        """Give the first link, in seat order, whose proof does not hold (7.13)."""
        deal = self.deal
        for at, each in enumerate(entries):
            statement = (deal.contexts[at], deal.joint, deal.decks[at], deal.decks[at + 1])
            if not proofs.shuffle_holds(*statement, each.payload.proof):
                return "shuffle", each
        return None

    def chain_done(self):
        """A chain that the table has waited for is checked by all."""
        if self.rebuilding:
            self.phase, self.blinded = "blind", None
        elif self.table is not None and self.table.phase is At.RESHUFFLE:
            self.resume()
        else:
            self.begin_round()

    def begin_round(self):
        """Hands are dealt, or a tile each is turned up for the first turn."""
        deal = self.deal
        first = self.table is None
        self.table = start_game(self.spec, Seat(self.first)) if first else next_round(self.table)
        self.deck, self.deal, self.history = Deck(deal).with_chain(deal), None, ()
        self.phase = "shares"
        if self.table.phase is At.HIGH_DRAW:
            self.follow()

    def resume(self, deal=None):
        """The new boneyard is mixed; if it was mixed to be dealt, hands are."""
        deal = deal or self.deal
        self.deck = self.deck.with_chain(deal)
        self.table = reshuffled(self.table, tuple(self.deck.masked))
        self.deal = None
        if any(at in self.deck.masked for held in self.table.hands for at in held):
            self.phase = "shares"
            return
        self.next_deal()
        self.follow()

    def next_deal(self):
        """The deal of the next round stands between the turns of this one from now on."""
        following = self.table.round_number + 1
        if following < self.spec.rounds:
            self.deal = self.new_deal(following)

    # ---- shares -------------------------------------------------------------------------------

    def lacking(self):
        """Give, for each position that somebody is to see, whose shares are lacking."""
        table, deck, everybody = self.table, self.deck, frozenset(self.present)
        found = {
            at: everybody - {seat}
            for seat, held in enumerate(table.hands)
            for at in held
            if at not in deck.residuals
        }
        for seat, at, by_all in turned_now(table):
            if at not in deck.residuals:
                found[at] = everybody if by_all else everybody - {seat}
            elif by_all and at not in deck.tiles:
                found[at] = frozenset({deck.keepers[at]})
        return found

    def owing(self):
        """Give the seats that owe shares."""
        return tuple(sorted(frozenset().union(*self.lacking().values())))

    def owed_by(self, seat):
        """Give the positions for which a seat owes a share, ascending."""
        return tuple(sorted(at for at, seats in self.lacking().items() if seat in seats))

    def check_shares(self, entry, said):
        """One token a position."""
        positions = self.owed_by(entry.seat)
        tokens, proof = proofs.points(said.tokens, len(positions)), proofs.reveal_proof(said.proof)
        As = [self.deck.masked[at][0] for at in positions]
        X, ctx = self.deck.keys[entry.seat], self.ctx("shares", entry.seat)
        need(proofs.reveal_holds(X, ctx, positions, As, tokens, proof), "proof")

    def complete_shares(self, entries):
        """What is left of each position only its holder can open, or all can."""
        tokens = {}
        for each in entries:
            positions = self.owed_by(each.seat)
            given = proofs.points(each.payload.tokens, len(positions))
            for at, token in zip(positions, given, strict=True):
                tokens.setdefault(at, []).append(token)
        deck = self.deck = copy(self.deck)
        opened = {
            at: proofs.residual(deck.residuals.get(at, deck.masked[at]), given)
            for at, given in tokens.items()
        }
        deck.residuals = {**deck.residuals, **opened}
        self.turn_up()
        if self.phase == "shares":
            held = (at for hand in self.table.hands for at in hand)
            self.deck.settled = frozenset(held)
            self.next_deal()
        self.follow()

    def turn_up(self):
        """Tiles that were waited for are turned up, or looked at: no entry says so."""
        deck, table = self.deck, self.table
        for seat, at, by_all in turned_now(table):
            shown = self.named()[deck.residuals[at][1]] if by_all else None
            if by_all:
                deck.tiles = {**deck.tiles, at: shown}
            else:
                deck.keepers = {**deck.keepers, at: seat}
            move = TurnUp(seat, at, shown)
            self.history = (*self.history, (table, move))
            table, _ = apply(table, move)
        self.table = table

    def named(self):
        """Give the tiles of the round by their points."""
        return {proofs.tile(t): t for t in round_deck(self.spec, self.table.round_number)}

    # ---- what follows (4.4) -------------------------------------------------------------------

    def follow(self, *, ended=False, called=False):
        """Find the phase that follows a step of a round."""
        table = self.table
        if table.phase is At.RESHUFFLE:
            self.between = False
            if table.reshuffle.hidden:
                self.phase = "hand-over"
            else:
                self.mix_boneyard(())
        elif self.lacking():
            self.phase = "drawn"
        elif table.phase is At.OPENING_ALL and not (table.aside.finished or table.aside.drew):
            self.phase, self.sealed = "opening-commit", None
        elif ended and not called and calls_due(table):
            self.phase = "calls"
        elif ended and self.to_mix():
            self.phase = "mix-hand"
        elif table.outcome is not None and table.outcome.ending is Ending.REDEAL:
            self.phase, self.between = "deal", False
            self.deal = self.new_deal(table.round_number)
        elif table.phase is not At.OVER:
            self.phase = "play"
            self.between = ended and self.deal is not None and self.deal.stage != "whole"
        else:
            self.phase = "open"

    # ---- turns --------------------------------------------------------------------------------

    def check_turn(self, entry, said, kind):
        """A move, allowed, opened, and what it claims proved, in the order of section 7."""
        move = move_of(entry.seat, said)
        need(move is not None, "shape")
        need(not isinstance(move, Quiet | Catch), "kind")
        need(why_illegal(self.table, move) is None, "rules")
        opened = self.opened(move, said, kind)
        claim = self.claim(move, said, kind)
        if claim == "impossible":
            raise Refused("proof")
        if opened is not None:
            self.prove_shown(opened)
        if claim is not None:
            need(proofs.hand_holds(*claim), "proof")

    def opened(self, move, said, kind):
        """Decode what opens the tiles that a move shows and that do not lie open already."""
        shown = [(at, t) for at, t in shows(move) if at not in self.deck.tiles]
        tokens = said.fields.get("token", said.fields.get("tokens", b""))
        proof = said.fields.get("proof", b"") if kind in ("lay", "act") else b""
        if not shown:
            need(not tokens and not proof, "shape")
            return None
        positions = tuple(at for at, _ in shown)
        wanted = [proofs.tile(t) for _, t in shown]
        decoded = proofs.points(tokens, len(shown)), proofs.reveal_proof(proof)
        return move.seat, self.ctx(kind, move.seat), positions, *decoded, wanted

    def prove_shown(self, opened):
        """Tokens are those of their seat, and the tiles those of their positions."""
        seat, ctx, positions, tokens, proof, wanted = opened
        left = [self.deck.residuals[at] for at in positions]
        X, As = self.deck.keys[seat], [A for A, _ in left]
        need(proofs.reveal_holds(X, ctx, positions, As, tokens, proof), "proof")
        points = [
            proofs.residual(each, [token])[1] for each, token in zip(left, tokens, strict=True)
        ]
        need(points == wanted, "proof")

    def claim(self, move, said, kind):
        """Decode what a move claims of the hand: the arguments of its proof, or None."""
        octets = {"lay": b"", "act": said.fields.get("claim", b"")}.get(
            kind, said.fields.get("proof", b"")
        )
        denied = hidden_claim(self.table, move)
        shown = dict(shows(move))
        positions = tuple(sorted(at for at in self.table.hands[move.seat] if at not in shown))
        if denied is None or not positions:
            need(not octets, "shape")
            return None
        gone = {*denied, *shown.values()}
        tiles = tuple(t for t in map(tuple, unseen_tiles(self.table)) if t not in gone)
        if not tiles:
            return "impossible"
        proof = proofs.hand_proof(octets, len(tiles))
        residuals = tuple(self.deck.residuals[at] for at in positions)
        ctx, X = self.ctx(kind, move.seat), self.deck.keys[move.seat]
        return ctx, X, positions, residuals, tiles, proof

    def check_lay(self, entry, said):
        """A turn."""
        self.check_turn(entry, said, "lay")

    def check_draw(self, entry, said):
        """A turn."""
        self.check_turn(entry, said, "draw")

    def check_pass(self, entry, said):
        """A turn."""
        self.check_turn(entry, said, "pass")

    def check_act(self, entry, said):
        """A turn, or, where all may speak, a call."""
        if self.phase != "calls":
            self.check_turn(entry, said, "act")
            return
        move = called(entry.seat, said)
        need(move is not None and not (said.tokens or said.proof or said.claim), "shape")
        need(why_illegal(self.table, move) is None, "rules")

    def complete_turn(self, entries):
        """Moves of one step are made in the order of the rules."""
        self.make([move_of(each.seat, each.payload) for each in entries])

    def make(self, moves):
        """Make the moves of a step, and see what follows."""
        before, deck = self.table, copy(self.deck)
        table = before
        for said in in_step_order(moves):
            move = as_left(table, said)
            self.history = (*self.history, (table, move))
            table, _ = apply(table, move)
            deck.tiles = {**deck.tiles, **dict(shows(move))}
        self.table, self.deck = table, deck
        self.follow(ended=table.turns != before.turns)

    def complete_act(self, entries):
        """All have spoken."""
        calls = [called(each.seat, each.payload) for each in entries]
        self.table, _ = apply_calls(self.table, calls)
        self.follow(ended=True, called=True)

    # ---- openings at once (4.5) ---------------------------------------------------------------

    def check_opening_commit(self, _entry, _said):
        """Nothing can be wrong yet."""

    def complete_opening_commit(self, entries):
        """All are bound to their openings."""
        self.sealed = {
            each.seat: (self.ctx("opening-commit", each.seat), each.payload.commitment)
            for each in entries
        }
        self.phase = "play"

    def check_opening_reveal(self, entry, said):
        """What was committed to, then a turn."""
        turn = said.turn
        need(move_of(entry.seat, turn) is not None, "shape")
        ctx, commitment = self.sealed[entry.seat]
        need(hashed("opening", ctx, _bare(turn), said.secret) == commitment, "proof")
        self.check_turn(entry, turn, turn.tag)

    def complete_opening_reveal(self, entries):
        """All openings are laid."""
        self.sealed = None
        self.make([move_of(each.seat, each.payload.turn) for each in entries])

    # ---- tiles that go back, hands that are mixed ---------------------------------------------

    def check_hand_over(self, entry, said):
        """The tile that goes back, under the joint key."""
        proofs.hand_over(said.over)
        at = next(at for seat, at in self.table.reshuffle.hidden if seat == entry.seat)
        X, ctx = self.deck.keys[entry.seat], self.ctx("hand-over", entry.seat)
        left = self.deck.residuals[at]
        need(proofs.hand_over_holds(X, ctx, self.deck.joint, left, said.over), "proof")

    def complete_hand_over(self, entries):
        """Handed over in seat order."""
        read = [proofs.hand_over(each.payload.over) for each in entries]
        self.mix_boneyard(tuple((each["C1"], each["C2"]) for each in read))

    def mix_boneyard(self, handed):
        """A chain over all that is face down (5.9)."""
        back = self.table.reshuffle
        undrawn = [self.deck.masked[at] for at in sorted(back.undrawn)]
        shown = [(None, proofs.tile(t)) for t in sorted(t for _, t in back.shown)]
        first = (*undrawn, *shown, *handed)
        self.phase, self.between = "deal", False
        deal = self.mix(first)
        if first:
            self.deal = deal
        else:
            self.resume(deal)

    def to_mix(self):
        """Give the seats whose hands are to be mixed (4.4)."""
        if self.options["draws"] != "hidden" or self.table.phase in ENDED:
            return ()
        return tuple(
            seat
            for seat, held in enumerate(self.table.hands)
            if len(held) > 1 and not self.deck.settled.issuperset(held)
        )

    def check_mix_hand(self, entry, said):
        """The same tiles in another order."""
        deck = self.deck
        given = tuple(deck.residuals[at] for at in sorted(self.table.hands[entry.seat]))
        made = proofs.deck(said.deck, len(given))
        proofs.shuffle_proof(said.proof, len(given))
        ctx, X = self.ctx("mix-hand", entry.seat), deck.keys[entry.seat]
        need(proofs.shuffle_holds(ctx, X, given, made, said.proof), "proof")

    def complete_mix_hand(self, entries):
        """New positions, counting on in seat order."""
        deck, table = copy(self.deck), self.table
        for each in entries:
            made = proofs.deck(each.payload.deck, len(table.hands[each.seat]))
            positions = tuple(range(deck.next, deck.next + len(made)))
            deck.next += len(made)
            deck.residuals = {**deck.residuals, **dict(zip(positions, made, strict=True))}
            deck.settled |= frozenset(positions)
            deck.mixed = (*deck.mixed, (each.seat, positions))
            table = with_positions(table, Seat(each.seat), positions)
        self.deck, self.table = deck, table
        self.follow(ended=True, called=True)

    # ---- the end of a round -------------------------------------------------------------------

    def check_open(self, entry, said):
        """Every tile that is still held."""
        positions = tuple(sorted(self.table.hands[entry.seat]))
        need(len(said.tiles) == len(positions), "shape")
        if not positions:
            need(not said.tokens and not said.proof, "shape")
            return
        tokens, proof = proofs.points(said.tokens, len(positions)), proofs.reveal_proof(said.proof)
        wanted = [proofs.tile(make_tile(*pips)) for pips in said.tiles]
        ctx = self.ctx("open", entry.seat)
        self.prove_shown((entry.seat, ctx, positions, tokens, proof, wanted))

    def complete_open(self, entries):
        """Hands lie open: scores, and the round judged again."""
        shown = {each.seat: each.payload.tiles for each in entries}
        hands = tuple(
            tuple(make_tile(*pips) for pips in shown.get(seat, ()))
            for seat in range(len(self.seats))
        )
        self.deck = copy(self.deck)
        for held, tiles in zip(self.table.hands, hands, strict=True):
            self.deck.tiles = {**self.deck.tiles, **dict(zip(sorted(held), tiles, strict=True))}
        self.table, _ = score_round(self.table, hands)
        self.phase = "score"
        self.judge_again(entries)

    def judge_again(self, entries):
        """Judge the round once more with all tiles known (7.14)."""
        found = audit(self.history, self.deck.tiles)
        if found is not None:
            shown = [each for each in entries if each.seat == found.seat]
            self.late = ("audit", shown[0] if shown else None, int(found.seat))

    def scores(self):
        """Give the scores of the round; none of one that was called off (4.7)."""
        return () if self.table.outcome.ending in CALLED_OFF else tuple(self.table.past[-1])

    def check_round_over(self, entry, said):
        """The scores; of the chair also who sits down (4.8)."""
        need(said.scores == self.scores(), "shape")
        if not said.latecomers:
            return
        need(entry.seat == self.chair, "shape")
        asked = [self.request(each.request, each.signature) for each in said.latecomers]
        need(len({each.key for each in asked}) == len(asked), "shape")
        need(all(map(self.is_for_now, asked)), "shape")
        room = self.spec.rules.partners is not Partners.YES
        room &= self.options["latecomers"] == "seated"
        room &= next_round_number(self.table) < self.spec.rounds
        need(room, "shape")
        new = [each.key for each in asked if self.seat_of(each.key) is None]
        need(all(self.seat_of(each.key) not in self.present for each in asked), "shape")
        if new:
            need(isinstance(self.spec_of(len(self.seats) + 1), TableSpec), "shape")
        need(isinstance(self.spec_of(len(self.seats) + len(new)), TableSpec), "rules")

    def complete_round_over(self, entries):
        """Keys are laid open, or the round is over."""
        self.coming = self.those_who_sit_down(entries)
        shown = self.options["audit"] != "hands" and bool(self.scores())
        if shown and all(seat in self.present for seat in self.deck.keys):
            self.phase = "audit"
        else:
            self.after_round()

    def those_who_sit_down(self, entries):
        """Give the requests that the chair's scores carry."""
        self.seating_since = self.step + 1
        carried = [one for each in entries for one in each.payload.latecomers]
        return tuple(self.request(one.request, one.signature) for one in carried)

    def check_keys(self, entry, said):
        """The secret behind the round's key, and the seed where the table asks for it."""
        with_seeds = self.options["audit"] == "seeds"
        need(bool(said.seed) == with_seeds, "shape")
        x = proofs.scalar(said.x)
        deck, seat = self.deck, entry.seat
        need(x > 0 and proofs.base(x) == deck.keys[seat], "proof")
        if with_seeds:
            given = hashed("seed", deck.commit_ctx[seat], said.seed)
            need(len(said.seed) == 32 and given == deck.seeds[seat], "proof")

    def complete_keys(self, entries):
        """Every position is opened, every shuffle done again, the round judged (5.8)."""
        xs = {each.seat: proofs.scalar(each.payload.x) for each in entries}
        seeds = {each.seat: each.payload.seed for each in entries}
        deck = self.deck = copy(self.deck)
        self.late = self.unrepeatable(entries, seeds)
        if self.late is None:
            named, opened = self.named(), {}
            for first, deal in deck.chains:
                opened |= dict(_opened(deal.decks[-1], sum(xs.values()), named, first))
            for seat, positions in deck.mixed:
                left = [deck.residuals[at] for at in positions]
                opened |= dict(_opened(left, xs[seat], named, positions[0]))
            deck.tiles = {**deck.tiles, **opened}
            self.judge_again(entries)
        self.after_round()

    def unrepeatable(self, entries, seeds):
        """Give the first link that does not come out of its seed (5.8)."""
        if self.options["audit"] != "seeds":
            return None
        for _, deal in self.deck.chains:
            for at, seat in enumerate(deal.authors):
                statement = (seeds[seat], deal.contexts[at], self.deck.joint, deal.decks[at])
                if proofs.links_of_seed(*statement) != deal.decks[at + 1]:
                    return "audit", next(each for each in entries if each.seat == seat)
        return None

    def after_round(self):
        """The end, a new roster, or what is left of the next deal."""
        last = bool(self.scores()) and self.table.round_number + 1 >= self.spec.rounds
        if last or (len(self.present) == 1 and not self.coming):
            self.phase = "over"
        elif self.coming:
            self.sit_down()
        elif self.deal.stage == "whole":
            self.begin_round()
        else:
            self.phase = "deal"

    def sit_down(self):
        """Who asked has a seat, and the roster is signed anew (4.8)."""
        self.before = copy(self)
        came = {each.key: self.step + 1 for each in self.coming}
        self.sat_down = {**self.sat_down, **came}
        back = {self.seat_of(each.key) for each in self.coming} - {None}
        new = [each.key for each in self.coming if self.seat_of(each.key) is None]
        self.seats = (*self.seats, *sorted(new, key=lambda key: hashed("seat", self.id, key)))
        self.spec = self.spec_of(len(self.seats))
        self.table = with_seats(self.table, self.spec, map(Seat, sorted(back)))
        self.gone -= back
        more = range(len(self.seats) - len(new), len(self.seats))
        self.newcomers = frozenset(back) | frozenset(more)
        self.phase, self.deal, self.between, self.coming = "roster", None, False, ()

    # ---- seats that leave (4.7, 5.10) ---------------------------------------------------------

    def may_say_missing(self, seat, said):
        """Whether this can be said by this seat: of fewer than half, or of who gave their word."""
        here, seats = frozenset(self.present), seats_of(said.seats)
        if self.phase in ("lobby", "over") or not seats or not seats <= here - {seat}:
            return False
        if said.whole and (said.unplayed or said.ballot == 0):
            return False
        if said.unplayed and said.ballot > 0:
            return False
        counted = here - self.newcomers
        if seat not in here or (2 * len(seats & counted) < len(counted)) == bool(said.leaves):
            return False
        in_turn = self.phase in ("play", "calls") and not self.between
        if said.unplayed and not (in_turn and len(here - seats) == 1):
            return False
        keys = [self.author(self.step, each) for each in sorted(seats)]
        words = said.leaves or ()
        return not words or (len(words) == len(keys) and all(map(self.is_word, keys, words)))

    def is_word(self, key, leave):
        """Whether a seat has given its word to write nothing in the due step (4.7)."""
        octets = self.table_id + leave.step.to_bytes(4, "big")
        good = proofs.signed(key, "boneyard/v1/leave", octets, leave.signature)
        since = self.sat_down.get(key, self.roster_step)
        return good and since <= leave.step <= self.step

    def complete_without(self, kept, entries, seats):
        """Close the due step without some seats, which have left for good."""
        self.late = None
        self.gone |= seats
        self.go_on_without(kept, frozenset(map(Seat, seats)))
        self.close(entries)

    def go_on_without(self, kept, seats):
        """Give what follows, by the phase that the step was of."""
        if self.phase in ("roster", "coin-commit", "coin-reveal"):
            if seats & self.newcomers:
                self.without_newcomers(seats)
                return
            if self.table is not None:
                self.table = leave(self.table, seats)
            self.form_again()
        elif self.table is None:
            table = void_round(start_game(self.spec, Seat(self.first)), seats)
            self.table = table._replace(aside=table.aside._replace(forfeits=()))
            self.deal_again(0)
        elif self.table.phase in (At.SCORED, At.FINISHED):
            self.leave_between(kept, seats)
        elif self.phase == "open":
            self.table = leave(self.table, seats)
            self.throw_away()
            self.complete_open(sorted(kept, key=lambda each: each.seat))
        elif self.goes_on():
            self.begin_rebuild(seats)
        else:
            self.void()

    def goes_on(self):
        """Whether the round in play goes on, with a deck rebuilt."""
        turns = self.phase in ("play", "drawn", "calls", "mix-hand")
        turns &= self.table.phase is At.PLAY
        return self.rebuilding or (turns and self.options["leaver"] == "rebuild")

    def form_again(self):
        """Those who stay sign the roster again; who is alone has no table."""
        self.phase, self.coins = "roster", {}
        if self.table is not None and len(self.present) == 1:
            self.phase = "over"
        if self.seats is None:
            spec = self.spec_of(len(self.present))
            self.spec = spec
            if not isinstance(spec, TableSpec):
                self.phase = "over"

    def without_newcomers(self, seats):
        """Nobody whom the last scores brought has a seat; those that stay are seated again."""
        before, stay = self.before, self.newcomers - seats
        left = frozenset(seats) - self.newcomers
        asked = [each for each in before.coming if self.seats.index(each.key) in stay]
        self.seats, self.spec = before.seats, before.spec
        self.table = leave(before.table, left) if left else before.table
        self.gone, self.newcomers = before.gone | left, frozenset()
        self.sat_down = before.sat_down
        self.coming, self.before = tuple(asked), None
        if asked:
            self.sit_down()
        else:
            self.deal_again(next_round_number(self.table))

    def leave_between(self, kept, seats):
        """A round that is scored counts; the next is dealt without those who left."""
        phase, self.table = self.phase, leave(self.table, seats)
        if phase == "score":
            self.coming = self.those_who_sit_down(kept)
        if phase in ("score", "audit"):
            self.throw_away()
            self.after_round()
        else:
            self.deal_again(self.deal.round)

    def throw_away(self, round_number=None):
        """A deal in which a leaver had a part begins anew."""
        following = self.table.round_number + 1 if round_number is None else round_number
        self.deal = self.new_deal(following) if following < self.spec.rounds else None
        self.between, self.sealed = False, None

    def deal_again(self, round_number):
        """A round is dealt with new keys; who is alone signs how it stands."""
        if len(self.present) == 1:
            self.phase, self.deal, self.between, self.sealed = "score", None, False, None
            return
        self.throw_away(round_number)
        self.phase = "deal"

    def void(self):
        """Nobody scores; the round is dealt again."""
        self.table = void_round(self.table, frozenset(map(Seat, self.gone)))
        self.rebuilding, self.blinded = False, None
        self.deal_again(self.table.round_number)

    def begin_rebuild(self, seats):
        """All that stay owe their part of a new deck; a draw without its shares never was."""
        table = self.table
        blind = self.blind_positions(table)
        if blind and self.history and isinstance(self.history[-1][1], DrawTile):
            table, self.history = self.history[-1][0], self.history[:-1]
            blind = self.blind_positions(table)
        hands = tuple(tuple(at for at in held if at not in blind) for held in table.hands)
        table = table._replace(hands=hands, boneyard=(*sorted(blind), *table.boneyard))
        self.table = leave(table, seats)
        joint = proofs.joint([self.deck.keys[seat] for seat in self.present])
        if joint is None:
            self.void()
            return
        self.deck = copy(self.deck)
        self.deck.joint = joint
        self.deal, self.between, self.blinded = None, False, None
        self.rebuilding = self.table.phase is not At.OVER
        self.phase = "rebuild" if self.rebuilding else "open"

    def blind_positions(self, table):
        """Give the positions in hands whose shares are not all there."""
        return {at for held in table.hands for at in held if at not in self.deck.residuals}

    def check_rebuild(self, entry, said):
        """Exactly the hand is withheld."""
        deck, seat = self.deck, entry.seat
        tiles = tuple(map(tuple, unseen_tiles(self.table)))
        proofs.rebuild(said.contribution, len(tiles))
        positions = tuple(sorted(self.table.hands[seat]))
        residuals = tuple(deck.residuals[at] for at in positions)
        statement = (self.ctx("rebuild", seat), deck.joint, deck.keys[seat])
        need(
            proofs.rebuild_holds(*statement, positions, residuals, tiles, said.contribution),
            "proof",
        )

    def complete_rebuild(self, entries):
        """The sum of all parts is mixed."""
        tiles = tuple(map(tuple, unseen_tiles(self.table)))
        parts = [proofs.rebuild(each.payload.contribution, len(tiles))[0] for each in entries]
        first = tuple(
            (
                proofs.add(*(part[at][0] for part in parts)),
                proofs.add(proofs.tile(t), *(part[at][1] for part in parts)),
            )
            for at, t in enumerate(tiles)
        )
        self.phase, self.deal = "deal", self.mix(first)

    def check_blind(self, entry, said):
        """One factor for every entry."""
        last = self.deal.decks[-1]
        read = proofs.blinding(said.blinding, len(last))
        need(proofs.blinding_holds(self.ctx("blind", entry.seat), last, read), "proof")

    def complete_blind(self, entries):
        """Shares of the blinded deck are due; where chance has made an O, all blind again."""
        n = len(self.deal.decks[-1])
        made = [proofs.blinding(each.payload.blinding, n)[1] for each in entries]
        blinded = tuple(
            (proofs.add(*(one[at][0] for one in made)), proofs.add(*(one[at][1] for one in made)))
            for at in range(n)
        )
        if any(A is None for A, _ in blinded):
            return
        self.phase, self.blinded = "unblind", blinded

    def check_unblind(self, entry, said):
        """One token for every entry of the blinded deck."""
        As = [A for A, _ in self.blinded]
        tokens, proof = proofs.points(said.tokens, len(As)), proofs.reveal_proof(said.proof)
        X, ctx = self.deck.keys[entry.seat], self.ctx("unblind", entry.seat)
        need(proofs.reveal_holds(X, ctx, range(len(As)), As, tokens, proof), "proof")

    def complete_unblind(self, entries):
        """What nobody holds is the new boneyard."""
        tokens = [proofs.points(each.payload.tokens, len(self.blinded)) for each in entries]
        left = [
            proofs.residual(each, [given[at] for given in tokens])[1]
            for at, each in enumerate(self.blinded)
        ]
        blanks = {at for at, point in enumerate(left) if point is None}
        self.blinded = None
        if len(blanks) != sum(map(len, self.table.hands)):
            self.void()
            return
        self.rebuilding = False
        self.deck = self.deck.with_chain(self.deal, blanks)
        self.table, _ = rebuilt(self.table, tuple(self.deck.masked))
        self.deal = None
        self.next_deal()
        self.follow()


def _opened(masked, x, named, first):
    """Give the tiles under a key, each at its position; blanks are none."""
    for at, (A, B) in enumerate(masked):
        point = proofs.add(B, proofs.mul(-x, A))
        if point is not None:
            yield first + at, named[point]


def _word(text):
    """Split a word of the offer at its first `=`."""
    name, _, value = text.partition("=")
    return name, value


def _table_of_options():
    """Read 4.6 off the page: the values of each option, that which holds unnamed first."""
    section = PAGE[PAGE.index("### 4.6 ") : PAGE.index("### 4.7 ")]
    found, name = {}, ""
    for line in section.splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if line.startswith("|") and line.count("|") == 4 and cells[1] not in ("value", "---"):
            name = cells[0] or name
            found.setdefault(name, []).append(cells[1])
    return found


OPTIONS = _table_of_options()
VERSION = int(PAGE.split("`PROTOCOL_VERSION` | ")[1].split(" ")[0])


def _octets_of_settings(body):
    """Give the octets of the offer as they stand in the entry that opens the table."""
    import msgpack

    value = msgpack.unpackb(body, raw=False)
    return msgpack.packb(value[-1][3], use_bin_type=True)


def _bare(turn):
    """Give the octets of a turn without tokens, proof and claim (4.5)."""
    import msgpack

    empty = {"tokens": b"", "proof": b"", "claim": b""}
    return msgpack.packb(
        [
            turn.tag,
            *(
                turn.fields | {name: value for name, value in empty.items() if name in turn.fields}
            ).values(),
        ],
        use_bin_type=True,
    )


__all__ = ["Fold", "Refused", "mask", "seats_of"]
