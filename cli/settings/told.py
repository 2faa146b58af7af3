"""The settings as a person reads and changes them, in a shell or at a table."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cli.choices.choice import Choice, find
from cli.exits import CommandFailed, ExitCode
from cli.language import say, speak
from cli.render.cells import text_cells
from cli.render.grid import Column, Grid, Prose, Row
from cli.render.palette import Line
from cli.settings.chosen import Origin, read_settings
from cli.settings.declared import LANGUAGE, SETTINGS
from cli.settings.place import config_path, file_keys, is_kept, language_wanted, variable_of

_WORDS_MIN: Final = 20
"""In a narrower column the possible values are left out."""

ACTIONS: Final = ("show", "get", "set", "unset")


def settings_lines(columns: int) -> tuple[Line, ...]:
    """Draw each setting on a line: its value, its origin, and its possible values."""
    found = read_settings().found
    rows: list[Row] = []
    for key, setting in SETTINGS.items():
        value, origin = found[key]
        word = setting.kind.shown(value) or "-"
        rows.append((key, word, say(origin.value), setting.kind.brief))
    origins = max(text_cells(say(each.value)) for each in Origin)
    heads = (Column(gap=1), Column(), Column(least=origins))
    return (*Grid(heads, rows, Prose(least=_WORDS_MIN)).lines(columns),)


def explained(setting: Choice[Any]) -> Iterator[tuple[str, str]]:
    """Yield the head and text of each paragraph that explains a setting and its value in force."""
    found = read_settings().found[setting.key]
    yield (
        "",
        say(
            "{key} is {value} ({origin}). {about}",
            key=setting.key,
            value=setting.kind.shown(found.value) or say("not set"),
            origin=say(found.origin.value),
            about=say(setting.about),
        ),
    )
    told = {word: say(sentence) for word, sentence in setting.kind.sentences.items()}
    can_be = {say("can be"): setting.kind.words}
    for word, sentence in (told if any(told.values()) else can_be).items():
        yield f"  {word}: ", sentence
    yield "", say("In the environment: {variable}", variable=variable_of(setting.key))


def shown_text(setting: Choice[Any]) -> str:
    """Return the value in force of a setting, as text."""
    return setting.kind.shown(read_settings().found[setting.key].value)


def is_overruled(setting: Choice[Any]) -> bool:
    """Return True if an environment variable overrides the file for this setting."""
    return read_settings().found[setting.key].origin is Origin.ENVIRONMENT


def overruled_text(setting: Choice[Any]) -> str:
    """Return a sentence saying that an environment variable overrides the file."""
    text = "But {variable} is set in this shell, and overrides the file."
    return say(text, variable=variable_of(setting.key))


def set_text(setting: Choice[Any], word: str) -> str:
    """Write a typed value into the file; return a sentence that says so.

    If the setting is the language, the program speaks the new one from here on. Raises the
    same errors as `set_typed`.
    """
    # late, because nothing else writes settings
    from cli.settings.file import set_typed

    value = set_typed(setting, word)
    if setting is LANGUAGE:
        speak(language_wanted())
    text = "{key} is now {value}: {path}"
    return say(text, key=setting.key, value=value, path=config_path())


def unset_text(key: str) -> str:
    """Unset a key in the file, and return a sentence on the value that applies now.

    Raises `CommandFailed` for an unknown key that is not in the file, or a file that cannot be
    changed.
    """
    from cli.settings.file import save_setting

    path = config_path()
    if key not in file_keys(path):
        key = find(SETTINGS, key).key
    if is_kept(path):
        save_setting(path, key, None)
    found = read_settings().found
    word = SETTINGS[key].kind.shown(found[key].value) if key in SETTINGS else ""
    text = "{key} is no longer set. Its value is now {value}."
    return say(text if word else "{key} is no longer set.", key=key, value=word)


def read_typed(words: Sequence[str]) -> tuple[str, str, str]:
    """Return the action, the key and the value that the words typed after `config` name.

    Key and value may be empty. The actions are those of the command line. Without an action, a key
    alone is shown, and a key with a value is set. Raises `CommandFailed` for an unknown key, and
    for too few or too many words.
    """
    action, rest = "", [part for word in words for part in word.replace("=", " ").split()]
    if rest and rest[0].lower() in ACTIONS:
        action, *rest = rest
    key, *value = rest or [""]
    action = action.lower() or ("set" if value else "show")
    if key:
        key = find(SETTINGS, key).key
    if bool(value) != (action == "set") or (action != "show" and not key):
        text = "Type config, then a setting, then a value: config bell off."
        raise CommandFailed(ExitCode.USAGE, say(text))
    return action, key, " ".join(value)
