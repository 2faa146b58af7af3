"""A command of the program, run at the page's terminal in the tab's loop."""

from contextlib import suppress

from page.tab import loop


async def begin() -> None:
    """Run the command that the page was opened for, then the menu or the next command, without end.

    A page served beside a table joins that table, and asks for nothing but a name.
    """
    loop.prepare()
    from page.tab.place import Place

    place = await Place.opened()
    words = place.first_words()
    while True:
        # By then the program has printed what is wrong with the command's words.
        with suppress(SystemExit):
            await place.run(words)
        place.forget_key()
        words, place.next_words = place.next_words, []
