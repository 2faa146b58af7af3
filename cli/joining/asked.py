"""The menu's answers to questions: sentences that name rows of the menu."""

from collections.abc import Mapping
from typing import Final

from cli.input.asking import topic_asked
from cli.input.topics import Topic
from cli.language import say

_TO_PLAY: Final = (
    "Type {play} to play against bots, {host} to open a table for others, or {learn} to learn the "
    "game. A table on this network appears in the list by itself, and its number joins it."
)
_TO_LEARN: Final = (
    "Boneyard is the domino game Mexican Train. Type {learn} to learn it in five minutes; {rules} "
    "shows the rules. At a table you can ask what now, hint, why or who is winning."
)
_TO_LEAVE: Final = "Type quit to leave."
_FAIRNESS: Final = (
    "Everybody shuffles, and every program checks all the others. Type {demo} to watch somebody "
    "cheat and be caught; at a table type fair to see what was checked."
)
_NAMING: Final = "Type name and your name, such as: name Ann"


def asked_text(line: str, rows: Mapping[str, object]) -> str:
    """Return the answer to a question; empty for a line that is not one.

    `rows` are the names that the answer uses for rows of the menu, by their words. A question about
    play is answered with the lessons: a person who asks it in a menu may be new.
    """
    topic, text = topic_asked(line), _TO_LEARN
    match topic:
        case None | Topic.TALK:
            return ""
        case Topic.NOW | Topic.HINT | Topic.COMPANY | Topic.AGAIN | Topic.COMMANDS | Topic.CHANGE:
            text = _TO_PLAY
        case Topic.LEAVE:
            text = _TO_LEAVE
        case Topic.FAIR:
            text = _FAIRNESS
        case Topic.NAMING:
            text = _NAMING
        case _:
            pass
    return say(text, **rows)
