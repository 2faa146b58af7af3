"""`boneyard share`: give this program to others on a network without internet."""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from cli.exits import ExitCode
from cli.language import say
from cli.screens.ending import run_trio
from cli.screens.plain import LineReader
from cli.share.bundle import PATH, Bundle, bundle_of
from cli.share.gathered import FOLDER, KINDS, gather, kept_wheels
from cli.share.installed import Wheel, installed_wheels
from cli.visible import print_line, print_text, say_progress
from netgame.io.abilities import ABILITIES, Unable
from netgame.io.disk.identity import default_data_dir
from netgame.io.disk.storage import create_folder
from netgame.io.page.built import find_page
from netgame.io.page.place import PagePlace
from netgame.io.page.serving import page_door

_PORT: Final = 4740
_TYPED: Final = "python3 -c \"U='{url}';import urllib.request as r;exec(r.urlopen(U).read())\""


def run(options: argparse.Namespace) -> ExitCode:
    """Fetch wheels for other computers, or serve all wheels until Enter; return `OK`.

    Returns `FAILED` if no kind of computer has all its wheels after fetching. Raises
    `CommandFailed` if this program is damaged or not installed as a package, or if pip is needed
    but missing. Raises `PortTrouble` if the port cannot be opened, and `Unable` where nobody can
    connect.
    """
    if not ABILITIES.get().listens:
        raise Unable("a tab of a browser has nothing to share: its host has")
    say_progress(say("Packing…"))
    wheels = [*installed_wheels()]
    folder = (Path(options.data) if options.data else default_data_dir()) / FOLDER
    if options.gather:
        return _gather(wheels, folder)
    kept = [*kept_wheels(wheels, folder)]
    bundle = bundle_of([*wheels, *kept], wheels[0].version)
    say_progress("")
    run_trio(partial(_serve, bundle, wheels, kept))
    return ExitCode.OK


def _gather(wheels: Sequence[Wheel], folder: Path) -> ExitCode:
    """Fetch wheels, and print for which kinds of computer all wheels are here now.

    Returns `FAILED` if there is no such kind, else `OK`.
    """
    create_folder(folder)
    have: dict[str, list[str]] = {each.name: [] for each in KINDS}
    why = ""
    for name, python, trouble in gather(wheels, folder):
        say_progress(f"{name}, Python {python}")
        if trouble:
            why = trouble
        else:
            have[name].append(python)
    say_progress("")
    for name, pythons in have.items():
        listed = ", ".join(pythons) or say("nothing")
        print_line(say("{name}: {pythons}", name=name, pythons=listed))
    if why:
        print_line(say("What is missing could not be fetched: {why}", why=why))
    return ExitCode.OK if any(have.values()) else ExitCode.FAILED


async def _serve(bundle: Bundle, wheels: Sequence[Wheel], kept: Sequence[Wheel]) -> None:
    """Serve the site until Enter, the end of the input, or an interrupt."""
    async with page_door(bundle.site, None, PagePlace(_PORT, PATH)) as door:
        for line in _lines(bundle, wheels, kept):
            print_line(line, indent="  ")
        # not wrapped here: a terminal joins what it has wrapped itself when it is copied
        print_text(f"  {_TYPED.format(url=door.addresses()[0])}\n\n")
        for line in _notes(bundle, kept):
            print_line(line, indent="  ")
        await LineReader(None).next_line()


def _lines(bundle: Bundle, wheels: Sequence[Wheel], kept: Sequence[Wheel]) -> tuple[str, ...]:
    """Return the lines above the command to type: what is shared, and its fingerprint."""
    text = "Boneyard {version} for this network: {count} packages, {size} MB."
    count = len({each.project for each in (*wheels, *kept)})
    size = f"{bundle.octets / 1e6:.1f}"
    return (
        say(text, version=wheels[0].version, count=count, size=size),
        say("Fingerprint: {fingerprint}", fingerprint=bundle.fingerprint),
        "",
        say("Others type this, on one line; it needs Python 3.11 or later:"),
    )


def _notes(bundle: Bundle, kept: Sequence[Wheel]) -> Iterator[str]:
    """Yield the lines below the command: where it works, whom its users trust, how sharing ends."""
    others = say("computers like this one")
    if kept:
        others = say("computers like this one, and those that share --gather fetched")
    yield say("On Windows, py in place of python3. It installs on {others}.", others=others)
    yield say(
        "People who type it let you, and anyone who controls this network, run a program there."
    )
    yield say("To check the script before it runs: SHA-256 {hash}", hash=bundle.script_sha256)
    if find_page() is not None:
        yield say("Phones, and computers without Python, open the page that host shows.")
    yield say("Enter ends this.")
