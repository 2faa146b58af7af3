"""Serves the built page alone, without a table, for viewing, testing and measuring it.

    uv run python -m page.serve [--host HOST] [--port PORT]

A page opened in this way has practice games, lessons, replays and everything else that needs no
network.
"""

import argparse
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, Final

from page.build import CLONE

BUILT: Final = CLONE / "build" / "page"
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self' ws:; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)


class _Answers(http.server.BaseHTTPRequestHandler):
    """A handler that serves the built page and its parts, and answers 404 to all else."""

    protocol_version = "HTTP/1.1"
    parts: ClassVar[dict[str, dict[str, str]]] = {}

    def do_GET(self) -> None:
        """Send the page or one of its parts; send 404 for any other path."""
        name = self.path.removeprefix("/")
        part = self.parts.get(name.removeprefix("parts/"))
        if name and part is None:
            self.send_error(404)
            return
        octets = (BUILT / (name or "index.html")).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", part["type"] if part else "text/html")
        self.send_header("Content-Length", str(len(octets)))
        self.send_header("Content-Security-Policy", _POLICY)
        if part:
            self.send_header("Content-Encoding", part["encoding"])
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_words: Any) -> None:  # noqa: ANN401 - as `http.server` has it
        """Log nothing."""


@contextmanager
def serving(host: str, port: int = 0) -> Iterator[str]:
    """Serve the built page within the block, and yield its address.

    Raises `OSError` if no page has been built, or if the port is taken.
    """
    _Answers.parts = json.loads((BUILT / "parts.json").read_text("utf-8"))["parts"]
    server = http.server.ThreadingHTTPServer((host, port), _Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m page.serve", description="Serve the page alone."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    with serving(options.host, options.port) as address, suppress(KeyboardInterrupt):
        print(address, flush=True)
        threading.Event().wait()
