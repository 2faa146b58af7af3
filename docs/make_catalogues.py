"""Makes the catalogues of `cli/catalogues`: finds every sentence, keeps what is translated of them.

Run from the project's root with the development dependencies: `python docs/make_catalogues.py`.
Translate what it names in the `.po` file, and run it again: the `.mo` file beside it is what the
program reads. With `--check` it writes nothing, and fails where a catalogue is not as it would
make it, or lacks a sentence.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from babel.messages.catalog import Catalog  # noqa: E402
from babel.messages.mofile import write_mo  # noqa: E402
from babel.messages.pofile import read_po, write_po  # noqa: E402

from cli.arguments.parser import COMMANDS, LAB_COMMANDS, MENU  # noqa: E402
from cli.choices.table import FIRST, NAME, TABLE  # noqa: E402
from cli.doctor.symptoms import Level  # noqa: E402
from cli.exits import MEANINGS  # noqa: E402
from cli.house_rules.choice import NOT_CHOSEN  # noqa: E402
from cli.language import ANOTHER, DOMAIN, ENGLISH, FOLDER, LANGUAGES, TYPED, YOU  # noqa: E402
from cli.learn.happenings import Happening  # noqa: E402
from cli.learn.lessons import ASKED_DRAW, LOST_DRAW, ON_YOUR_OWN, PLAY_ON, Lesson  # noqa: E402
from cli.lies import LIES  # noqa: E402
from cli.render import rule_sheet  # noqa: E402
from cli.render.layout import HandOrder  # noqa: E402
from cli.render.sheets import HOW_TO_PLAY  # noqa: E402
from cli.session.answers import CATCHING_UP, NOT_BEGUN, ONLY_HOST  # noqa: E402
from cli.session.endings.round_pause import NOT_NOW  # noqa: E402
from cli.session.verbs.table import FIRST_STEPS, VERBS  # noqa: E402
from cli.settings.chosen import Origin  # noqa: E402
from cli.settings.declared import SETTINGS  # noqa: E402
from cli.wording import notices, refusals  # noqa: E402
from cli.wording.glossary import SIGNS, TERMS  # noqa: E402
from cli.wording.rulebook import rulebook  # noqa: E402
from cli.wording.seats import NO_SEAT  # noqa: E402
from engine.rules.chapters import CHAPTERS, NOT_PLAYED  # noqa: E402
from engine.rules.clashes import CLASHES, NO_MEXICAN  # noqa: E402
from engine.rules.ruleset import SWITCHES  # noqa: E402
from engine.rules.sheet_rows import ALSO, INSTEAD  # noqa: E402
from engine.rules.switches import Mexican  # noqa: E402
from netgame.io.disk.storage import CANNOT  # noqa: E402
from netgame.protocol.ledger import record  # noqa: E402
from netgame.protocol.ledger.verdict import KEYS_ARE_NOT_PEOPLE  # noqa: E402
from netgame.protocol.log.entry import BAD_CHECKSUM, BREAKS_OFF  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Named = Mapping[str, Sequence[ast.expr]]

WIDTH: Final = 100
SOME_DAY: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed date, so that the same sentences make the same octets on any day."""

CONTEXTS: Final = {"say_to": (YOU, ANOTHER), "say_of": (YOU, ANOTHER), "say_typed": (TYPED,)}
"""The functions whose texts have contexts, and these contexts."""
SAYING: Final = {"say": 0, "say_count": 0, "say_to": 1, "say_of": 2, "say_typed": 0} | {
    "answer": 0, "_flag": 2, "_add": 3, "saying": 0
}  # fmt: skip
"""The functions that say something, and the index of the text among their arguments.

They are in `cli.language`, `cli.scene`, `cli.session.session`, `cli.arguments` and
`netgame.saying`.
"""
SAYING_ALL: Final = {"_ok": 3, "_warning": 3, "_problem": 3}
"""The functions of `cli.doctor`, each with the number of its texts."""
RAISED: Final = {"Malformed": 0, "Disconnected": 0, "TimedOut": 0, "PortTrouble": 0} | {
    "NoAddresses": 0, "Unable": 0, "DiskTrouble": 0, "Refused": 1
}  # fmt: skip
"""Exceptions of `netgame` whose texts the command line says, and the index of the text."""

