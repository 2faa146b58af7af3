"""When the program speaks another language, only names and words to type stay English."""

import re
from dataclasses import replace
from pathlib import Path
from secrets import token_bytes
from typing import get_args

import pytest
from msgspec import structs

from cli.choices import table
from cli.commands.judge import judged
from cli.commands.verify import unmet, who_lines
from cli.doctor.symptoms import symptoms
from cli.exits import sentence_about
from cli.history.film import Frame
from cli.history.listing import ToldGame, company_text, game_sentence
from cli.history.sheet import drawn_sheet, sheet_title
from cli.history.viewing import Viewing, answered, view_lines
from cli.house_rules.choice import TableChoice
from cli.house_rules.file import write_choice
from cli.house_rules.menu import Hosting, rule_sets, shown
from cli.house_rules.menu import answered as answered_by_host
from cli.input.chains import PlayChain
from cli.input.plan import Plan, longest_plan, plan_of, tiles_text, why_not_whole
from cli.input.readers import UsageError, read_tiles
from cli.input.resolution import NotFound, resolve
from cli.joining.practice import Practice, practice_rows
from cli.joining.search import ad_sentence
from cli.language import LANGUAGES, speak
from cli.render.board import board_lines, train_lines
from cli.render.cells import Canvas, line_cells
from cli.render.game_end import end_lines, evening_lines
from cli.render.hand import Picture, turn_lines
from cli.render.menu import menu_lines
from cli.render.odds import odds_lines
from cli.render.palette import UNICODE_GLYPHS, plain_text
from cli.render.round_card import card_lines
from cli.render.rule_sheet import changed_lines, offer_from, offer_lines
from cli.render.sheets import lobby_lines, score_lines, switch_lines
from cli.render.status import status_text
from cli.scene import LobbyScene
from cli.screens.attention import title_text
from cli.screens.plain import table_sentences
from cli.screens.region import Region
from cli.session.invitation import seats_text
from cli.session.verbs.complete import complete
from cli.session.verbs.orders import why_not_first
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS, help_lines
from cli.session.votes import still_here
from cli.settings.bots import BOTS
from cli.settings.declared import SETTINGS
from cli.settings.file import commented_file
from cli.wording.events import event_sentence
from cli.wording.game_end import evening_sentences, game_sentences
from cli.wording.moves import HeldDraws, duty_sentences
from cli.wording.notices import notice_text
from cli.wording.refusals import refusal_sentence, rule_sentence
from cli.wording.round_end import card_sentences
from cli.wording.since import OwnPass, Since, one_left_sentences, since_sentence
from cli.wording.verdict import verdict_text
from engine.bots.levels import LEVELS
from engine.notation.notation import parse as read_game
from engine.refusals import Refusal, RefusalReason
from engine.rules import revision
from engine.rules.choose import RULE_SETS, SWITCHES, parse_rules
from engine.rules.spec import make_spec
from engine.table import events, moves
from engine.table.trains import MEXICAN, Position, Seat
from engine.tiles import Tile
from netgame.errors import Malformed
from netgame.io.disk.storage import Doing, trouble_of
from netgame.io.door.codes import parse_code
from netgame.io.network.addresses import parse_address
from netgame.io.tables.kept import SavedGame
from netgame.protocol import notices
from netgame.protocol.ledger.verdict import FileFinding, RecordVerdict, Signatory
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import whole_frames
from netgame.protocol.notices import DealPhase, DealStage
from netgame.protocol.peer.view import TableStage
from tests.cli.brackets import words
from tests.cli.commands.test_judge import GAME
from tests.cli.doctor.test_doctor import PROBLEMS, TABLE, WARNINGS, WELL
from tests.cli.fakes import played, seats_of, view_of
from tests.cli.history.test_stats import game
from tests.cli.render.test_game_end import END, EVENING
from tests.cli.render.test_layouts import CANVASES, SCENES
from tests.cli.render.test_odds import odds_of
from tests.cli.render.test_round_card import card
from tests.cli.render.test_sheets import playing, scored, view
from tests.cli.running import boneyard_here
from tests.cli.scenes import NAMES, scene_after, scenes_of, with_owed, written
from tests.cli.session.test_hosting import ordered
from tests.cli.wording.test_hints import all_hints
from tests.cli.wording.test_wording import (
    EVENTS,
    FACTS,
    NOTICES,
    OF_RULES,
    OF_SIZES,
    RULES,
    SCENE,
    SIZES,
)
from tests.netgame.revisions import playing as playing_by

