"""`boneyard sheet`: the scores of one game as text, as CSV, as JSON, or as a plot."""

import argparse
import json
from pathlib import Path

from cli.exits import CommandFailed, ExitCode, sentence_about
from cli.files import write_over
from cli.history.naming import data_at, record_meant, record_named
from cli.history.sheet import csv_sheet, drawn_sheet, sheet_facts, svg_sheet
from cli.kept import summary_beside
from cli.language import say
from cli.program import DISTRIBUTION, is_by_uv_run, typed_in_shell
from cli.render.palette import plain_text
from cli.results.summary import NeverBegan, Summary
from cli.screens.pager import show_page
from cli.settings.look import own_canvas
from cli.visible import print_text


def run(options: argparse.Namespace) -> ExitCode:
    """Write the sheet of a record to standard output, or to a file; return `OK`.

    Raises `CommandFailed` if the record cannot be read or does not hold, if the game never began or
    goes on with no round scored yet, if there is nothing to plot, or if the file cannot be written.
    """
    with record_meant(options) as octets:
        record = record_named(options.file, data_at(options.data))
        try:
            told = summary_beside(Path(record), octets)
        except NeverBegan as problem:  # the record is not at fault
            raise CommandFailed(ExitCode.FAILED, sentence_about(problem)) from None
    if not told.scores and not told.finished:
        raise CommandFailed(ExitCode.FAILED, say("No round of this game is scored yet."))
    if not told.scores and options.svg:
        text = "No round of this game was scored, so there is nothing to plot."
        raise CommandFailed(ExitCode.FAILED, say(text))
    if options.out is None and not (options.csv or options.svg or options.json):
        show_page(drawn_sheet(told, own_canvas()))
        return ExitCode.OK
    sheet = _sheet(told, options)
    if options.out is None:
        print_text(sheet)
        return ExitCode.OK
    write_over(options.out, sheet.encode())
    return ExitCode.OK


def _sheet(told: Summary, options: argparse.Namespace) -> str:
    """Return the sheet as text for a file or a pipe.

    Raises `CommandFailed` if a plot is wanted and pygal is missing.
    """
    if options.json:
        return f"{json.dumps(sheet_facts(told), ensure_ascii=False)}\n"
    if options.csv:
        return csv_sheet(told)
    if options.svg:
        try:
            return svg_sheet(told)
        except ModuleNotFoundError as missing:
            if missing.name != "pygal":
                raise
            raise CommandFailed(ExitCode.FAILED, _no_plot()) from None
    lines = drawn_sheet(told, own_canvas())
    return "".join(f"{plain_text(line).rstrip()}\n" for line in lines)


def _no_plot() -> str:
    """Return a sentence on how to get the package that draws a plot.

    The command in it depends on how this program was called.
    """
    if is_by_uv_run():
        again = typed_in_shell().replace("uv run ", "uv run --extra svg ", 1)
        return say("A plot needs pygal. Type: {command}", command=f"{again} sheet …")
    text = "A plot needs pygal. Install it with: {command}"
    return say(text, command=f'pipx install --force "{DISTRIBUTION}[svg]"')
