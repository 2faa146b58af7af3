"""The page for browsers beside a table: served over HTTP, and reached by it over WebSockets.

`built` is the page, `place` where it is. `answers` decides about one request, `serving` listens and
answers, `visits` bounds who is there; `tab_stream` makes of a WebSocket a stream like any other,
which the host's door takes, and which `pipes` carries to it where a guest serves the page.

What a browser proves, it proves in the channel: the server of the page carries octets, and reads
none.
"""
