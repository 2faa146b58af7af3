"""Builds the page: a folder with the whole program, made from pinned packages and this clone.

    uv run --group page python -m page.build [--out build/page]

The packages come from the sources that this computer's pip and npm use, with the versions and
hashes of `wheels.txt`, `sources.txt` and `package-lock.json`. The build needs node with npm, clang
with lld for WebAssembly, and wasi-libc's headers. Every build of a clone has the same octets:

    index.html             names the parts, with the hash of each
    parts.json             for the server of the page: type and hash of each part
    parts/NAME.HASH.EXT    the parts, packed by gzip
    LICENSES.txt           the licences of everything in the page

The part `program.zip` contains bytecode for the Python version of Pyodide, so the build has Pyodide
compile it.
"""

import argparse
import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).resolve().parent
CLONE: Final = HERE.parent
_PYTHON: Final = "3.14"
_PLATFORM: Final = "pyemscripten_2026_0_wasm32"
_PACKAGES: Final = ("engine", "netgame", "cli")
_C: Final = (
    "--target=wasm32-unknown-emscripten", "-fPIC", "-O3", "-fvisibility=hidden", "-D__wasi__",
    "-Wno-unused-function", "-Wno-unknown-attributes",
)  # fmt: skip
_CURVE: Final = (
    "-DUSE_FORCE_WIDEMUL_INT64=1", "-DECMULT_WINDOW_SIZE=12", "-DCOMB_BLOCKS=11", "-DCOMB_TEETH=6",
    "-DENABLE_MODULE_ECDH=1", "-DENABLE_MODULE_ELLSWIFT=1",
)  # fmt: skip
_SODIUM: Final = (
    "crypto_sign/ed25519/ref10/sign.c", "crypto_sign/ed25519/ref10/keypair.c",
    "crypto_core/ed25519/ref10/ed25519_ref10.c", "crypto_hash/sha512/cp/hash_sha512_cp.c",
    "crypto_scalarmult/curve25519/scalarmult_curve25519.c",
    "crypto_scalarmult/curve25519/ref10/x25519_ref10.c",
    "crypto_aead/chacha20poly1305/aead_chacha20poly1305.c",
    "crypto_stream/chacha20/stream_chacha20.c", "crypto_stream/chacha20/ref/chacha20_ref.c",
    "crypto_onetimeauth/poly1305/onetimeauth_poly1305.c",
    "crypto_onetimeauth/poly1305/donna/poly1305_donna.c", "crypto_verify/verify.c",
)  # fmt: skip
_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".wasm": "application/wasm",
    ".json": "application/json",
}


class Failed(Exception):
    """The page cannot be built; the error's text says why."""


class BuiltPart(NamedTuple):
    """A part of the page: its name and its octets, from which the stored file is derived."""

    name: str
    octets: bytes

    @property
    def packed(self) -> bytes:
        """The octets compressed by gzip, as they are stored and sent."""
        return gzip.compress(self.octets, 9, mtime=0)

    @property
    def kept_as(self) -> str:
        """The name of the part's file. It contains a hash, so it changes whenever the octets do."""
        stem, dot, suffix = self.name.rpartition(".")
        return f"{stem}.{hashlib.sha256(self.octets).hexdigest()[:16]}{dot}{suffix}"

    @property
    def integrity(self) -> str:
        """The hash of the octets, written as for the `integrity` attribute of HTML."""
        return f"sha384-{base64.b64encode(hashlib.sha384(self.octets).digest()).decode()}"

    @property
    def type(self) -> str:
        """The part's media type."""
        return _TYPES.get(Path(self.name).suffix, "application/octet-stream")


def main(words: Sequence[str] | None = None) -> int:
    """Build the page and print the size of each part; if that fails, print why and return 1."""
    parser = argparse.ArgumentParser(prog="python -m page.build", description="Build the page.")
    parser.add_argument("--out", type=Path, default=CLONE / "build" / "page", metavar="FOLDER")
    out: Path = parser.parse_args(words).out
    try:
        parts = build(CLONE / "build" / "work", out)
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 1
    sizes = {part.name: len(part.packed) for part in parts}
    for name, size in sizes.items():
        print(f"{size:10,}  {name}")
    print(f"{sum(sizes.values()):10,}  in all, in {out}")
    return 0


def build(work: Path, out: Path) -> list[BuiltPart]:
    """Build the page in `out`, with intermediate files in `work`; return its parts.

    Anything else in the two folders is deleted. Raises `Failed` if a tool or a package is missing,
    or if a step of the build fails.
    """
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for tool in ("node", "npm", "clang", "wasm-ld"):
        _tool(tool)
    wheels, sources = _fetched(work)
    tree = work / "tree"
    _put_together(tree, wheels)
    program = work / "program.zip"
    _run("node", HERE / "compile.mjs", tree, program)
    npm = HERE / "node_modules" / "pyodide"
    parts = [
        *_bundle(work),
        BuiltPart("pyodide.asm.wasm", (npm / "pyodide.asm.wasm").read_bytes()),
        BuiltPart("python_stdlib.zip", (npm / "python_stdlib.zip").read_bytes()),
        BuiltPart("program.zip", program.read_bytes()),
        BuiltPart("curve.so", _curve(work, sources)),
        BuiltPart("ciphers.so", _ciphers(work, sources)),
    ]
    _write(out, parts, _licenses(wheels, sources))
    return parts


