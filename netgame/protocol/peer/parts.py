"""The parts of one peer, wired: each takes by name what it needs of those before it."""

from __future__ import annotations

from netgame.protocol.peer.budget import Budget
from netgame.protocol.peer.entries.deck_work import DeckWork
from netgame.protocol.peer.entries.lobby_host import LobbyHost
from netgame.protocol.peer.entries.patience import AwayVotes, AwayWatch
from netgame.protocol.peer.entries.pen import Pen
from netgame.protocol.peer.entries.writer import Writer
from netgame.protocol.peer.people.applicants import Applicants
from netgame.protocol.peer.people.deputy import Deputy
from netgame.protocol.peer.people.greeter import Greeter
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.people.presence import Names, Presence, Talk
from netgame.protocol.peer.people.watchers import Watchers
from netgame.protocol.peer.place import Links, Outbox, Place
from netgame.protocol.peer.receipt.ballots import Ballots
from netgame.protocol.peer.receipt.done_votes import DoneVotes, FreshReading
from netgame.protocol.peer.receipt.heads import Heads
from netgame.protocol.peer.receipt.pulls import Held, Pulls
from netgame.protocol.peer.receipt.receipt import Receipt, Settlement
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.calls import Calling
from netgame.protocol.peer.standing.faults import Faults
from netgame.protocol.peer.standing.journal import Journal
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.quiet import Silence
from netgame.protocol.peer.standing.stay import Stay


class Parts:
    """One of each; what a part remembers, no other does."""

    def __init__(self, place: Place, author: Author) -> None:
        self.place, self.author = place, author
        self.outbox = outbox = Outbox()
        self.budget = budget = Budget()
        self.held = held = Held()
        self.journal = journal = Journal(place.key)
        self.links = links = Links(place, outbox)
        # what ends a stay, and what is told
        self.stay = stay = Stay(place, outbox, links)
        self.faults = faults = Faults(place, outbox, links, stay)
        self.news = news = News(place, outbox)
        self.names = names = Names(place, links)
        self.presence = Presence(place, outbox, links, names)
        self.talk = Talk(place, outbox, links, names)
        self.deputy = Deputy(place, outbox, links)
        # what comes
        self.quiet = quiet = Silence(place, links, journal)
        self.pulls = pulls = Pulls(place, outbox, links, held)
        self.ballots = ballots = Ballots(place, links)
        self.settlement = settlement = Settlement(
            place, outbox, links, journal, quiet, stay, faults, news
        )
        reading = FreshReading(place, outbox, links, journal, quiet, author, held, ballots, news)
        self.done_votes = done_votes = DoneVotes(
            place, outbox, links, stay, journal, quiet, reading
        )
        self.receipt = receipt = Receipt(
            place,
            outbox,
            links,
            stay,
            author,
            held,
            pulls,
            faults,
            ballots,
            done_votes,
            settlement,
        )
        # what is written
        self.pen = pen = Pen(place, outbox, journal, quiet, stay, receipt)
        self.deck_work = DeckWork(place, outbox, author, faults, settlement)
        self.applicants = applicants = Applicants(place, outbox, links, names)
        self.calling = calling = Calling(place)
        self.writer = Writer(place, outbox, author, pen, calling, applicants)
        self.watch = watch = AwayWatch(place, links)
        self.away_votes = AwayVotes(place, ballots, watch, pen)
        self.heads = Heads(place, outbox, links, stay, calling)
        # who sits, and who looks on
        self.mesh = mesh = Mesh(place, outbox, links)
        self.joiner = joiner = Joiner(place, outbox, links, mesh, stay, news)
        self.lobby_host = LobbyHost(place, outbox, links, pen, budget)
        self.watchers = watchers = Watchers(place, outbox, links)
        self.greeter = Greeter(place, outbox, links, journal, held, joiner, watchers)
