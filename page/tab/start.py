"""Runs commands of the program at the page's terminal, one after another."""

from contextlib import suppress

from page.tab import loop


async def begin() -> None:
    """Run the command that the page was opened for, then others forever; never return.

    If a table serves the page, the first command joins that table. After each command
    comes the one that was typed to be run next, or else the menu.
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