# ---- ingredients ---------------------------------------------------------------------------------


def _tool(name: str) -> str:
    """Return the path of a tool, which may be installed under a name with a version.

    Raises `Failed` if it is not installed.
    """
    for each in (name, *(f"{name}-{version}" for version in range(24, 13, -1))):
        if found := shutil.which(each):
            return found
    raise Failed(f"The page is built with {name}, which is not there; see CONTRIBUTING.md.")


def _run(tool: str, *words: object, at: Path = CLONE) -> None:
    done = subprocess.run(
        [_tool(tool), *map(str, words)], cwd=at, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"{tool} failed:\n{done.stdout}{done.stderr}")


def _fetched(work: Path) -> tuple[Path, Path]:
    """Fetch wheels and sources into `work`, checking their hashes, and run `npm ci` in `page`.

    Returns the folder of the wheels, and the folder of the sources, which are unpacked.
    """
    wheels, sources = work / "wheels", work / "sources"
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes")
    tab = (
        "--only-binary=:all:", "--implementation=cp", f"--python-version={_PYTHON}",
        "--abi=cp314", "--abi=none", f"--platform={_PLATFORM}", "--platform=any",
    )  # fmt: skip
    # pip builds the metadata of a source package to read them, with the tools installed here.
    source = ("--no-binary=:all:", "--no-build-isolation")
    for more, pins, folder in ((tab, "wheels.txt", wheels), (source, "sources.txt", sources)):
        words = [*pip, *more, "-d", str(folder), "-r", str(HERE / pins)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"pip failed; run this as CONTRIBUTING.md says:\n{done.stderr}")
    _run("npm", "ci", at=HERE)
    for archive in sources.iterdir():
        with tarfile.open(archive) as opened:
            opened.extractall(sources, filter="data")
    return wheels, sources


def _put_together(tree: Path, wheels: Path) -> None:
    """Put the program and its libraries into one tree.

    The modules in `page/tab/instead` replace those of the same paths. Tests are left out.
    """
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as opened:
            opened.extractall(tree)
    skipped = shutil.ignore_patterns("__pycache__", "*.po")
    for package in _PACKAGES:
        shutil.copytree(CLONE / package, tree / package, ignore=skipped)
    shutil.copy(CLONE / "docs" / "rules.md", tree / "cli" / "wording" / "rules.md")
    (tree / "page").mkdir()
    shutil.copy(HERE / "__init__.py", tree / "page")
    shutil.copytree(HERE / "tab", tree / "page" / "tab", ignore=skipped)
    instead = tree / "page" / "tab" / "instead"
    shutil.copytree(instead, tree, dirs_exist_ok=True)
    shutil.rmtree(instead)
    for folder in (*tree.rglob("tests"), *tree.rglob("_tests"), *tree.glob("*.dist-info")):
        shutil.rmtree(folder)