pytestmark = pytest.mark.usefixtures("dots")

WIDE = Canvas(80, 24, UNICODE_GLYPHS)
CHOICES = (*table.TABLE.values(), *SETTINGS.values(), BOTS, table.FIRST, table.NAME)
PEOPLE = {*NAMES, "Ann", "Ada", "Bix", "Benedict", "Zoe", "Cleo", "Dot"}
GIVEN = PEOPLE | words(
    *RULE_SETS,
    *table.TABLE,
    *LEVELS,
    *(each.key for each in CHOICES),
    *(word for each in CHOICES for word in each.kind.sentences),
    *(text for each in VERBS for text in (each.word, *each.short, *each.examples)),
    "boneyard join resume replay verify host config show KEY write rules NAME demo port N",
    "Boneyard Mexican M Dor abcd jsqukjvs",
    "all double true false yes switches train tiles config toml otter violin",
)


@pytest.fixture(autouse=True)
def keeps_language(monkeypatch):
    """Keep commands from changing the language that a test has set."""
    monkeypatch.setattr("cli.__main__.speak", lambda _language: None)


def check(*texts: str, more=()) -> None:
    """Assert that these texts have no untranslated words, except those in `GIVEN` and `more`.

    Words made only of the letters A to D are allowed too, because plots use them.
    """
    own = words(*texts) - GIVEN - words(*more)
    assert {word for word in own if not {*word} <= {*"ABCD"}} == set(), "a plot has other letters"


def at_table(scene, canvas):
    """Yield all lines that show a table: in play, between rounds and at the end of the game."""
    waiting = replace(scene, can_move=False)
    yield from board_lines(waiting, canvas)
    yield from turn_lines(scene, canvas)
    for train in scene.table.trains:
        yield from train_lines(waiting, train.id, canvas)
    yield from odds_lines(scene, odds_of(scene), canvas)
    for points in ((), ((10, 0, 3, 110),)):
        yield from score_lines(scored(scene, *points), canvas)
    yield from score_lines(scored(scene, (0, 1, 2, 3), rounds=1), canvas)
    yield from card_lines(card(), canvas)
    yield from end_lines(END, canvas)
    yield from evening_lines(EVENING, canvas)
    region = Region(is_off=False)
    for each in (scene, waiting):
        region.scene_is(each)
        yield from region.lines(canvas)
        region.answer([()] * 99, canvas)
        yield from region.lines(canvas)


QUOTING = ("demo", "film", "games", "menu", "practice", "rules-switch")
"""Name prefixes of screens with English text from the test itself, or with names of sources."""


@pytest.mark.parametrize("name", [each for each in SCENES if not each.startswith(QUOTING)])
def test_a_screen_has_no_english(name):
    """Every screen of `SCENES` is translated, except those whose names begin with `QUOTING`."""
    check(written(SCENES[name](WIDE)), more=["Lesson of", "Enter", "n x"])


@pytest.mark.parametrize("scene", [scene_after(9, 4, 40), with_owed()])
@pytest.mark.parametrize("width", CANVASES)
def test_a_table_has_no_english(scene, width):
    """Boards, round cards and final results are translated, drawn or as plain sentences."""
    check(written([*at_table(scene, CANVASES[width])]))
    check(*table_sentences(scene, Picture()), title_text(scene), *card_sentences(card()))
    check(*game_sentences(END), *evening_sentences(EVENING))


