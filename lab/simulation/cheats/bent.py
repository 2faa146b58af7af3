"""A real peer whose parts can be bent: what it says and does can differ from what is right."""

from functools import partial
from operator import attrgetter
from typing import Any

from netgame.protocol.peer.core import Core


class Seam:
    """A method of a part that a peer replaces by defining a method of the seam's name.

    Through `super()` a peer still reaches the true one.
    """

    def __init__(self, part: str, method: str) -> None:
        self.part = attrgetter(part)
        self.method = method

    def __get__(self, peer: Core, _: object = None) -> Any:  # noqa: ANN401 - a method of any kind
        part = self.part(peer)
        return partial(getattr(type(part), self.method), part)


class Bent(Core):
    """The program that people run, whose methods below a cheat may override."""

    write = Seam("parts.entry_signer", "write")
    """Write our entry for the due step."""
    offer = Seam("parts.intake", "offer")
    """Take an entry, from whomever."""
    judged = Seam("parts.intake", "judged")
    """The proof of an entry has been judged."""
    checked = Seam("parts.deck_work", "checked")
    """The chain of a deal has been checked."""
    convict = Seam("parts.faults", "convict")
    """Somebody has cheated."""
    has_been_level = Seam("parts.recovery", "has_been_level")
    """Whether an own entry that this process did not sign is another program's."""
    greet = Seam("parts.greeter", "hear")
    """Somebody names a table."""
    recall = Seam("parts.journal", "recall")
    """Take over what this key has signed."""
    decide = Seam("parts.polls", "act")
    """Say what there is to say of who goes on."""
    hear_statement = Seam("parts.decisions", "hear")
    """Take a statement, from whomever."""
    send = Seam("context.outbox", "send")
    """Say something to one peer."""

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - what a core takes
        super().__init__(*arguments, **more)
        journal = self.parts.journal
        # What a cheat says beside its journal comes back as its own, and leaves it no doubt.
        known = journal.statements
        journal.meet = lambda said: known.update({said.name: said})  # type: ignore[method-assign]
        for name, seam in vars(Bent).items():
            if isinstance(seam, Seam):
                setattr(seam.part(self), seam.method, getattr(self, name))