def _bundle(work: Path) -> Iterator[BuiltPart]:
    """Yield the page's script, its style sheet, and Pyodide's list of packages, emptied."""
    js, css = work / "page.js", work / "page.css"
    esbuild = HERE / "node_modules" / ".bin"
    words = (
        "--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none",
        "--external:node:*", "--external:ws", "--log-level=error",
    )  # fmt: skip
    for source, target in ((HERE / "frame" / "page.ts", js), (HERE / "frame" / "page.css", css)):
        command = [str(esbuild / "esbuild"), str(source), *words, f"--outfile={target}"]
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"esbuild failed:\n{done.stderr}")
        yield BuiltPart(target.name, target.read_bytes())
    lock = json.loads((HERE / "node_modules" / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    yield BuiltPart("pyodide-lock.json", json.dumps({**lock, "packages": {}}).encode())


def _curve(work: Path, sources: Path) -> bytes:
    """Compile libsecp256k1 and its wrapper `native/curve.c`; return the octets of the module."""
    (at,) = sources.glob("btclib_secp256k1-*/secp256k1")
    files = (HERE / "native" / "curve.c", *sorted((at / "src").glob("precomputed_*.c")))
    flags = (*_CURVE, f"-I{at / 'src'}", f"-I{at / 'include'}", f"-I{at}")
    return _module(work / "curve", files, flags)


def _ciphers(work: Path, sources: Path) -> bytes:
    """Compile the needed part of libsodium and its wrapper `native/ciphers.c`.

    Return the octets of the module.
    """
    (at,) = sources.glob("pynacl-*/src/libsodium/src/libsodium")
    include = at / "include"
    named = work / "sodium"
    named.mkdir()
    version = (include / "sodium" / "version.h.in").read_text("utf-8")
    for mark in ("@VERSION@", "@SODIUM_LIBRARY_VERSION_MAJOR@", "@SODIUM_LIBRARY_VERSION_MINOR@"):
        version = version.replace(mark, "0")  # nothing reads it
    (named / "version.h").write_text(version.replace("@SODIUM_LIBRARY_MINIMAL_DEF@", ""), "utf-8")
    flags = (
        *("-DSODIUM_STATIC=1", "-DCONFIGURED=1", "-DNATIVE_LITTLE_ENDIAN=1"),
        *(f"-I{each}" for each in (include / "sodium", include, named)),
    )
    files = (HERE / "native" / "ciphers.c", *(at / file for file in _SODIUM))
    return _module(work / "ciphers", files, flags)


def _module(folder: Path, files: Sequence[Path], flags: Sequence[str]) -> bytes:
    """Compile C files into one shared library that Pyodide can load; return its octets.

    Raises `Failed` if the headers of wasi-libc are not installed, or if a tool fails.
    """
    folder.mkdir()
    headers = next((at for at in _HEADERS if at.is_dir()), None)
    if headers is None:
        raise Failed("The page is built with wasi-libc's headers; see CONTRIBUTING.md.")
    objects = []
    for file in files:
        objects.append(folder / f"{file.stem}.o")
        _run("clang", *_C, "-isystem", headers, *flags, "-c", file, "-o", objects[-1], at=folder)
    linked = folder / "module.so"
    words = ("-shared", "--experimental-pic", "--no-entry", "--gc-sections", "--strip-all")
    _run("wasm-ld", *words, "-o", linked, *objects)
    return linked.read_bytes()


_HEADERS: Final = (
    Path("/usr/include/wasm32-wasi"),
    Path("/usr/share/wasi-sysroot/include/wasm32-wasi"),
    Path("/opt/homebrew/opt/wasi-libc/share/wasi-sysroot/include/wasm32-wasi"),
)


def _licenses(wheels: Path, sources: Path) -> str:
    """Return the licences of everything in the page as one text, each headed by its package."""
    found = {"boneyard": (CLONE / "LICENSE").read_text("utf-8")}
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as opened:
            for name in sorted(opened.namelist()):
                if "license" in name.lower() and ".dist-info/" in name and not name.endswith("/"):
                    package = wheel.name.split("-")[0]
                    found[f"{package}: {Path(name).name}"] = opened.read(name).decode()
    for package, pattern in (
        ("libsecp256k1", "btclib_secp256k1-*/secp256k1/COPYING"),
        ("libsodium", "pynacl-*/src/libsodium/LICENSE"),
    ):
        (file,) = sources.glob(pattern)
        found[package] = file.read_text("utf-8")
    for file in sorted((HERE / "node_modules").glob("**/LICENSE*")):
        package = file.parent.relative_to(HERE / "node_modules").as_posix()
        if package.startswith(("@xterm", "pyodide")):
            found[package] = file.read_text("utf-8")
    for file in sorted((HERE / "licenses").iterdir()):
        found[file.stem] = file.read_text("utf-8")
    return "\n\n".join(f"==== {name} ====\n\n{text.strip()}" for name, text in found.items()) + "\n"


# ---- the result ----------------------------------------------------------------------------------


def _write(out: Path, parts: Sequence[BuiltPart], licenses: str) -> None:
    """Write the built page into the folder `out`; anything that was in it is deleted."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "parts").mkdir(parents=True)
    for part in parts:
        (out / "parts" / part.kept_as).write_bytes(part.packed)
    described = {
        part.kept_as: {
            "type": part.type,
            "encoding": "gzip",
            "sha384": part.integrity.removeprefix("sha384-"),
        }
        for part in parts
    }
    facts = {"version": 1, "parts": described}
    (out / "parts.json").write_text(json.dumps(facts, indent=1) + "\n", "utf-8")
    (out / "index.html").write_text(index(parts), "utf-8")
    (out / "LICENSES.txt").write_text(licenses, "utf-8")


def index(parts: Sequence[BuiltPart]) -> str:
    """Return the HTML of the page, which names its parts by address and hash."""
    named = {part.name: part for part in parts}
    js, css = named.pop("page.js"), named.pop("page.css")
    listed = {
        name: {
            "url": f"parts/{part.kept_as}",
            "integrity": part.integrity,
            "size": len(part.packed),
        }
        for name, part in named.items()
    }
    style = f'<link rel="stylesheet" href="parts/{css.kept_as}" integrity="{css.integrity}" />'
    script = f'<script type="module" src="parts/{js.kept_as}" integrity="{js.integrity}"></script>'
    page = (HERE / "frame" / "index.html").read_text("utf-8")
    for mark, text in (("style", style), ("parts", json.dumps(listed)), ("script", script)):
        page = page.replace("{{" + mark + "}}", text)
    return page


if __name__ == "__main__":
    sys.exit(main())
