"""The inbox: gives each message to the part that hears it [peer.md §2].

Anybody may open a link, greet us, answer our request for a seat, and say that another process has
our key. Everything else counts only from peers that we have welcomed at our table, and within the
budget of their key.
"""

import math
from typing import Final, assert_never

from netgame.errors import Malformed
from netgame.limits import HEAD_S
from netgame.protocol.log.entry import read_entry, read_mask, statement_name
from netgame.protocol.peer.budget import Cost
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.linked import Dig, Peer, batches, is_ahead, pulled
from netgame.protocol.peer.parts import Parts
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any

_QUIET: Final = (
    wire.Ping | wire.Pong | wire.Head | wire.Pull | wire.Pulled | wire.Entries | wire.Statements
)
"""Messages that make nothing due by themselves; the entries or heads in them may."""


def hear(parts: Parts, key: PeerKey, body: bytes) -> None:  # noqa: C901 - one branch a message
    """Hear a frame from a peer; it may contain anything.

    Does nothing without a link, or after we have ended it. A frame that is not a message ends the
    link. A peer not welcomed at our table is heard only with greetings, answers to a request for a
    seat and `Rival`. A message beyond its sender's budget is ignored; a peer that keeps sending old
    news is dropped.
    """
    context = parts.context
    intake = parts.intake
    vetted = parts.watchers.vetted
    peer = context.links.peers.get(key)
    needless = 0
    if peer is None or peer.dropped:
        return
    try:
        message: wire.LinkMessage = decode_any(body, wire.LinkMessage)
    except Malformed as problem:
        context.links.drop(key, f"it sent something that is {problem}")
        return
    context.stirred |= not isinstance(message, _QUIET)
    match message:
        case wire.Ping() | wire.Pong():
            pass  # the link handles these
        case wire.Hello():
            is_new = not peer.greeted
            parts.greeter.hear(key, peer, message)
            if is_new and peer.greeted:
                parts.chair.turns_away(key)  # before its person is asked to sit down
        case wire.JoinAnswer():
            parts.joiner.hear(key, message)
        case wire.Rival():
            parts.recovery.met_rival(key)
            parts.second_process.hear_rival(key)
        # All cases below this one need a welcome, and may cost their sender budget.
        case _ if not (peer.greeted and parts.budget.may_say(key, message, context.now)):
            pass
        # entries, statements and evidence
        case wire.Head():
            _hear_head(parts, key, peer, message)
            plays = context.sits(context.key) and context.state.phase is not Phase.OVER
            waits = parts.recovery.lasts or bool(context.ledger.poll.said)
            context.stirred |= waits or not plays or context.fault is not None
        case wire.Pull():
            _answer_pull(parts, key, message)
        case wire.Pulled(entries):
            needless = len(entries) - intake.hear_pulled(key, peer, vetted(key, entries))
        case wire.Entries(entries):
            needless = len(entries) - intake.hear(key, peer, vetted(key, entries))
        case wire.Statements(statements):
            needless = _hear_statements(parts, key, peer, statements)
        case wire.Evidence(entries, statements):
            intake.hear_evidence(key, peer, vetted(key, entries), statements)
        # chat, another game, who is missed, requests for a seat, watching
        case wire.Chat():
            parts.talk.hear(key, message)
        case wire.Again():
            parts.another_game.hear(key, message)
        case wire.Missed():
            parts.others_wishes.hear(key, message)
        case wire.InTouch():
            parts.second_hand.hear(key, message)
        case wire.JoinAsk():
            if not parts.chair.turns_away(key):
                (parts.lobby_host if context.in_lobby else parts.applicants).hear(key, message)
        case wire.Watch(name):
            parts.applicants.withdraw(key)
            if not context.belongs(key):
                parts.names.note(key, name)
        case wire.Guests(keys):
            parts.watchers.hear_guests(key, keys)
        case _:
            assert_never(message)
    if needless:
        _count_needless(parts, key, needless)


def _count_needless(parts: Parts, key: PeerKey, number: int) -> None:
    """Count entries and statements that were not news; drop a peer that sends too many."""
    context = parts.context
    cost = Cost.NEEDLESS_GUEST if context.is_guest(key) else Cost.NEEDLESS
    if not parts.budget.may(key, cost, context.now, number):
        reason = "it floods the table with entries that nobody needs"
        context.links.drop(key, reason, floods=True)


def _hear_head(parts: Parts, key: PeerKey, peer: Peer, head: wire.Head) -> None:
    """Note how far a peer's log goes; pull what we lack, or dig for where it departs from ours.

    Tells `News`, `Lifetime` and `Recovery` of the head. If we belong to the table, a guest's head
    is only noted. A repeated head makes ours due to be told again.
    """
    context = parts.context
    if head == peer.head and context.now - peer.told_at >= HEAD_S / 2:
        peer.told_at = -math.inf  # it may not have heard us
    parts.second_process.note_welcome(key)
    is_first = peer.head is None
    context.links.note_head(peer, head)
    if context.is_guest(key):
        return  # no seat cares where a watcher's log stands
    parts.news.come_late(head)
    if is_first and context.belongs(key):
        parts.news.find_others_ahead(head)
    parts.lifetime.note_head(key, head)
    parts.recovery.hear(key)
    if head.step <= context.state.step and head.digest != context.ledger.head_before(head.step):
        parts.pulls.dig(key, head.step)
        return
    peer.dig = Dig()  # its log agrees with ours so far: the next dig begins near its end again
    if is_ahead(head, context.head()):
        parts.pulls.pull_missing()


def _answer_pull(parts: Parts, key: PeerKey, asked: wire.Pull) -> None:
    """Answer a pull: send entries from a step on, and certificates that can be judged after them.

    The entries fill one frame at most, which is empty if we have no more. If our log has not
    reached the step, no frame of entries is sent. A certificate is sent if its step is at most one
    after that of the last entry sent or, without one, after the step asked for.
    """
    context, ledger = parts.context, parts.context.ledger
    last = asked.step
    if asked.step <= context.state.step:
        answer = pulled(ledger.entries_from(asked.step, read_mask(asked.filled)))
        context.outbox.send(key, answer)
        last = read_entry(answer.entries[-1]).step if answer.entries else last
    # A certificate can be judged once the log has come to the step that it names.
    ripe = (each for each in ledger.decisions[asked.polls :] if each.step <= last + 1)
    for piece in batches(said.signed for each in ripe for said in each.said):
        context.outbox.send(key, wire.Statements(piece))


def _hear_statements(
    parts: Parts, key: PeerKey, peer: Peer, statements: tuple[wire.SignedStatement, ...]
) -> int:
    """Hear statements on who goes on; a seat takes them only from peers that belong here.

    Returns the number of needless ones; 0 for a guest, or if the peer is dropped meanwhile.
    """
    if parts.context.is_guest(key):
        return 0
    needless = 0
    for each in statements:
        if peer.dropped:
            return 0
        needless += not parts.decisions.hear(each, key)
        peer.shown.add(statement_name(each))
    return needless
