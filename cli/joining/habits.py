"""A person's settings that apply at a table, and the changes to settings made at a table."""

import os
from collections.abc import Sequence
from typing import Final

from cli.exits import CommandFailed
from cli.language import say
from cli.session.sitting import Habits, SettingsTold
from cli.settings.bots import BOTS
from cli.settings.chosen import chosen
from cli.settings.declared import (
    CLOCK,
    CONFIRM,
    DRAW,
    GRACE,
    NAME,
    REDUCED_MOTION,
    SETTINGS,
    SORT,
    WhoDraws,
)
from cli.settings.file import set_typed
from cli.settings.place import config_path, variable_of
from cli.settings.told import (
    explained,
    is_overruled,
    overruled_text,
    read_typed,
    set_text,
    settings_lines,
    shown_text,
    unset_text,
)


def own_habits() -> Habits:
    """Return the settings that apply at every table."""
    return Habits(
        confirms=chosen(CONFIRM),
        order=chosen(SORT),
        clock_s=chosen(CLOCK),
        clock_ticks=not chosen(REDUCED_MOTION),
        grace_s=chosen(GRACE),
        asks_draw=chosen(DRAW) is WhoDraws.ASK,
        name=NAME,
        keep_name=keep_new_name,
        bots=BOTS,
        config=answer_settings,
    )


_AT_ONCE: Final = {each.key for each in (CONFIRM, SORT, GRACE, DRAW)}
"""The settings whose changes take effect at once at a table; others wait for the next start."""


def answer_settings(words: Sequence[str], columns: int) -> SettingsTold:
    """Return the answer to the words typed after `config` at a table, or why they are refused.

    The words are the same as after `config` on the command line. After a change, the answer says
    when it takes effect, or that a variable overrides it.
    """
    try:
        action, key, value = read_typed(words)
        if action == "show" and not key:
            path = say("Settings in {path}", path=config_path())
            return SettingsTold((path,), settings_lines(columns - 1))
        if action == "show":
            texts = (f"{head}{text}" for head, text in explained(SETTINGS[key]))
            return SettingsTold((*texts,))
        if action == "get":
            return SettingsTold((shown_text(SETTINGS[key]),))
        said = set_text(SETTINGS[key], value) if action == "set" else unset_text(key)
    except CommandFailed as failed:
        return SettingsTold((failed.sentence,))
    if is_overruled(SETTINGS[key]):
        return SettingsTold((said, overruled_text(SETTINGS[key])))
    if key in _AT_ONCE:
        return SettingsTold((said, say("It acts at once.")), (), own_habits(), key == SORT.key)
    return SettingsTold((said, say("It acts when you next start Boneyard.")))


def keep_new_name(name: str) -> str:
    """Write a name taken at a table into the settings; return a sentence saying whether it worked.

    The caller of `sit` applies the name in this run of the program. If a shell variable will
    override it in the next run, a second sentence says so.
    """
    try:
        said = say("{name} is your name at later tables, too.", name=set_typed(NAME, name))
    except CommandFailed as failed:
        return failed.sentence
    if os.environ.get(variable := variable_of(NAME.key)):
        text = "But {variable} is set in this shell, and overrides the file."
        return f"{said} {say(text, variable=variable)}"
    return said
