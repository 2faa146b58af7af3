"""The driver of a core: inputs in, effects out, in the same way for every shell.

`io.node` is the shell of real programs: trio, sockets, threads, files. The laboratory's simulation
is another: one heap of events. Both give the core one input at a time and carry out its effects in
order.
"""

from collections.abc import Mapping, MutableMapping
from typing import Protocol, assert_never

from netgame.frozen import FrozenStruct
from netgame.limits import LINK_SETTLED_S
from netgame.protocol.notices import LinkEnd, Notice
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core


class PeerLink(Protocol):
    """A link to a peer that has proved its key."""

    peer: fx.PeerKey
    dialled: bool
    """True if this peer dialled, False if the other did."""
    since: float
    """The time at which it came up, in seconds."""
    ending: LinkEnd
    """The way in which it ended, once it has."""
    flooded: bool
    """True if it ended because the peer sent far too much; such a peer is kept out for a while."""

    def send(self, body: bytes, /) -> None:
        """Queue one frame; it is lost if the link is closing or gone."""

    def look_after(self, *, closely: bool) -> None:
        """Set whether a dead peer must be noticed soon."""

    def finish(self, reason: str, /) -> None:
        """Close the link once its queue is sent; returns at once."""


class LinkUp(FrozenStruct):
    """A proved link has come up; it replaces any other link to its peer."""

    link: PeerLink


class LinkDown(FrozenStruct):
    """A link is gone; its `ending` says why."""

    link: PeerLink


class FrameCame(FrozenStruct):
    """A frame, which may contain anything, has come over a link."""

    link: PeerLink
    body: bytes


class WorkDone(FrozenStruct):
    """The work numbered `job` is done, with this `result`."""

    job: int
    result: object


class Woken(FrozenStruct):
    """The time has come at which a core asked to be woken."""


LinkEvent = LinkUp | LinkDown | FrameCame
Event = LinkEvent | WorkDone | Woken
Links = Mapping[fx.PeerKey, PeerLink]
"""The links that a core knows of, one per peer."""


def rival_stays(rival: PeerLink, link: PeerLink, ours: fx.PeerKey) -> bool:
    """Return True if a new `link` gives way to `rival`, our present link to the same peer.

    It does so only if both ends dialled at about the same time, and the end with the lower key
    dialled `rival`. `ours` is our key.
    """
    if rival.dialled == link.dialled or link.since - rival.since > LINK_SETTLED_S:
        return False
    return rival.dialled == (ours < link.peer)


def is_outdated(event: Event, links: Links) -> bool:
    """Return True for a frame over, or the end of, a link that is not in `links`.

    Such events may still be in the queue when a link is replaced. False for all other events.
    """
    match event:
        case LinkDown(link) | FrameCame(link):
            return links.get(link.peer) is not link
        case _:
            return False


def decide(
    core: Core, links: MutableMapping[fx.PeerKey, PeerLink], event: Event, now: float
) -> fx.Effects:
    """Give the core an event as an input, update `links`, and return the effects.

    An outdated event does not reach the core, and has no effects. Raises `Malformed` for a frame
    that is its sender's fault alone: the caller then ends the link.
    """
    if is_outdated(event, links):
        return ()
    match event:
        case LinkUp(link):
            # To the core a replacement is just a new link: nobody has left.
            links[link.peer] = link
            return core.link_up(link.peer, now)
        case LinkDown(link):
            del links[link.peer]
            return core.link_down(link.peer, now, link.ending)
        case FrameCame(link, body):
            return core.frame(link.peer, body, now)
        case WorkDone(job, result):
            return core.work_done(job, result, now)
        case Woken():
            return core.wake(now)
        case _:
            assert_never(event)


class Shell(Protocol):
    """The shell that carries out effects; it handles `SaveEvidence` and `Finished` itself."""

    def keep(self, record: fx.Persist | fx.Journalled, /) -> None:
        """Append to the record or the journal; sync it before the next effect of another kind."""

    def keep_dialling(self, peer: fx.PeerKey, addresses: tuple[str, ...], /) -> None:
        """Begin to dial a peer, over and over until there is a link."""

    def work(self, work: fx.Work, /) -> None:
        """Begin a piece of work; its result comes back as an input."""

    def wake(self, at: float, /) -> None:
        """Set the one alarm to this time, replacing the last; infinity means no alarm."""

    def tell(self, notice: Notice, /) -> None:
        """Give the player a notice."""


def carry_out(  # noqa: C901 - one branch an effect
    effect: fx.Effect, shell: Shell, links: Links
) -> bool:
    """Carry out an effect that takes no time and return True.

    A `Send` or `Drop` that finds no link counts as carried out. Returns False, having done nothing,
    for `SaveEvidence` and `Finished`, which take time.
    """
    match effect:
        case fx.Persist() | fx.Journalled():
            shell.keep(effect)
        case fx.Send(peer, frame):
            if peer in links:
                links[peer].send(frame)
        case fx.Await(peers):
            for peer, link in links.items():
                link.look_after(closely=peer in peers)
        case fx.Dial(peer, addresses):
            shell.keep_dialling(peer, addresses)
        case fx.Drop(peer, reason, floods):
            if peer in links:
                links[peer].flooded |= floods
                links[peer].finish(reason)
        case fx.Work():
            shell.work(effect)
        case fx.Wake(at):
            shell.wake(at)
        case fx.Notify(notice):
            shell.tell(notice)
        case fx.SaveEvidence() | fx.Finished():
            return False
        case _:
            assert_never(effect)
    return True