@pytest.mark.parametrize("width", CANVASES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_canvas_in_any_language(language, width):
    """No line of any screen is wider than its canvas, whatever the language."""
    speak(language)
    canvas = CANVASES[width]
    drawn = [line for name in SCENES for line in SCENES[name](canvas)]
    drawn += at_table(with_owed(), canvas)
    assert max(map(line_cells, drawn)) <= canvas.columns


@pytest.mark.parametrize("stage", TableStage)
def test_a_status_has_no_english(stage):
    """The status is translated at every stage of a table and of a deal, and so are lobbies."""
    for step in set(DealPhase) - {DealPhase.READY}:
        waiting = view(stage=stage, deal_note=DealStage(step, "Ana"))
        check(status_text(waiting), status_text(replace(playing(with_owed()), stage=stage)))
    for facts in ({}, {"settings": None}):
        lobby = LobbyScene(view(**facts), b"", starts_itself=True)
        check(written(lobby_lines(lobby, WIDE)), title_text(lobby))


@pytest.mark.parametrize("preset", RULE_SETS)
def test_rules_have_no_english_but_their_words(preset):
    """Rule sheets, changed rules and switches are translated, except for the names of sources."""
    rules = RULE_SETS[preset]
    for size in ({}, {"pip_max": 9}, {"pip_max": 9, "seats": 4, "rounds": 1, "hand": 5}):
        offer = offer_from(preset, rules, ("target", "start-double"), **size)
        check(written([*offer_lines(offer, WIDE), *changed_lines(offer, WIDE)]))
    for name, switch in SWITCHES.items():
        drawn = [*switch_lines(name, None, WIDE), *switch_lines("no", rules, WIDE)]
        check(written(drawn), more=[switch.sources])


def test_help_has_no_english_but_what_is_typed():
    """The help on every command is translated, and so is the answer to an unknown command."""
    for word in ("fly", *(each.word for each in VERBS)):
        check(written(help_lines(word, WIDE, playing=True)), more=["fly"])


# ---- what is said at a table --------------------------------------------------------------------


def test_refusals_are_translated():
    """Refusals and the rules they cite are translated; words that were typed stay as they are."""
    for reason in {*RefusalReason} - OF_RULES - OF_SIZES:
        for refusal in (Refusal(reason), Refusal(reason, FACTS)):
            check(*(refusal_sentence(refusal, NAMES, you) for you in (None, Seat(1))))
            check(rule_sentence(refusal, RULE_SETS["standard"]))
    for refused in (*(parse_rules(*each) for each in RULES), *(make_spec(*each) for each in SIZES)):
        typed = [str(value) for name, value in refused.facts if name != "reason"]
        check(refusal_sentence(refused), more=typed)


def test_events_and_notices_are_translated():
    """Events and notices are translated; the text that they quote stays as it is."""
    check(*(event_sentence(SCENE, event) for event in EVENTS))
    quoted = notices.ChatHeard | notices.FaultFound | notices.Trouble
    check(*(notice_text(SCENE, each) for each in NOTICES if not isinstance(each, quoted)))
    for kind in notices.TroubleKind:
        check(notice_text(SCENE, notices.Trouble(kind, ("Ann", "so"))), more=["so So"])


def test_duties_hints_and_what_others_did_are_translated():
    """Duties, hints, and sentences on draws, passes and other moves are translated."""
    for preset in ("galt-1994", "parsons-1994", "roundhouse", "wolf-lake"):
        check(*(text for scene in scenes_of(preset, 40, 1) for text in duty_sentences(scene)))
    said, draws, held = [*all_hints(), *one_left_sentences(SCENE)], HeldDraws(), Tile(4, 9)
    for seat in (Seat(0), Seat(1)):
        drawn = events.TileDrawn(seat, SCENE.hand.tiles[0][0])
        laid = events.TileLaid(seat, held, MEXICAN, 4)
        for happened in (drawn, laid, drawn, events.Passed(seat), drawn, events.Tapped(seat)):
            said += [draws.told(SCENE, notices.Played(seat, (happened,)), "")]
    others = tuple(moves.LayTile(Seat(1), Position(1), held, train, 0, 4) for train in (0, 1, 2))
    for seat_moves in (others, (moves.DrawTile(Seat(1)), moves.Pass(Seat(1)))):
        said += [since_sentence(SCENE, Since(seat_moves, had_turn=turn)) for turn in (True, False)]
    for marker in (True, False):
        trains = tuple(structs.replace(each, marker=marker) for each in SCENE.table.trains)
        scene = replace(SCENE, table=structs.replace(SCENE.table, trains=trains))
        for drawn in range(3):
            positions = frozenset(position for position, _ in SCENE.hand.tiles[:drawn])
            said += [since_sentence(scene, Since(passed=OwnPass(positions)))]
    check(*said)


@pytest.mark.parametrize("can_move", [True, False])
async def test_a_game_is_played_without_english(can_move):
    """Everything said in a game is translated, including answers about plans, hands and leaving."""
    scene = scene_after(12, 4, 0)
    lines = ["why", "plan", "plan none", "plan none", "99", "start", "kick ben", "sit"]
    lines += ["without ben", "again", "quit", "n", "leave", "quit", "quit"]
    plan = tiles_text(longest_plan(scene).pairs)
    _, front = await played(replace(scene, can_move=can_move), plan, *lines)
    check(*front.said)


@pytest.mark.parametrize("host", [True, False])
async def test_a_lobby_is_kept_without_english(host):
    """Everything said in a lobby is translated, except for names and words that were typed."""
    lines = ["kick be", "kick zoe", "allow ben", "bots x", "bots 9", "change walnut"]
    node, front, _ = await ordered(*lines, "hint", "odds", "start", "bots easy", is_host=host)
    said = [told[1] for told in node.asked if told[0] == "chat"]
    now = view_of(scene_after(9, 4, 1), seats=seats_of("Ana", "Ben"))
    said += [seats_text({b"a": "Dora"}, now, b"Ana", ""), why_not_first(view(), "x")]
    check(*front.said, *said, still_here(["Ana"]), still_here(NAMES), more=lines)


# ---- what is answered to what is typed ----------------------------------------------------------

NOT_UNDERSTOOD = (
    "why board",
    "why x",
    "fly",
    "bord",
    "ben 9-4",
    "play",
    "p x",
    "bullet ben",
    "hub x",
    "hub 9-9 8-8",
    "pull x",
    "start a b",
    "hand x",
    "hand 9-4 9-4",
    "plan x",
    "hint x",
    "review x",
    "draw x",
    *(each.word for each in VERBS if each.missing),
)
NOT_FOUND = (
    "99",
    "16-16",
    "9-4 fly",
    "9-4 94",
    "catch",
    "catch fly",
    "hub",
    "pull 99",
    "bullet",
    "9-9 8-8 back",
    "9-8 8-9",
    "bullet 9-8 8-9",
    "12-3",
    "tap",
    "9-4 an",
)


def test_what_is_wrong_or_not_there_is_answered_in_the_language_spoken():
    """Answers to wrong lines are translated, in your turn, out of turn, and for watchers."""
    hints = [parse(line) for line in NOT_UNDERSTOOD]
    hints += [read_tiles(each.split()) for each in ("x", "112", "12 13")]
    assert {type(hint) for hint in hints} == {UsageError}
    scenes = [SCENE, replace(SCENE, can_move=False), replace(SCENE, seat=None)]
    for scene in (*scenes, *list(scenes_of("galt-1994", 40, 1))[::9]):
        hints += [resolve(parse(line), scene) for line in NOT_FOUND]
    (a, b), *_ = pairs = [(tile.high, tile.low) for _, tile in SCENE.hand.tiles]
    lost = next(pair for pair in ((9, 9), (8, 8), (7, 6)) if pair not in pairs)
    for chain in (((a, b), (a, b)), (lost,), ((16, 16),), (*pairs,)):
        hints.append(plan_of(PlayChain(chain), SCENE))
    told = [each.hint for each in hints if isinstance(each, NotFound | UsageError)]
    assert len(told) > len(NOT_UNDERSTOOD) + 2 * len(NOT_FOUND)
    dropped = [why_not_whole(Plan(0, (each,)), SCENE) for each in (lost, *pairs)]
    check(*told, *dropped, more=[*NOT_UNDERSTOOD, *NOT_FOUND])


@pytest.mark.parametrize("preset", ["galt-1994", "wolf-lake"])
def test_what_tab_offers_is_explained_in_the_language_spoken(preset):
    """The explanations that Tab shows after a command, a tile or nothing are translated."""
    for scene in list(scenes_of(preset, 40, 1))[::7]:
        before = ["", *(f"{each.word} " for each in VERBS)]
        before += [f"{each.text} " for each in complete("", scene) if each.text[0].isdigit()]
        offered = [each.meta for line in before for each in complete(line, scene)]
        check(*offered, more=["n x"])


# ---- away from a table --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    [
        *("config", "config show bell", "config show name", "config show x", "config unset sort"),
        *("config set bell off", "config set bell loud", "config --write", "games", "stats"),
        *("rules", "rules standard", "rules x", "rules cover --with blanks=0-50"),
        *("solve 1-2 2-3 3-3", "solve 1-2 2-2 --by pips --from 1 --cover", "solve 1-2 1-2"),
        *("solve 1-1 --cover", "solve 5-5 5-6 --from 1", "solve 1-2 2-4 4-8 --seconds 0"),
        *("verify x", "replay x", "review x", "sheet x"),
        *("play --bots 0", "play --seats 2 --bots 3", "play --seats 5 --bots 2"),
        "host --first-player x",
    ],
)
def test_what_a_command_prints_is_translated(typed, tmp_path):
    """Everything that these commands print is translated, both output and complaints."""
    done = boneyard_here(*typed.split(), data=tmp_path)
    assert (done.stdout + done.stderr).strip()
    quoted = [str(tmp_path), "x loud BONEYARD_BELL BONEYARD_NAME No such file or directory"]
    check(done.stdout, done.stderr, more=quoted)


