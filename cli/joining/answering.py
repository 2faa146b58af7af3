"""Answers to questions in the menus: the meaning of a word, a rule set or a choice of a table."""

from typing import Final

from cli.choices.table import RULES, TABLE
from cli.house_rules.choice import TableChoice
from cli.house_rules.menu import sheet
from cli.input.phrases import asks, bare_words, mentioned, only_one
from cli.joining.asked import asked_text
from cli.language import say
from cli.render.rulebook import section_lines
from cli.render.sheets import switch_lines
from cli.session.frontend import FrontEnd, explain
from cli.session.verbs.glossary import read_question
from cli.wording.rulebook import cited_section, rulebook
from engine.rules.presets import PRESETS

_WORDS: Final = {word: word for word in ("play", "host", "learn", "demo", "rules")}
"""The rows of the menu by their words: the numbers on the screen are those of another list."""


_IN_MENU: Final = "That is in the menu: b goes back to it."


def answers(front: FrontEnd, line: str, *, behind_menu: bool = True) -> bool:
    """Answer a line that asks something; return True if it was answered.

    The list on offer stays, and nothing is chosen. With `behind_menu`, the list was opened from the
    menu, and an answer that names rows of the menu says how to go back there.
    """
    if explains(front, line):
        return True
    text = asked_text(line, _WORDS) if asks(line) else ""
    if text:
        front.say(f"{text} {say(_IN_MENU)}" if behind_menu else text)
    return bool(text)


def explains(front: FrontEnd, line: str) -> bool:
    """Explain a section of the rules, a rule set, a word of the game, or a choice of a table.

    Returns True if the line asks about one of these, else False.
    """
    if not asks(line):
        return False
    canvas, words = front.canvas(), bare_words(line)
    preset, key = only_one(mentioned(words, PRESETS)), only_one(mentioned(words, TABLE))
    section = rulebook().get(cited_section(line) or "")
    if section is not None:
        front.show(section_lines(section, canvas))
    elif preset is not None:
        front.show(sheet(TableChoice(preset), canvas))
    elif (found := read_question(line)) is not None:
        explain(front, found.told(canvas.glyphs.open_end))
    elif key is not None and key != RULES.key:
        front.show(switch_lines(key, None, canvas))
    else:
        return False
    return True
