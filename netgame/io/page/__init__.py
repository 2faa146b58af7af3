"""The page for browsers beside a table: served over HTTP, and connected by WebSockets.

`built` is the page, `place` its address. `answers` decides about one request, `serving` listens and
answers, `visits` limits the browsers that are served. `tab_stream` turns a WebSocket into a stream
like any other, which the host's door takes; where a guest serves the page, `pipes` carries the
stream to the host.

Everything that a browser proves, it proves within the channel: the server of the page only carries
the channel's octets.
"""