def test_choosing_what_to_play_is_translated():
    """Every page of the menu is translated, and so are its answers to various lines.

    So are the rows of the practice menu and the sentences about tables on the network.
    """
    chosen = Hosting(TableChoice())
    pages = [
        Hosting(),
        Hosting(lists=True),
        *(structs.replace(chosen, asks=name) for name in table.TABLE),
    ]
    typed = ("x", "set", "set x", "set 9", "seats 2", "blanks", "blanks x", "draws x", "switches")
    for page in pages:
        check(written(shown(page, WIDE)))
        said = (answered_by_host(page, line).said for line in (*typed, "rules walnut"))
        check(*said, more=["x"])
    check(written(menu_lines(rule_sets(), WIDE)))
    other = structs.replace(TABLE, phase="playing", addresses=())
    rows = (text for _, text in practice_rows(Practice()))
    check(*rows, ad_sentence(TABLE), ad_sentence(other))


def test_files_are_explained_in_the_players_language():
    """The comments in rule files and in the settings file are translated."""
    text = write_choice(TableChoice(values={"deal": "galt"})) + commented_file()
    lines = [line for line in text.splitlines() if line.startswith("#")]
    comments = [line for line in lines if not re.match(r"# [a-z-]+ = ", line)]
    assert len(comments) > 100
    check(*comments)


