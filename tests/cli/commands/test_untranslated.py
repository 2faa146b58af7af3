"""Nothing of a command stays English but names and words that are typed."""

from dataclasses import replace

import pytest

from cli.choices import table
from cli.commands.verify import unmet, who_lines
from cli.doctor.symptoms import symptoms
from cli.exits import sentence_about
from cli.house_rules.choice import TableChoice
from cli.house_rules.file import write_choice
from cli.house_rules.menu import Hosting, answered, shown
from cli.joining.practice import Practice, practice_rows
from cli.joining.search import ad_sentence
from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS, plain_text
from cli.settings.bots import BOTS
from cli.settings.declared import SETTINGS
from cli.settings.file import commented_file
from netgame.errors import Malformed
from netgame.io.discovery.survey import Reached
from netgame.io.door.codes import parse_code
from netgame.io.network.addresses import parse_address
from netgame.protocol.ledger.verdict import RecordVerdict, Signatory, VerdictKind
from tests.cli.brackets import words
from tests.cli.doctor.test_doctor import TABLE, WELL, WIFI, with_network
from tests.cli.running import boneyard_here

pytestmark = pytest.mark.usefixtures("dots")

CHOICES = (*table.TABLE.values(), *SETTINGS.values(), BOTS, table.FIRST, table.NAME)
TYPED = words(
    *(*table.TABLE, *(each.key for each in CHOICES), "all double true false yes"),
    *(word for each in CHOICES for word in each.kind.sentences),
)


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "config",
            "config show bell",
            "config show name",
            "config show nothing",
            "config unset sort",
        ),
        *("config set bell off", "config set bell loud", "config --write", "games", "stats"),
        *("rules", "rules standard", "rules nonsense", "rules cover --with blanks=0-50"),
        *("solve 1-2 2-3 3-3", "solve 1-2 2-2 --by pips --from 1 --cover", "solve 1-2 1-2"),
        *("solve 1-1 --cover", "solve 5-5 5-6 --from 1", "solve 1-2 2-4 4-8 --seconds 0"),
        *("verify nothing", "replay nothing", "review nothing", "sheet nothing"),
        *("play --bots 0", "play --seats 2 --bots 3", "host --first-player nothing"),
    ],
)
def test_what_a_command_prints_is_translated(typed, tmp_path, monkeypatch):
    """What it complains of too."""
    monkeypatch.setattr("cli.__main__.speak", lambda _language: None)
    done = boneyard_here(*typed.split(), data=tmp_path)
    quoted = words(
        str(tmp_path), "nothing nonsense loud config toml BONEYARD_BELL BONEYARD_NAME Ann"
    )
    quoted |= words("No such file or directory")
    assert words(done.stdout, done.stderr) <= TYPED | quoted


def test_choosing_what_to_play_is_translated():
    """Every page of the menu, and what it says of every line."""
    canvas, chosen = Canvas(80, 24, ASCII_GLYPHS), Hosting(TableChoice())
    pages = [Hosting(), chosen, *(replace(chosen, asks=name) for name in table.TABLE)]
    lines = [plain_text(line) for page in pages for line in shown(page, canvas)]
    typed = ("x", "set", "set x", "set 9", "seats 2", "blanks", "blanks x", "draws x", "switches")
    said = [answered(page, line).said for page in pages for line in typed]
    rows = [text for _, text in practice_rows(Practice())]
    assert words(*lines, *said, *rows) <= TYPED | {"x", "switches"}
    other = replace(TABLE, phase="playing", addresses=())
    assert words(ad_sentence(TABLE), ad_sentence(other)) <= {"Ann", "standard"}


def test_files_are_explained_in_the_players_language():
    """Keys, and what may stand behind them, are as the program reads them."""
    text = write_choice(TableChoice(values={"deal": "galt"})) + commented_file()
    comments = [line for line in text.splitlines() if line.startswith("#") and " = " not in line]
    assert len(comments) > 100
    assert words(*comments) <= TYPED


def test_doctor_is_translated():
    """But for names, and what the system says."""
    cases = (
        *(with_network(interfaces=()), with_network(port=None, port_trouble="Ann")),
        with_network(interfaces=(replace(WIFI, heard_s=None), replace(WIFI, trouble="Ann"))),
        *(with_network(tables=(), silent=(TABLE,)), with_network(tables=(), neighbours=0)),
        *(with_network(tables=(), neighbours=2), with_network(reached=Reached("1.1.1.1:1", 0.01))),
        *(with_network(reached=Reached("1.1.1.1:1", 0.1, True, code)) for code in (0, 7)),
        *(replace(WELL, firewall=name) for name in ("windows", "macos")),
        replace(WELL, today="1970-01-01", data=replace(WELL.data, mode=0o755, free_bytes=9)),
        replace(WELL, terminal=replace(WELL.terminal, columns=30, unicode=False, colours=False)),
    )
    for facts in (WELL, *cases):
        for each in symptoms(facts):
            kept = {
                "Ann",
                "wlan",
                "data",
                "ann",
                "utf",
                "Python",
                "trio",
                "chmod",
                "macos",
                "windows",
            }
            assert words(each.area, each.text, each.advice) <= kept


def test_who_signed_is_translated():
    """But for fingerprints, which are compared."""
    signers = [Signatory("Ann", "ab", "cd", entries, bot=True, host=True) for entries in (0, 1, 2)]
    verdict = RecordVerdict(VerdictKind.RECORD, "", 1, signers=(*signers,), head="ef")
    said = (*who_lines(signers), *unmet(verdict, ["cd", "ffff"], "f00"))
    assert words(*said) <= {"Ann", "cd", "ef", "f", "ffff"}


@pytest.mark.parametrize(
    ("read", "typed"),
    [
        *((parse_code, typed) for typed in ("7", "7-xx-yy", "7-ottar-violin")),
        *((parse_address, typed) for typed in ("[", "a:b")),
    ],
)
def test_what_one_types_wrong_is_explained_in_the_players_language(read, typed):
    """But for what was typed, and what was perhaps meant."""
    with pytest.raises(Malformed) as raised:
        read(typed)
    assert words(sentence_about(raised.value)) <= words(typed, "otter")
