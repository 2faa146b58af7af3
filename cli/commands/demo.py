"""`boneyard demo`: one of four players cheats, the others name it, and the evidence is verified.

The four run the same programs as people do, at a table on this computer. Only the cheat's signer is
changed (`cli.lies`): the other programs find the lie by themselves. The demo tells the game more
slowly than it happens.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Final, NamedTuple

import trio

from cli.commands.verify import who_lines
from cli.exits import ExitCode
from cli.history.naming import data_at
from cli.joining.choosing import one_of
from cli.joining.person import at_screen
from cli.language import joined, say
from cli.lies import LIES, Lie, corrupt
from cli.program import typed_in_shell
from cli.render.cells import wrap_words
from cli.render.palette import Paint
from cli.scene import onlooker_scene
from cli.screens.runs import AtScreen
from cli.session.frontend import FrontEnd
from cli.session.verbs.leaving import LEAVING
from cli.settings.chosen import chosen
from cli.settings.declared import REDUCED_MOTION
from cli.streams import has_terminal
from cli.visible import visible
from cli.wording.notices import notice_text
from cli.wording.verdict import verdict_text
from engine.bots.levels import BotLevel
from engine.rules.choose import STANDARD
from netgame.io.disk.memory import IN_MEMORY, in_memory
from netgame.io.disk.record_file import read_record
from netgame.io.disk.storage import create_folder, replace_file
from netgame.io.entropy import fresh_octets
from netgame.io.node.node import Node
from netgame.io.tables.host import host_table
from netgame.io.tables.options import HostOptions, ReachedBy
from netgame.protocol import notices
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.notices import DealPhase
from netgame.saying import saying
from netgame.wire.messages import Settings

_HOST: Final = "Ann"
_GUESTS: Final = ("Ben", "Cleo", "Dot")
CHEAT: Final = "Cleo"

_LETTERS: Final = 25.0
"""Letters read in a second: the whole demo takes a minute."""

_STAGES: Final[Mapping[DealPhase, str]] = {
    DealPhase.KEY_OPEN: "Each has made a key for this round, sealed until all four were there.",
    DealPhase.DECK: "{name} has shuffled the 55 tiles and put a lock on each.",
    DealPhase.PROOF: "Each has sent a proof of the shuffle. Everybody checks everybody else's.",
    DealPhase.CHECKED: "Every proof holds, and all four have signed that.",
}

Told = tuple[str, Paint]


class DemoGame(NamedTuple):
    """The sentences told during one game of the demo, and its outcome."""

    told: tuple[Told, ...]
    named: Mapping[str, str]
    """Whom each honest program, by its player's name, accuses; empty if nobody was caught."""
    evidence: bytes = b""
    """The file that the host's program wrote; empty if nobody was caught."""
    then: notices.AfterFault = notices.AfterFault.NOTHING
    """The table's reaction to the fault."""


def run(options: argparse.Namespace) -> AtScreen:
    """Return the demo of one cheat, to be run at any screen."""
    return at_screen(options, lambda front: demo(front, options))


async def demo(front: FrontEnd, options: argparse.Namespace) -> ExitCode:
    """Show the cheat that is named or that the person chooses, or the first if nobody can choose.

    Returns `OK` at the end of the demo, or if the person stops it or goes back, and `FAILED` if the
    evidence does not verify. The evidence is written to `evidence-CHEAT.bin` in the data folder.
    """
    watched, word = has_terminal(), options.cheat
    if watched and word is None:
        rows = [f"{each}: {say(lie.sentence)}" for each, lie in LIES.items()]
        head = say("How shall {name} cheat?", name=CHEAT)
        at = await one_of(front, head, rows, [*LIES])
        front.offer(None)
        if at is None:
            return ExitCode.OK
        word = [*LIES][at]
    word = word or next(iter(LIES))
    usual = 1.0 if watched and not chosen(REDUCED_MOTION) else 0.0
    speed = usual if options.speed is None else float(options.speed)
    path = data_at(options.data).path / f"evidence-{word}.bin"
    code = ExitCode.OK
    front.scene_is(None, say("type quit to stop"))
    async with trio.open_nursery() as nursery:
        if watched:
            nursery.start_soon(_read, front, nursery.cancel_scope)
        code = await _show(front, LIES[word], options.seed, speed, path)
        nursery.cancel_scope.cancel()
    return code


async def _read(front: FrontEnd, telling: trio.CancelScope) -> None:
    """Read lines until the input ends; a line that says quit cancels `telling`."""
    while (line := await front.next_line(LEAVING[0])) is not None:
        if line.strip().lower() in LEAVING:
            telling.cancel()


