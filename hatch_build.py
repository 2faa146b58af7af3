"""Make the project's page for package indexes: the README, for readers without a clone."""

import re
from pathlib import Path
from typing import Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE: Final = re.compile(r"!\[[^\]]*\]\((?!https?://)[^)]*\)\n*")
_END: Final = "\nThe pages named here are in the source distribution.\n"
_LINK: Final = re.compile(r"\[([^\]]*)\]\((?!https?://|#)[^)]*\)")
_START: Final = re.compile(r"^## Start\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
_INSTALLED: Final = """\
## Start

Python 3.11 or later.

    uvx boneyard-dominoes play --bots 3

starts a game against three bots. To keep it, give it an environment of its own:

    pipx install boneyard-dominoes        # or: uv tool install boneyard-dominoes
    boneyard learn                        # coaches you through a round
    boneyard demo                         # how a cheat of your choice gets caught

In an environment that other programs share, any package with a module named `cli` can take the
command over.

"""


class CustomMetadataHook(MetadataHookInterface):
    """Put the README into the metadata, without the parts that work only in a clone.

    Pictures and links with relative addresses are removed, and the section Start is replaced.
    """

    def update(self, metadata: dict[str, object]) -> None:
        """Set `readme` in the metadata to the page.

        Raise `ValueError` unless the README has exactly one section named Start.
        """
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        page, starts = _START.subn(_INSTALLED, _LINK.sub(r"\1", _PICTURE.sub("", text)))
        if starts != 1:
            raise ValueError("README.md needs one section named Start")
        page = page.replace("uv run boneyard", "boneyard")
        metadata["readme"] = {"content-type": "text/markdown", "text": page + _END}
