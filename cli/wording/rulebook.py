"""docs/rules.md, the rules of every table, section by section.

In a wheel the page is beside this module; in a clone it is in `docs`. The page is in English only,
but catalogues translate the titles.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cli.language import say
from cli.visible import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_HERE: Final = Path(__file__).resolve().parent
_PLACES: Final = (_HERE / "rules.md", _HERE.parents[1] / "docs" / "rules.md")

_CHAPTER: Final = re.compile(r"## (\d+)\. (.+)")
_SECTION: Final = re.compile(r"\*\*(\d+\.\d+) ([^*]+?)\.?\*\*")
_NUMBER: Final = r"(\d{1,2}(?:\.\d{1,2})?)"
_CITED: Final = tuple(
    re.compile(cited, re.ASCII | re.IGNORECASE)
    for cited in (
        rf"§\s*{_NUMBER}",
        rf"\b(?:section|secci[oó]n) {_NUMBER}\b(?!\S\d)",
        rf"\b(?:rules?|reglas?|r) {_NUMBER}\W*",
    )
)
"""Patterns for citing a section; the first two match anywhere, the last only a whole line."""
_ARTICLE: Final = re.compile(r"^(?:the|an?|el|la|los|las|un|una) ")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_EMPHASIS: Final = re.compile(r"\*\*?([^*]+)\*\*?")
_RULED: Final = re.compile(r"\|[-|]+")


class Section(NamedTuple):
    """One section of the page, or a whole chapter with all its sections."""

    number: str
    """Its number, such as `2.2`, or `2` for a chapter."""
    title: str
    blocks: tuple[str, ...]
    """Its paragraphs, rows of tables and lines of examples, each as one line of plain text."""


@cache
def rulebook() -> Mapping[str, Section]:
    """Return all sections and chapters by number, in the order of the page.

    The first call reads the page. The result is empty if the page is not installed.
    """
    found = [place for place in _PLACES if place.is_file()]
    pages = [place.read_text(encoding="utf-8") for place in found[:1]]
    return {section.number: section for page in pages for section in _sections(page)}


def cited_section(line: str) -> str | None:
    """Return the number of the section that a line asks for; None if it cites none.

    The sign § or the word `section` counts anywhere, as in `why §2.2` or `what does section 2 say`.
    After `rules`, nothing may follow the number: `rules 2.2`.
    """
    sign, word, verb = _CITED
    bare = line.strip()
    found = sign.search(bare) or word.search(bare) or verb.fullmatch(bare)
    return None if found is None else found[1]


def section_titled(words: Sequence[str]) -> str | None:
    """Return the number of the section whose title these words include, in either language.

    The words are in lower case and without accents; an article before a title is ignored. If
    several titles fit, the longest wins. Return None if no title fits.
    """
    said, found = f" {' '.join(words)} ", dict[str, str]()
    for number, section in rulebook().items():
        for title in (section.title, say(section.title)):
            found.setdefault(_ARTICLE.sub("", folded(title)), number)
    fitting = [title for title in found if f" {title} " in said]
    return found[max(fitting, key=len)] if fitting else None


def sections_offered(sign: str = "") -> list[tuple[str, str]]:
    """Return each section and chapter for completion: `sign` and its number, and its title."""
    return [(f"{sign}{each.number}", say(each.title)) for each in rulebook().values()]


def no_section_text(number: str) -> str:
    """Return a sentence saying that no section has this number, and a list of the chapters."""
    chapters = (each for each in rulebook().values() if "." not in each.number)
    text = "The rules have no section {number}. Their chapters: {chapters}."
    told = ", ".join(f"{each.number} {say(each.title)}" for each in chapters)
    return say(text, number=number, chapters=told)


def _sections(page: str) -> Iterator[Section]:
    """Yield each chapter, followed by its sections."""
    _, *parts = re.split(r"^(?=## \d)", page, flags=re.MULTILINE)
    for part in parts:
        head, _, body = part.partition("\n")
        if (chapter := _CHAPTER.fullmatch(head)) is None:
            continue
        title = _plain(chapter[2])
        yield Section(chapter[1], title, (f"{chapter[1]}. {title}", *_blocks(body)))
        for each in re.split(r"^(?=\*\*\d+\.\d+ )", body, flags=re.MULTILINE):
            if (section := _SECTION.match(each)) is not None:
                yield Section(section[1], _plain(section[2]), tuple(_blocks(each)))


def _blocks(text: str) -> Iterator[str]:
    """Yield paragraphs, rows of tables and lines of examples, without Markdown."""
    for at, part in enumerate(text.split("```")):
        if at % 2:
            yield from part.strip("\n").splitlines()
            continue
        for block in re.split(r"\n(?:\s*\n)+|\n(?=\||- )", part):
            if block.startswith("|"):
                if not _RULED.fullmatch(block):
                    yield " | ".join(_plain(cell) or "-" for cell in block.strip(" |").split("|"))
            elif plain := _plain(block):
                yield plain


def _plain(text: str) -> str:
    """Return a paragraph in one line, without Markdown except between backticks."""
    parts = _LINK.sub(r"\1", " ".join(text.split())).split("`")
    return "".join(part if at % 2 else _EMPHASIS.sub(r"\1", part) for at, part in enumerate(parts))