async def _show(front: FrontEnd, lie: Lie, seed: int | None, speed: float, path: Path) -> ExitCode:
    """Play until the cheat has had a chance to lie, tell what happened, and write the evidence.

    The evidence goes to `path`, in a folder that is created if missing, and replaces a file there.
    Returns `FAILED` if the evidence does not verify, else `OK`. If `speed` is 0, everything is told
    at once.
    """

    async def tell(text: str, paint: Paint = Paint.PLAIN) -> None:
        """Show a sentence, below a blank line if painted; with a `speed`, leave time to read it."""
        gap = () if paint is Paint.PLAIN else ((),)
        front.show((*gap, *wrap_words(visible(text), front.canvas().columns, "", paint)))
        if speed:
            await trio.sleep(len(text) / _LETTERS / speed)

    text = (
        "{names} sit down to Mexican Train. Each runs the same program as you, except that "
        "{name}'s has been changed: it {sentence}."
    )
    names = joined([_HOST, *_GUESTS])
    await tell(say(text, names=names, name=CHEAT, sentence=say(lie.sentence)))
    game = DemoGame((), {})
    while not game.evidence:  # in some rounds there is no chance for this lie
        with in_memory():
            game = await play(lie, IN_MEMORY, seed)
        seed = None if seed is None else seed + 1
    for each in game.told:
        await tell(*each)
    names = joined([name for name, named in game.named.items() if named == CHEAT])
    text = "{names} have each checked this for themselves, and name {name}. They go on without it."
    if game.then is notices.AfterFault.STOPS:
        text = "{names} have each checked this for themselves, and name {name}. The game stops."
    await tell(say(text, names=names, name=CHEAT))
    await tell(say("Why: {why}", why=say(lie.why, name=CHEAT)))
    create_folder(path.parent)
    replace_file(path, game.evidence)
    text = (
        "{name}'s program has written the evidence: everything that was signed, up to the "
        "lie. Anybody with the file can check it, without trusting anybody at the table:"
    )
    await tell(say(text, name=_HOST))
    await tell(typed_in_shell("verify", quote(str(path))), Paint.STRONG)
    verdict = verify_record(game.evidence, fresh_octets)
    for line in (verdict_text(verdict), *who_lines(verdict.signers)):
        await tell(line)
    text = (
        "Change one byte of the file, and it proves nothing. For another cheat, type {demo}; for "
        "an honest game, {play}."
    )
    again, play_here = typed_in_shell("demo"), typed_in_shell("play")
    await tell(say(text, demo=again, play=play_here))
    return ExitCode.OK if verdict.ok else ExitCode.FAILED


async def play(lie: Lie, folder: Path, seed: int | None = None) -> DemoGame:
    """Play a round with a cheat until the host's program convicts somebody, or to the end.

    All files are in `folder`. The `evidence` of the result is empty if nobody was convicted.
    """
    table = HostOptions(
        name=_HOST,
        settings=Settings(
            preset=STANDARD, switches=(), pip_max=9, seats=1 + len(_GUESTS), rounds=1, hand=0
        ),
        data_dir=folder,
        auto=True,
        reach=ReachedBy.PROGRAM,
        bots=(BotLevel.EASY,) * len(_GUESTS),
        bot_names=_GUESTS,
        seed=seed,
    )
    async with host_table(table) as node:
        cheat = node.bots[_GUESTS.index(CHEAT)]

        def confess(victim: str) -> None:
            node.tell_trouble(saying(lie.told, name=CHEAT, victim=victim))

        corrupt(cheat.parts, lie, confess)
        await node.begin()
        told: list[Told] = []
        async for notice in node.notices:
            told += _told(node, notice)
            if isinstance(notice, notices.GameOver):
                break
            if isinstance(notice, notices.FaultFound) and node.folder is not None:
                honest = [node, *(bot for bot in node.bots if bot is not cheat)]
                named = {each.name: await _named_by(each) for each in honest}
                evidence = read_record(node.folder.path / notice.evidence)
                return DemoGame(tuple(told), named, evidence, notice.then)
    return DemoGame(tuple(told), {})


async def _named_by(node: Node) -> str:
    """Wait until the program at this seat convicts somebody; return the convicted player's name."""
    await node.until(lambda _: bool(node.parts.faults.kept))
    return node.view().name_of(node.parts.faults.kept[0].key)


def _told(node: Node, notice: notices.Notice) -> tuple[Told, ...]:
    """Return the sentence for a notice, with its paint; empty if the demo does not mention it.

    The deal is described more fully than at a real table.
    """
    view, text, paint = node.view(), "", Paint.PLAIN
    match notice:
        case notices.GameStarted():
            text = say("They drew seats: each sealed a number, then all opened theirs.")
        case notices.DealStage(step, name):
            text = say(_STAGES.get(step, ""), name=name)
        case notices.FaultFound(sentence=sentence):
            text, paint = sentence, Paint.ALERT
        case notices.Trouble():
            text, paint = notice_text(None, notice), Paint.STRONG
        case notices.Dealt() | notices.Played() if view.table is not None:
            text = notice_text(onlooker_scene(view.table, view.seats), notice)
    return ((text, paint),) if text else ()
