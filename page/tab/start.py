"""A command of the program, run at the page's terminal in the tab's loop."""

from contextlib import suppress

from page.tab import loop


async def begin() -> None:
    """Run what the page was opened for, then the menu or the command typed there, without end.

    Where it is served beside a table, that is this table; nothing is asked for but a name.
    """
    loop.prepare()
    from page.tab.place import Place

    place = await Place.opened()
    words = place.first_words()
    while True:
        # What is wrong with the words of a command has been said by then.
        with suppress(SystemExit):
            await place.run(words)
        place.forget_key()
        words, place.next_words = place.next_words, []
