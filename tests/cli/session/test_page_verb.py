"""Lines that a host and a guest type about the page for browsers."""

import pytest

from cli.arguments.parser import read_arguments
from cli.commands import page, tables
from cli.exits import CommandFailed, ExitCode
from cli.joining.person import join_options
from cli.scene import DoorSeen, LobbyScene
from cli.session.loop import sit
from cli.session.verbs.complete import complete
from netgame.io.door.codes import parse_code
from netgame.io.page import built
from tests.cli.fakes import FakeFront, seats_of, sitting_with
from tests.cli.joining.test_sitting_down import lobby

URL = "http://10.0.0.1:50000/path/"
CODE = "7-otter-violin"
NONE = "This program serves no page for browsers here. In your shell: "
ASKS = "It asks for the join code, which the host's screen shows."
HOST_ONLY = "Only the host lets in pages that were opened from a file."


class Page:
    """A stand-in for a page that a node serves."""

    allows_files = False

    def addresses(self):
        """Return the page's only address, in a tuple."""
        return (URL,)


async def typed(*lines, serves=True, code="", **facts):
    """Type these lines in a lobby, as a guest unless the facts differ; return node and front.

    If `serves` is false, the node has no page to serve.
    """
    seats = seats_of("Ana", "Ben")
    usual = {"is_host": False, "announces": False, "seats": seats, "is_open": False}
    node, front = lobby(**usual | facts), FakeFront(*lines)
    node.asked_for = 0

    async def serve_page():
        node.asked_for += 1
        if serves:
            node.page, node.page_address = Page(), f"{URL}#{code}" if code else URL

    node.serve_page = serve_page
    node.door.elsewhere = parse_code(code) if code else None
    await sit(node, front, sitting_with())
    return node, front


def shown(front):
    """Return all sentences as one text."""
    return " ".join(front.said)


async def test_a_guest_serves_the_page_by_asking_for_it():
    """A guest who types `page` reads the page's address, and that it asks for the join code."""
    node, front = await typed("page")
    assert node.asked_for == 1
    assert f"Phones and laptops without Boneyard: open {URL}" in shown(front)
    assert ASKS in shown(front)


@pytest.mark.parametrize("facts", [{"code": CODE}, {"is_open": True}, {"is_host": True}])
async def test_no_code_is_asked_for_where_the_address_has_it_or_none_is_needed(facts):
    """`page` does not mention a code if the address has it, or if none is needed."""
    _, front = await typed("page", **facts)
    assert f"open {URL}" in shown(front)
    assert ASKS not in shown(front)


async def test_a_guest_without_a_page_is_told_how_to_get_one():
    """If no page can be served, `page` says how to get one."""
    _, front = await typed("page", serves=False)
    assert any(said.startswith(NONE) for said in front.said)


async def test_only_the_host_lets_pages_from_files_in():
    """Only a host can use `page files`, which admits pages that were opened from a file."""
    node, front = await typed("page", "page files", "page files off")
    assert front.said.count(HOST_ONLY) == 2
    assert not node.page.allows_files
    node, front = await typed("page", "page files", is_host=True)
    assert HOST_ONLY not in front.said
    assert node.page.allows_files


@pytest.mark.parametrize("words", [["join", "--page"], ["page"]])
def test_whoever_asks_for_a_page_that_is_not_there_reads_how_to_get_one(words, monkeypatch):
    """If no page is installed, `join --page` and `boneyard page` fail and say how to get one."""
    monkeypatch.setattr(built, "find_page", lambda: None)
    run = tables.run if words[0] == "join" else page.run
    with pytest.raises(CommandFailed) as failed:
        run(read_arguments(words))
    assert failed.value.code is ExitCode.NOT_FOUND
    assert "pipx inject boneyard-dominoes boneyard-page" in failed.value.sentence


def test_a_guest_takes_the_page_along_as_an_option():
    """`join --page` sets the option; without `--page` it is None."""
    wanted = [
        join_options(read_arguments(words)).page
        for words in (["join", "--page"], ["join"], ["resume"])
    ]
    assert wanted == [True, None, None]


def test_files_are_offered_to_the_host_alone():
    """After `page`, Tab offers `files` only where the table's door is known, as it is to a host."""
    view = lobby(is_host=True, announces=True).view()
    here = LobbyScene(view, b"Ana", door=DoorSeen((), ()))
    assert [each.text for each in complete("page ", here)] == ["files"]
    assert complete("page ", LobbyScene(view, b"Ana")) == ()
