"""The README for a package index, without links and pictures that only a clone can resolve."""

import re
from pathlib import Path
from typing import Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE: Final = re.compile(r"!\[[^\]]*\]\((?!https?://)[^)]*\)\n*")
_END: Final = "\nThe pages named here are in the source distribution.\n"
_LINK: Final = re.compile(r"\[([^\]]*)\]\((?!https?://|#)[^)]*\)")


class CustomMetadataHook(MetadataHookInterface):
    """Write the README into the metadata: relative links as plain words, and no local pictures."""

    def update(self, metadata: dict[str, object]) -> None:
        """Add the README to `metadata`."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        page = _LINK.sub(r"\1", _PICTURE.sub("", text))
        metadata["readme"] = {"content-type": "text/markdown", "text": page + _END}
