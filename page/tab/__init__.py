"""The program's needs in a browser tab: the platform's doors, each in one module.

    start       the doors opened, and a command run at the page's terminal
    loop        trio as a guest of the tab's loop, which has no sockets to wait for and no threads
    terminal    keys from the page, and text to it
    kept        what is kept, in the browser's own store
    sockets     byte streams to whoever serves the page
    instead     modules that stand in the place of the program's, by their paths

Nothing here is imported outside a tab. `page.build` puts it together with the program.
"""
