"""The platform that the program needs, as a browser tab provides it.

    start       runs commands of the program at the page's terminal
    place       sets up everything below for this tab
    browser     the page as the program sees it
    loop        runs trio as a guest of the tab's loop, where there are no sockets or threads
    terminal    keys from the page, and text to it
    kept        the program's files, stored by the browser
    sockets     byte streams to the server of the page
    waiting     awaits promises of JavaScript in trio
    instead     modules that replace those of the same paths: the program's and a library's

Nothing here is imported outside a tab. `page.build` packs it together with the program.
"""
