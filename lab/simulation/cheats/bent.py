"""A real peer with seams, at which a cheat can replace single methods to say or do wrong things."""

from functools import partial
from operator import attrgetter
from typing import Any

from netgame.protocol.peer.core import Core


class Seam:
    """A method of a part that a peer replaces by defining a method with the seam's name.

    Through `super()` a peer still reaches the original.
    """

    def __init__(self, part: str, method: str) -> None:
        self.part = attrgetter(part)
        self.method = method

    def __get__(self, peer: Core, _: object = None) -> Any:  # noqa: ANN401 - a method of any kind
        part = self.part(peer)
        return partial(getattr(type(part), self.method), part)


class Bent(Core):
    """The program that people run, with seams: a cheat may override the methods below."""

    write = Seam("parts.entry_signer", "write")
    """Write our entry for the due step."""
    offer = Seam("parts.intake", "offer")
    """Take an entry, from any peer."""
    judged = Seam("parts.intake", "judged")
    """Take the result of judging an entry's proof."""
    checked = Seam("parts.deck_work", "checked")
    """Take the result of checking the chain of a deal."""
    convict = Seam("parts.faults", "convict")
    """Convict a cheat."""
    has_been_level = Seam("parts.recovery", "has_been_level")
    """Decide whether an own entry that this process did not sign is another program's."""
    greet = Seam("parts.greeter", "hear")
    """Hear a peer name its table."""
    recall = Seam("parts.journal", "recall")
    """Take over the earlier signatures of this key."""
    decide = Seam("parts.polls", "act")
    """Say our part in the poll on who goes on."""
    hear_statement = Seam("parts.decisions", "hear")
    """Take a statement, from any peer."""
    send = Seam("context.outbox", "send")
    """Send a message to one peer."""

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - what a core takes
        super().__init__(*arguments, **more)
        journal = self.parts.journal
        # A cheat's statements outside its journal come back as its own, and must leave it no doubt.
        known = journal.statements
        journal.meet = lambda said: known.update({said.name: said})  # type: ignore[method-assign]
        for name, seam in vars(Bent).items():
            if isinstance(seam, Seam):
                setattr(seam.part(self), seam.method, getattr(self, name))
