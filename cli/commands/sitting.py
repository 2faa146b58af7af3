"""How a person sits down, from the options: name, files, and what is said at the end."""

from __future__ import annotations

import argparse
import getpass
import os
from pathlib import Path
from shlex import quote

from cli.seat.player import Sitting
from netgame.io.node import Node
from netgame.io.options import JoinOptions
from netgame.limits import NAME_CELLS_MAX
from netgame.protocol.text import clean_text


def own_name(options: argparse.Namespace) -> str:
    """Return the name to sit under: the option, `BONEYARD_NAME`, or the login."""
    given = getattr(options, "name", None) or os.environ.get("BONEYARD_NAME") or _login()
    return clean_text(given, NAME_CELLS_MAX, "player")


def _login() -> str:
    try:
        return getpass.getuser().capitalize()
    except (KeyError, OSError, ImportError):
        return "player"


def data_dir(options: argparse.Namespace) -> Path | None:
    """Return where files are kept, if anybody said so: the option, or `BONEYARD_DATA`."""
    given = getattr(options, "data", None) or os.environ.get("BONEYARD_DATA")
    return Path(given) if given else None


def record_path(options: argparse.Namespace) -> Path | None:
    """Return where the record goes, if the option says so."""
    return Path(options.record) if options.record else None


def seat_options(options: argparse.Namespace) -> JoinOptions:
    """Return how a seat is taken at somebody else's table, or again at an old one."""
    return JoinOptions(
        name=own_name(options),
        data_dir=data_dir(options),
        record=record_path(options),
        auto=options.auto,
    )


def sitting_of(
    node: Node,
    options: argparse.Namespace,
    addresses: tuple[str, ...],
    *,
    starts_itself: bool = False,
) -> Sitting:
    """Say how this person sits, from the options."""

    def ending() -> tuple[str, ...]:
        return _ending(node, options)

    watches = getattr(options, "watch", False)
    looks_on = watches or getattr(options, "no_seat", False)

    def code() -> str:
        return str(node.door.code or "")

    return Sitting(
        addresses,
        auto=options.auto,
        stays=options.auto or looks_on,
        starts_itself=starts_itself,
        ending=ending,
        code=code,
        watches=watches,
    )


def _ending(node: Node, options: argparse.Namespace) -> tuple[str, ...]:
    """Say what was proved, and how to check it again; a command last, to be copied."""
    kept = options.record or (str(node.folder.record.path) if node.folder is not None else "")
    seats = len(node.view().seats)
    if getattr(options, "seed", None) is not None:
        said = (
            f"It was dealt from seed {options.seed}: a demonstration, not a fair deal. "
            "The same moves bring the same game again."
        )
    else:
        said = (
            f"Every deck was shuffled by all {seats} seats, and every shuffle, draw and pass was "
            "proved to all of them."
        )
    check = f"The record is in a file; check it again with: boneyard verify {quote(kept)}"
    return (said, check) if kept else (said,)
