"""The parts of one peer, connected: each is given by name the earlier parts that it needs."""

from netgame.protocol.peer.budget import Budget
from netgame.protocol.peer.entries.lobby_host import LobbyHost
from netgame.protocol.peer.entries.writer import Calling, DeckWork, Pen, Writer
from netgame.protocol.peer.people.absence import Absence
from netgame.protocol.peer.people.applicants import Applicants
from netgame.protocol.peer.people.chair import Chair
from netgame.protocol.peer.people.greeter import Greeter
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.people.presence import Deputy, Presence
from netgame.protocol.peer.people.second_process import SecondProcess
from netgame.protocol.peer.people.watchers import Watchers
from netgame.protocol.peer.people.wishes import Wishes
from netgame.protocol.peer.place import PeerContext
from netgame.protocol.peer.polls import Polls
from netgame.protocol.peer.receipt.decisions import Decisions
from netgame.protocol.peer.receipt.pulls import Heads, Held, Pulls
from netgame.protocol.peer.receipt.receipt import Receipt
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.faults import Faults
from netgame.protocol.peer.standing.journal import Journal, Silence
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.stay import Stay


class Parts:
    """One of each part; no two share what they remember."""

    def __init__(self, place: PeerContext, author: Author) -> None:
        self.place, self.author = place, author
        self.budget = budget = Budget(place.belongs)
        self.held = held = Held()
        self.journal = journal = Journal(place)
        # the end of a stay, notices
        self.stay = stay = Stay(place)
        self.faults = faults = Faults(place, stay, author.fresh)
        self.news = news = News(place)
        self.absence = absence = Absence(place)
        self.presence = presence = Presence(place, absence)
        self.deputy = Deputy(place, presence)
        # receipt
        self.silence = silence = Silence(place, journal)
        self.pulls = pulls = Pulls(place, held)
        self.decisions = decisions = Decisions(
            place, budget, journal, silence, stay, faults, news, author
        )
        self.receipt = receipt = Receipt(
            place, journal, silence, stay, faults, news, author, held, pulls, decisions
        )
        # writing
        self.pen = pen = Pen(place, journal, silence, stay, receipt)
        self.deck_work = DeckWork(place, author, faults, receipt)
        self.watchers = watchers = Watchers(place)
        self.chair = chair = Chair(place, watchers)
        self.applicants = applicants = Applicants(place, presence, chair)
        self.calling = calling = Calling(place)
        self.writer = Writer(place, author, pen, calling, applicants)
        self.wishes = wishes = Wishes(place, presence, absence)
        self.polls = Polls(place, journal, silence, stay, presence, author, decisions, wishes)
        self.heads = Heads(place, stay)
        # joiners and watchers
        self.mesh = mesh = Mesh(place)
        self.joiner = joiner = Joiner(place, mesh, stay, news)
        self.second_process = SecondProcess(place, stay, joiner)
        self.lobby_host = LobbyHost(place, pen, budget, chair)
        self.greeter = Greeter(place, held, joiner, watchers, faults)


def rename(parts: Parts, name: str) -> None:
    """Take another name, for our seat in the lobby or for the next one.

    It is cleaned first. A seat in the game keeps its name. The next duties ask for the seat again.
    """
    parts.place.rename(name)
    parts.lobby_host.rename()
    parts.joiner.ask_again()


def leave_for_good(parts: Parts) -> None:
    """Leave this seat for good (`Polls.part`), and ask for no other.

    The caller closes the links next.
    """
    parts.joiner.look_on()
    parts.polls.part()
