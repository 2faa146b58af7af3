"""The revision of the rules by which a table plays, compared with this program's [§4.6].

A program plays one revision. At a table of another revision it cannot tell a cheat from an honest
seat that reads the rules differently. So it does not sit down there, and convicts nobody of a move.
"""

from msgspec.structs import replace

from engine.rules import revision
from netgame.wire.messages import Settings


def offered(settings: Settings) -> Settings:
    """Return these settings as the host offers them: with the revision that this program plays."""
    return replace(settings, revision=revision.RULES_REVISION)


def is_other(settings: Settings) -> bool:
    """Return True if this offer has a different revision from the one that this program plays."""
    return settings.revision != revision.RULES_REVISION
