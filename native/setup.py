"""Build the extension over libsecp256k1, whose source the binding's source package brings."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

BINDING = "btclib-secp256k1==0.8.0.13"
"""Whose source package has libsecp256k1; the same that `uv.lock`'s constraints name."""


def library(into: Path) -> Path:
    """Fetch the binding's source package, unless it is there, and give libsecp256k1's folder."""
    if not list(into.glob("*/secp256k1/src/secp256k1.c")):
        into.mkdir(parents=True, exist_ok=True)
        fetch = ("download", "--quiet", "--no-deps", "--no-binary", BINDING.split("==")[0])
        subprocess.run([sys.executable, "-m", "pip", *fetch, "--dest", into, BINDING], check=True)
        (archive,) = into.glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(into, filter="data")
    (source,) = into.glob("*/secp256k1/src/secp256k1.c")
    return source.parents[1]


class Build(build_ext):
    """The extension, once the library's source is there."""

    def build_extension(self, extension: Extension) -> None:
        """Compile the door and the library's tables; the rest of the library is included."""
        folder = library(Path(self.build_temp, "library").resolve())
        extension.include_dirs += [str(folder), str(folder / "include")]
        tables = ("precomputed_ecmult.c", "precomputed_ecmult_gen.c")
        extension.sources += [str(folder / "src" / each) for each in tables]
        super().build_extension(extension)


setup(
    ext_modules=[Extension("boneyard_native", ["multiplication.c"], extra_compile_args=["-O3"])],
    cmdclass={"build_ext": Build},
)
