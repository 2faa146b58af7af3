"""The program's needs in a browser tab: the platform's doors, each in one module.

    start       a command of the program, run at the page's terminal
    place       every door, set for this tab
    browser     the page as the program sees it
    loop        trio as a guest of the tab's loop, which has no sockets to wait for and no threads
    terminal    keys from the page, and text to it
    kept        the program's files, in the browser's own store
    sockets     byte streams to the server of the page
    waiting     promises of JavaScript, awaited in trio
    instead     modules that replace those of the same paths: the program's and a library's

Nothing here is imported outside a tab. `page.build` puts it together with the program.
"""
