"""The parts of one peer, wired together: each receives the earlier parts that it needs."""

from netgame.protocol.peer.budget import Budget
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.entries.lobby_host import LobbyHost
from netgame.protocol.peer.entries.writer import Calling, DeckWork, EntrySigner, Writer
from netgame.protocol.peer.people.absence import Absence
from netgame.protocol.peer.people.another_game import AnotherGame
from netgame.protocol.peer.people.applicants import Applicants
from netgame.protocol.peer.people.chair import Chair
from netgame.protocol.peer.people.deputy import Deputy
from netgame.protocol.peer.people.franchise import Franchise
from netgame.protocol.peer.people.greeter import Greeter
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.peer.people.others_wishes import OthersWishes
from netgame.protocol.peer.people.own_network import OwnNetwork
from netgame.protocol.peer.people.presence import Presence
from netgame.protocol.peer.people.relay import Relay
from netgame.protocol.peer.people.second_hand import SecondHand
from netgame.protocol.peer.people.second_process import SecondProcess
from netgame.protocol.peer.people.talk import Talk
from netgame.protocol.peer.people.watchers import Watchers
from netgame.protocol.peer.people.wishes import Wishes
from netgame.protocol.peer.polls import Polls
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.peer.status.news import News
from netgame.protocol.peer.status.proofs import CheckedProofs
from netgame.protocol.peer.status.recovery import Recovery
from netgame.protocol.peer.sync.decisions import Decisions
from netgame.protocol.peer.sync.intake import Intake
from netgame.protocol.peer.sync.pulls import EarlyEntries, Heads, Pulls


class Parts:
    """All parts of one peer. They share its context; each has some state of its own, too."""

    def __init__(self, context: PeerContext, author: Author) -> None:
        self.context, self.author = context, author
        self.budget = budget = Budget(context.belongs)
        self.early = early = EarlyEntries()
        self.journal = journal = Journal(context)
        # how long it stays, and its notices
        self.lifetime = lifetime = Lifetime(context)
        self.faults = faults = Faults(context, lifetime, author.fresh)
        self.news = news = News(context)
        self.proofs = proofs = CheckedProofs(context)
        self.second_hand = second_hand = SecondHand(context)
        self.absence = absence = Absence(context, second_hand)
        self.names = names = ScreenNames(context)
        self.presence = presence = Presence(context, absence, names, news)
        # what others send
        self.recovery = recovery = Recovery(context, journal)
        self.pulls = pulls = Pulls(context, early)
        self.decisions = decisions = Decisions(
            context, budget, journal, recovery, lifetime, faults, news, author
        )
        self.intake = intake = Intake(
            context,
            journal,
            recovery,
            lifetime,
            faults,
            news,
            author,
            early,
            pulls,
            decisions,
            proofs,
        )
        # writing
        self.entry_signer = entry_signer = EntrySigner(context, journal, recovery, lifetime, intake)
        self.deck_work = DeckWork(context, author, faults, intake, proofs)
        self.watchers = watchers = Watchers(context)
        self.chair = chair = Chair(context, watchers)
        self.applicants = applicants = Applicants(context, names, chair)
        self.calling = calling = Calling(context)
        self.others_wishes = others = OthersWishes(context, second_hand)
        self.relay = Relay(context, absence, others)
        self.wishes = wishes = Wishes(context, names, absence, others, news)
        self.franchise = franchise = Franchise(context, absence, wishes, chair)
        self.writer = Writer(context, author, entry_signer, calling, applicants, franchise)
        self.polls = Polls(
            context, journal, recovery, lifetime, presence, names, author, decisions, wishes
        )
        self.heads = Heads(context, lifetime)
        # joiners and watchers
        self.mesh = mesh = Mesh(context)
        self.joiner = joiner = Joiner(context, mesh, lifetime, news)
        self.own_network = own_network = OwnNetwork(context, joiner)
        self.deputy = deputy = Deputy(context, names, own_network, presence)
        self.talk = Talk(context, names, deputy)
        self.another_game = AnotherGame(context, names, joiner)
        self.second_process = SecondProcess(context, lifetime, joiner)
        self.lobby_host = LobbyHost(context, entry_signer, budget, chair)
        self.greeter = Greeter(context, early, joiner, watchers, faults)


def rename(parts: Parts, name: str) -> None:
    """Take another name, for our seat in the lobby or for the next seat we get.

    The name is cleaned first. A seat in the game keeps its name. In the lobby or without a seat,
    the next duties ask again under the new name.
    """
    parts.context.rename(name)
    parts.lobby_host.rename()
    parts.joiner.ask_again()


def kick(parts: Parts, key: PeerKey) -> None:
    """Refuse this key a seat: as the host of the lobby, or as the chair of a game.

    In the lobby this takes back the seat of a member, and does nothing for another key; in a game
    it does nothing for a key that has a seat.
    """
    (parts.lobby_host if parts.context.in_lobby else parts.applicants).kick(key)


def leave_for_good(parts: Parts) -> None:
    """Leave this seat for good (`Polls.part`) and ask for no other; the caller closes the links."""
    parts.joiner.look_on()
    parts.polls.part()