def test_doctor_is_translated():
    """Everything `doctor` says is translated, except for names and messages of the system."""
    typed = "chmod sudo ufw allow firewall cmd permanent reload add port service mdns tcp udp"
    for facts, _, quoted, _ in ((WELL, "", "", ""), *PROBLEMS, *WARNINGS):
        for each in symptoms(facts):
            more = [quoted, typed, "wlan data ann utf Python trio x Cannot write"]
            check(each.area, each.text, each.advice, more=more)


@pytest.mark.parametrize("doing", get_args(Doing))
def test_what_fails_with_a_file_is_translated(doing):
    """Complaints about files are translated, except for the file's name and the system's reason."""
    check(sentence_about(trouble_of(OSError(5, "x"), doing, Path("x"))), more=["x"])


def test_who_signed_is_translated():
    """The list of signers is translated; fingerprints, which people compare, are not."""
    signers = [
        Signatory("Ann", "ab", "cd", entries, host=True, bot=not in_tab, tab=in_tab)
        for entries, in_tab in ((0, False), (1, True), (2, False))
    ]
    verdict = RecordVerdict(FileFinding.WHOLE_GAME, (), 1, signers=(*signers,), head="ef")
    check(*who_lines(signers), *unmet(verdict, ["cd", "ffff"], "f00"), more=["cd ef f ffff"])


