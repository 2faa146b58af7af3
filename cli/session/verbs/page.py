"""The verb for the browser page: its address, a code to scan, and who may use it.

A host's program serves the page from the start, and a guest's once the guest types this verb.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from cli.input.readers import UsageError
from cli.language import say
from cli.program import typed_in_shell
from cli.render.qr import qr_lines
from cli.scene import LobbyScene, Scene
from cli.session.until import OnChange
from cli.session.verbs.verb import Ask, Offers, Read, TableVerb, Where

if TYPE_CHECKING:
    from cli.input.lexer import Words
    from cli.session.session import Session

PAGE_TEXT: Final = "Phones and laptops without Boneyard: open {page}"
_NONE: Final = "This program serves no page for browsers here. In your shell: {command}"


class ShowPage(Ask, frozen=True):
    """Show the page's address, and draw it as a code that a camera can read."""

    on_change: ClassVar = OnChange.RENEWS

    async def do(self, session: Session) -> None:
        """Serve the page if it is not served yet; show its address, and a code if there is room.

        If this program can serve no page, say so.
        """
        await session.node.serve_page()
        address = session.node.page_address
        if not address:
            session.answer(_NONE, command=typed_in_shell("page"))
            return
        canvas = session.front.canvas()
        lines = canvas.prose(say(PAGE_TEXT, page=address))
        view = session.node.view()
        if not (view.is_host or view.is_open or session.node.door.shown):
            lines += canvas.prose(say("It asks for the join code, which the host's screen shows."))
        session.front.show((*lines, *qr_lines(address, canvas)))


class AllowFiles(Ask, frozen=True):
    """Let in pages that were opened from a file, such as one on a USB stick, or keep them out."""

    allows: bool

    async def do(self, session: Session) -> None:
        """Let the pages in or keep them out, and say so; or say why that cannot be done.

        Only a host can let them in, and not at an open table, where any web site could come in.
        """
        page = session.node.page
        if not session.node.view().is_host:
            session.answer("Only the host lets in pages that were opened from a file.")
            return
        if page is None:
            session.answer(_NONE, command=typed_in_shell("page"))
            return
        page.allows_files = self.allows
        if page.allows_files:
            where = page.addresses()[0].split("/")[2]
            session.answer("Pages opened from a file may join: they ask for {where}", where=where)
        elif self.allows:
            page.allows_files = False
            session.answer("Pages from files cannot come to an open table: any web site could.")
        else:
            session.answer("Pages opened from a file stay out.")


def _read(words: Words) -> Read:
    match [word.casefold() for word in words]:
        case []:
            return ShowPage()
        case ["files" | "file" | "archivos"]:
            return AllowFiles(allows=True)
        case ["files" | "file" | "archivos", "off" | "no"]:
            return AllowFiles(allows=False)
        case _:
            return UsageError(say("Type page, page files or page files off."))


def _offer(place: Scene | LobbyScene, before: Words) -> Offers:
    """Offer the word that lets in pages from files, to whoever announces the table."""
    if before or place.door is None:
        return []
    return [("files", say("let pages in that are opened from a file"))]


PAGE: Final = TableVerb(
    "page [files [off]]",
    "Show the address of the page for browsers, and a code to scan. A guest serves it from then "
    "on. For the host, page files lets pages in that were opened from a file, until page files "
    "off.",
    _read,
    spanish=("página",),
    examples=("page", "page files", "page files off"),
    where=Where.ALWAYS,
    is_of_use=lambda place: place.door is not None,
    offers_there=_offer,
)
VERBS: Final = (PAGE,)