FACT: Final = re.compile(r"\{(\w*)(?:[:!][^{}]*)?\}")
ARGPARSE: Final = (
    *("usage: ", "options", "positional arguments", "show this help message and exit"),
    *("expected one argument", "ignored explicit argument %r"),
    "ambiguous option: %(option)s could match %(matches)s",
    "the following arguments are required: %s",
    "argument %(argument_name)s: %(message)s",
    "not allowed with argument %s",
)
"""The standard library's sentences about a command line."""


def said_in_code() -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """Yield the texts of each call that says something, each with its context or None.

    A text that depends on a number is a pair: for one, and for several.
    """
    for room in ("cli", "netgame/io", "netgame/protocol/ledger", "page/tab"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for call, named in calls(ast.parse(path.read_text("utf-8"))):
                name = called(call)
                if name in SAYING_ALL:
                    texts = [literals(each, named) for each in call.args[: SAYING_ALL[name]]]
                    yield from ((text, None) for text in chain(*texts))
                    continue
                at = (SAYING | RAISED)[name]
                texts = [literals(each, named) for each in call.args[at : at + 2]]
                if name == "say_count":
                    yield from ((pair, None) for pair in zip(*texts[:2], strict=True))
                    continue
                contexts = CONTEXTS.get(name, (None,))
                yield from ((text, each) for text in texts[0] for each in contexts)


def calls(scope: ast.AST, named: Named | None = None) -> Iterator[tuple[ast.Call, Named]]:
    """Yield the calls that say something in `scope`, each with the values its names may have."""
    known = dict(named or {})
    inside: list[ast.AST] = []
    functions: list[ast.AST] = []
    waiting = [*ast.iter_child_nodes(scope)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append(node)
            continue
        inside.append(node)
        waiting += ast.iter_child_nodes(node)
        for name, value in assigned(node):
            known[name] = [*known.get(name, ()), value]
    for node in inside:
        if isinstance(node, ast.Call) and called(node) in SAYING | SAYING_ALL | RAISED:
            yield node, known
    for function in functions:
        yield from calls(function, known)


def called(call: ast.Call) -> str:
    """Return the name of a called function, `answer` for a method of that name, or else ""."""
    is_method = getattr(call.func, "attr", "") == "answer"
    return "answer" if is_method else getattr(call.func, "id", "")


def assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield each name that a statement assigns, with the value."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            yield from zip(map(ast.unparse, names), values, strict=True)


def literals(node: ast.expr, named: Named) -> list[str]:
    """Return every text that may be the value of an expression.

    The value may depend on a condition, a name or a table. Raises `SystemExit` for an f-string.
    """
    match node:
        case ast.Constant(value=str(text)):
            return [text] if text else []
        case ast.IfExp(body=one, orelse=other):
            return literals(one, named) + literals(other, named)
        case ast.Dict(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
            return [text for value in values for text in literals(value, named)]
        case ast.Name(id=name):
            rest = {key: values for key, values in named.items() if key != name}
            return [text for value in named.get(name, ()) for text in literals(value, rest)]
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get")):
            return literals(table, named)
        case ast.JoinedStr():
            raise SystemExit(f"no f-string can be translated: {ast.unparse(node)}")
        case _:
            return []


def said_in_tables() -> Iterator[str]:
    """Yield the sentences in tables, most of them beside the things they describe."""
    for switch in SWITCHES.values():
        yield from (switch.decides, switch.counted)
    yield from (word for each in Mexican for word in (each.label, each.noun))
    for title, always, _ in CHAPTERS:
        yield from (title, always)
    for choice in (*TABLE.values(), *SETTINGS.values(), FIRST, NAME):
        yield from (choice.about, *choice.kind.sentences.values())
    for command in VERBS:
        yield from (command.sentence, command.missing, command.takes)
    yield from (term.sentence for term in TERMS)
    yield from (section.title for section in rulebook().values())
    yield from (text for sign in SIGNS for text in (sign.where, sign.meaning))
    yield from (sign.label for sign in SIGNS if sign.label.isalpha() and len(sign.label) > 1)
    yield from (clash.reason for clash in (*CLASHES, NO_MEXICAN))
    yield from (row.sentence for row in (*INSTEAD, *ALSO))
    yield from (*NOT_PLAYED.values(), *COMMANDS.values(), *LAB_COMMANDS.values())
    yield from (MENU, *MEANINGS.values())
    yield from (each.value for kind in (Level, Origin, HandOrder) for each in kind)
    yield from (text for lesson in Lesson for text in lesson.value)
    yield from (*HOW_TO_PLAY, *(told for _, told in FIRST_STEPS))
    yield from (ASKED_DRAW, LOST_DRAW, ON_YOUR_OWN, PLAY_ON, *(each.value for each in Happening))
    yield from (text for lie in LIES.values() for text in (lie.sentence, lie.told, lie.why))
    yield from (*rule_sheet._LEGEND, *notices.DEALING.values(), *refusals._RULES, refusals._TABLE)
    yield from NO_SEAT.values()
    yield from (record.NOT_OUR_REVISION, record.NOT_OUR_VERSION, KEYS_ARE_NOT_PEOPLE)
    yield from CANNOT.values()
    yield from (record.NO_RECORD, record.DAMAGED, BREAKS_OFF, BAD_CHECKSUM)
    yield from (record.CUT_OFF, record.CUT_OFF_AT_ONCE, record.EMPTY)
    yield from (NOT_CHOSEN, NOT_NOW, NOT_BEGUN, ONLY_HOST, CATCHING_UP, *ARGPARSE)


def template() -> Catalog:
    """Return the catalogue of all sentences, without translations."""
    found = Catalog(
        project="boneyard", version="1", copyright_holder="The Boneyard founders", fuzzy=False
    )
    for text, whom in said_in_code():
        found.add(text, context=whom)
    for text in filter(None, said_in_tables()):
        found.add(text)
    for verb in VERBS:
        if verb.makes and not verb.takes:
            found.add(verb.word, context=TYPED)
    return found


def brought_up_to_date(language: str) -> Catalog:
    """Return the catalogue of a language with today's sentences and their existing translations."""
    path = po_path(language)
    kept = Catalog(locale=language)
    if path.exists():
        kept = read_po(io.BytesIO(path.read_bytes()), locale=language)
    found = template()
    found.locale = kept.locale
    found.header_comment = kept.header_comment
    for message in found:
        old = kept.get(message.id, message.context) if message.id else None
        if old is not None and old.string:
            message.string = old.string
    return found


def faults(catalogue: Catalog) -> Iterator[str]:
    """Yield the sentences that are not translated, and translations that cannot be used."""
    for message in catalogue:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        facts = {fact for each in ids for fact in FACT.findall(each)}
        if not all(texts):
            yield f"not translated: {ids[0]!r}"
        for text in filter(None, texts):
            left = FACT.sub("", text)
            if unknown := {*FACT.findall(text)} - facts:
                yield f"unknown facts {', '.join(sorted(unknown))} in the translation of {ids[0]!r}"
            if "{" in left or "}" in left or left.count("%") != FACT.sub("", ids[0]).count("%"):
                yield f"a brace or a percent sign too many or too few: {text!r}"


def po_path(language: str) -> Path:
    """Return the path of a language's sentences in the form that people edit."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def files(catalogue: Catalog, language: str) -> dict[Path, bytes]:
    """Return the octets of the `.po` and the `.mo` file of a catalogue, by path."""
    po, mo = io.BytesIO(), io.BytesIO()
    write_po(po, catalogue, width=WIDTH, sort_output=True, omit_header=False)
    lines = po.getvalue().splitlines(keepends=True)
    unsaid = (b"# FIRST", b'"POT-', b'"PO-', b'"Generated-', b'"Report-', b'"Last-', b'"Language-T')
    text = b"".join(line for line in lines if not line.startswith(unsaid))
    read = read_po(io.BytesIO(text), locale=language)
    read.creation_date = read.revision_date = SOME_DAY
    write_mo(mo, read)
    path = po_path(language)
    return {path: text, path.with_suffix(".mo"): mo.getvalue()}


def main() -> int:
    """Write the catalogues, or check them; print what is wrong, and return 1 if a check fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    wrong = []
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        catalogue = brought_up_to_date(language)
        wrong += [f"{language}: {fault}" for fault in faults(catalogue)]
        for path, octets in files(catalogue, language).items():
            if check and (not path.exists() or path.read_bytes() != octets):
                wrong.append(f"{path.relative_to(ROOT)} is not as it would be made")
            elif not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(octets)
    print("\n".join(wrong) or "every sentence is translated")
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.exit(main())