def test_what_a_check_has_found_is_translated(record):
    """Verdicts on records, with the place of damage, are translated; names and digests are not."""
    whole = record.read_bytes()
    spoilt = bytes([*whole[:-1], whole[-1] ^ 4])
    files = [whole, whole_frames(whole[:-1]), whole[:-1], spoilt, whole[:5], b"", b"no record"]
    verdicts = [verify_record(each, token_bytes) for each in files]
    with playing_by(revision.RULES_REVISION + 1):
        verdicts.append(verify_record(whole, token_bytes))
    assert len({each.sentence for each in verdicts}) == len(verdicts)
    for each in verdicts:
        check(verdict_text(each), more=[each.head[:16]])
    for ended in ("left", "over", "demonstration"):
        check(verdict_text(verdicts[1], ended), more=[verdicts[1].head[:16]])


@pytest.mark.parametrize("typed", ["7", "7-xx-yy", "7-ottar-violin", "[", "a:b"])
def test_what_one_types_wrong_is_explained_in_the_players_language(typed):
    """Complaints about codes and addresses are translated; typed text and suggestions are not."""
    read = parse_code if typed[0] == "7" else parse_address
    with pytest.raises(Malformed) as raised:
        read(typed)
    check(sentence_about(raised.value), more=[typed])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""), ("Bob 9-4 Bob", "Bob 4-8 Bob"), ("no-such-train", "owed-double"),
        ("Cy draw", "! Cy draw"), ("turn: Bob", "turn:"), ("set: 9", "set: 8"),
    ],
)  # fmt: skip
def test_what_the_referee_says_is_translated(right, wrong):
    """The sentences of the referee are translated; the words of the notation are not."""
    text = GAME.replace(right, wrong)
    said, is_right = judged(read_game(text))
    assert is_right is not bool(wrong)
    check(*said, more=[GAME, text])


@pytest.mark.parametrize("finished", [True, False])
def test_a_past_game_is_told_without_english(finished):
    """The list entry, sheet and title of a past game are translated, for players and watchers."""
    kept = SavedGame(1, Path("x"), 0.0, None)
    for winners, turn in (((0,), 0), ((0, 1), 1), ((), -1)):
        told = game([(0, 9, 9)], winners, switches=("ties=shared",), finished=finished)
        told = structs.replace(told, turn=turn)
        check(*(game_sentence(ToldGame(kept, told, own)) for own in (0, None)))
        check(*map(plain_text, drawn_sheet(told, WIDE)))
        check(sheet_title(told), company_text(told, None))


@pytest.mark.parametrize("mover", [0, -1])
def test_a_game_is_watched_without_english(mover):
    """A replay is translated, with its position, its open hands and its answers to typed lines."""
    seen = Viewing([Frame(scene_after(9, 4, 3), "", 7, mover, {})], hands=True, plays=True)
    for line in ("h", "play", "x", "/zoe", "g 9", "help"):
        check(written(view_lines(answered(seen, line), WIDE)), more=[line])
