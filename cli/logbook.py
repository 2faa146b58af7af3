"""The `--verbose` log: what happened and when, for troubleshooting."""

import logging
import os
import platform
from pathlib import Path
from typing import Final

from cli.language import say
from cli.streams import standard_output

LOG: Final = logging.getLogger("boneyard")

_OCTETS_MAX: Final = 1_000_000
"""At this size the file becomes `boneyard.log.1`, replacing the previous one."""


def log_path() -> Path:
    """Return the path of the log, existing or not: in `BONEYARD_DATA`, or the user's log folder."""
    chosen = os.environ.get("BONEYARD_DATA")
    if chosen:
        return Path(chosen).expanduser() / "boneyard.log"
    from platformdirs import user_log_path

    return user_log_path("boneyard", appauthor=False) / "boneyard.log"


def begin_log(command: str) -> str:
    """Start logging; return one sentence that says where the log is, or why there is none.

    Creates the folder if it is missing, and appends to an existing log. Call it once: after
    a second call, every line would be written twice.
    """
    from logging.handlers import RotatingFileHandler  # late, so that `--help` answers at once

    path = log_path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=_OCTETS_MAX, backupCount=1, encoding="utf-8")
    except OSError as error:
        text = "Nothing is logged: cannot write {path}: {reason}."
        reason = error.strerror or error
        return say(text, path=path, reason=reason)
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.DEBUG)
    LOG.propagate = False
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    LOG.info("boneyard %s, %s, %s", command, system, standard_output().encoding)
    return say("What happens is logged to {path}", path=path)


def log_notice(notice: object) -> None:
    """Log the kind of a notice and the name in it: chat and join codes are not logged.

    Does nothing unless a log was begun.
    """
    if LOG.handlers:
        LOG.info("%s %s", type(notice).__name__, getattr(notice, "name", ""))
