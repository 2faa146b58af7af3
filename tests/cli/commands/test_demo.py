"""`boneyard demo`: honest programs name the cheat, and the evidence proves them right."""

import secrets

import pytest
import trio

from cli.commands.demo import CHEAT, DemoGame, play
from cli.lies import LIES, Lie, corrupt
from netgame.protocol.ledger.verdict import FileFinding
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.state.phases import Phase
from tests.cli.pseudoterminals import Terminal
from tests.cli.running import boneyard_here
from tests.netgame.simtable import full_table, standard

SEED = 3


def game(lie: Lie, folder) -> DemoGame:
    """Play the demonstration of this lie in `folder`, and return the game."""
    return trio.run(play, lie, folder, SEED)


@pytest.mark.parametrize("word", LIES)
def test_every_honest_program_names_the_cheat_and_so_does_the_evidence(word, tmp_path):
    """Every honest program names the cheat, and so does `verify` from the evidence alone."""
    lie, caught = LIES[word], game(LIES[word], tmp_path)
    assert caught.named == {"Ann": CHEAT, "Ben": CHEAT, "Dot": CHEAT}
    verdict = verify_record(caught.evidence, secrets.token_bytes)
    assert verdict.finding is FileFinding.EVIDENCE
    assert verdict.culprit.startswith(f"{CHEAT} (")
    *before, (found, _) = caught.told
    assert verdict.sentence == f"Good evidence: {found}"
    begins = lie.told.partition("{victim}")[0].format(name=CHEAT)
    assert sum(text.startswith(begins) for text, _ in before) == 1


def test_a_signer_lies_only_once_there_is_somebody_to_hear_it():
    """A liar that has not greeted any peer yet signs honest entries, as nobody would hear a lie."""
    table, told = full_table(("Ann", "Ben", "Cy"), standard()), list[str]()
    liar = table.sitters[-1]
    corrupt(liar.parts, LIES["coin"], told.append)
    liar.context.links.greeted = set
    table.until(table.host, Phase.DEAL)
    assert not [*told, *table.host.faults()]


def test_a_signer_that_does_not_lie_is_named_by_nobody(tmp_path):
    """If the signer never lies, the round is played to its end, and nobody is accused."""
    honest = next(iter(LIES.values()))._replace(instead=lambda _parts, _said: None)
    caught = game(honest, tmp_path)
    assert (caught.named, caught.evidence) == ({}, b"")
    assert not any("cheats" in text for text, _ in caught.told)


def test_a_pipe_gets_the_first_cheat_at_once(tmp_path):
    """If its output is a pipe, the demo asks nothing and shows the first cheat.

    No line has more than 100 columns, and the evidence is written to a file.
    """
    done = boneyard_here("demo", "--seed", SEED, data=tmp_path)
    assert done.returncode == 0, done.stderr
    told, _, verdict = done.stdout.partition("boneyard verify")
    assert max(map(len, told.splitlines())) <= 100
    assert f"Good evidence: {CHEAT}" in verdict
    assert (tmp_path / "evidence-shuffle.bin").exists()


def test_a_folder_that_takes_no_file_is_one_sentence(tmp_path):
    """If the folder for the evidence cannot be made, one line says so, and the exit code is 1."""
    (tmp_path / "data").write_bytes(b"")
    done = boneyard_here("demo", "coin", "--data", tmp_path / "data" / "more")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Cannot create folder ")


def test_somebody_at_a_terminal_chooses_and_may_interrupt(tmp_path):
    """At a terminal the demo asks which cheat to show; Ctrl-C typed twice ends it."""
    demo = Terminal(tmp_path, "demo", "--speed", "0.1")
    demo.wait_for_prompt("How shall Cleo cheat")
    demo.send("psas\r")
    demo.wait_for("did you mean pass")
    demo.send("pass\r")
    demo.wait_for("sit down to Mexican Train")
    demo.send("\x03")
    demo.wait_for("Ctrl-C once more to leave at once")
    demo.send("\x03")
    assert demo.exit_code() == 130
    assert "Traceback" not in demo.text()


def test_a_demo_or_a_game_of_the_menu_ends_in_the_menu(tmp_path):
    """`quit` in a demo that was started from the menu leads back to the menu."""
    menu = Terminal(tmp_path, rows=40)
    menu.wait_for_prompt("What do you want|what do you want")
    menu.send("demo\r")
    menu.wait_for_prompt("How shall Cleo cheat")
    menu.send("2\r")
    menu.wait_for("sit down to Mexican Train")
    menu.send("quit\r")
    menu.wait_for_prompt("what do you want to do")
    menu.send("q\r")
    assert menu.exit_code() == 0


def test_whoever_goes_back_sees_no_game(tmp_path):
    """`b` typed at the demo's question ends the demo before any game."""
    demo = Terminal(tmp_path, "demo")
    demo.wait_for_prompt("How shall Cleo cheat")
    demo.send("b\r")
    assert demo.exit_code() == 0
    assert not demo.has("Mexican Train")
