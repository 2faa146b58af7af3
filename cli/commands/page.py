"""`boneyard page`: reports the page for browsers, or writes it as one file."""

import argparse
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode, sentence_about
from cli.files import write_over
from cli.language import say
from cli.program import DISTRIBUTION, is_by_uv_run
from cli.visible import print_line

_NO_PAGE: Final = "There is no page for browsers here. Type: {command}"
_BUILD: Final = "uv run --group page python -m page.build"
_INJECT: Final = f"pipx inject {DISTRIBUTION} boneyard-page"


def run(options: argparse.Namespace) -> ExitCode:
    """Report the page and its size, or write it as one file; return `OK`.

    Raises `CommandFailed` if there is no page, the page is damaged, or the file cannot be written.
    """
    from netgame.io.page.built import PageDamaged, read_page
    from netgame.io.page.single import single_file

    folder = page_folder()
    try:
        page = read_page(folder)
        whole = single_file(page) if options.out else b""
    except PageDamaged as damaged:
        raise CommandFailed(ExitCode.BAD_FILE, sentence_about(damaged)) from None
    if options.out:
        write_over(options.out, whole)
        text = "{path} is the whole program for a browser: {size} MB. Put it on a stick."
        print_line(say(text, path=options.out, size=f"{len(whole) / 1e6:.1f}"))
    else:
        text = (
            "The page for browsers is here: {size} MB. host serves it beside your table, and join "
            "--page at somebody else's."
        )
        size = sum(len(part.octets) for part in page.parts.values()) / 1e6
        print_line(say(text, size=f"{size:.1f}"))
    return ExitCode.OK


def page_folder() -> Path:
    """Return the folder of the page; raises `CommandFailed` if there is none."""
    from netgame.io.page.built import find_page

    folder = find_page()
    if folder is None:
        command = _BUILD if is_by_uv_run() else _INJECT
        raise CommandFailed(ExitCode.NOT_FOUND, say(_NO_PAGE, command=command))
    return folder
