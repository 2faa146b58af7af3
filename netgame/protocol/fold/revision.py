"""The revision of the rules by which a table plays, and what follows if it is not ours [§4.6].

A program plays one revision. Where a table plays another, it cannot tell a cheat from an honest
seat that reads the rules otherwise: so it sits down at no such table, and convicts nobody of a
move that was made there.
"""

from msgspec.structs import replace

from engine.rules import revision
from netgame.wire.messages import Settings


def offered(settings: Settings) -> Settings:
    """What a host offers of what was chosen: by the revision that its program plays."""
    return replace(settings, revision=revision.RULES_REVISION)


def is_other(settings: Settings) -> bool:
    """Whether this offer is for another revision than ours."""
    return settings.revision != revision.RULES_REVISION
