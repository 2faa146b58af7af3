"""Install Boneyard from the computer of somebody on this network.

This script runs on the guest's computer before Boneyard is there, so it uses only the standard
library. The person who shares it decides what it does: equal fingerprints on both screens show that
both computers mean the same program, not that it is harmless. pip checks the hash of every wheel.
"""

from __future__ import annotations

import glob
import hashlib
import os
import shutil
import subprocess
import sys
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

PARTS, LINKS = "parts/", "links.html"
"""The host's folder of wheels, and the page in it that names them all."""

LAUNCHER = """\
#!{python}
import os
import sys

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
sys.path.insert(0, LIB)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (LIB, os.environ.get("PYTHONPATH"))))

from cli.__main__ import main

sys.exit(main())
"""


def fingerprint_of(pins: str) -> str:
    """Return 64 bits of the hash of all pins, in four groups of hexadecimal digits."""
    digits = hashlib.sha256(pins.encode()).hexdigest()
    return " ".join(digits[at : at + 4] for at in range(0, 16, 4))


def pip_here() -> list[str]:
    """Return the command that runs pip, from its wheel if it is not installed; [] without pip."""
    try:
        import pip  # noqa: F401
    except ImportError:
        places = ["/usr/share/python-wheels"]
        try:
            import ensurepip

            places.append(os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"))
        except ImportError:
            pass
        for place in places:
            for wheel in sorted(glob.glob(os.path.join(place, "pip-*.whl"))):
                return [sys.executable, os.path.join(wheel, "pip")]
        return []
    return [sys.executable, "-m", "pip"]


def pip_from(url: str, wheel: str, sha256: str, folder: str) -> list[str]:
    """Fetch pip's wheel from the host, and return the command that runs it.

    Return [] if the host has no such wheel, or if its hash is not `sha256`. Raises `OSError` if it
    cannot be fetched or written.
    """
    if not wheel:
        return []
    octets = urlopen(urljoin(url, PARTS + wheel)).read()
    if hashlib.sha256(octets).hexdigest() != sha256:
        return []
    os.makedirs(folder, exist_ok=True)
    place = os.path.join(folder, wheel)
    with open(place, "wb") as file:
        file.write(octets)
    return [sys.executable, os.path.join(place, "pip")]


def install(pip: list[str], pins: str, url: str, folder: str) -> str:
    """Install all that is pinned into the folder; return pip's error, or "" if it worked."""
    fresh, lib = os.path.join(folder, "lib.new"), os.path.join(folder, "lib")
    shutil.rmtree(fresh, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    listed = os.path.join(folder, "pins.txt")
    with open(listed, "w", encoding="utf-8") as file:
        file.write(pins)
    settings = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    settings["PIP_CONFIG_FILE"] = os.devnull
    words = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    words += ["--require-hashes", "--only-binary=:all:", "--target", fresh, "-r", listed]
    words += ["--find-links", urljoin(url, PARTS + LINKS)]
    words += ["--trusted-host", urlsplit(url).netloc]
    done = subprocess.run(pip + words, env=settings, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        return next((line for line in reversed(lines) if line.startswith("ERROR")), "pip failed")
    shutil.rmtree(lib, ignore_errors=True)
    os.rename(fresh, lib)
    return ""


def main(version: str, pins: str, pip_wheel: tuple[str, str], url: str) -> None:
    """Ask the guest, install, look for a table, and exit.

    `pip_wheel` is the name and the SHA-256 of the file in which the host has pip.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - nobody has looked at it before
        sys.exit("Boneyard needs Python 3.11 or later; this is " + sys.version.split()[0] + ".")
    folder = os.path.join(os.path.expanduser("~"), "boneyard")
    print("Boneyard " + version + " from " + urlsplit(url).netloc)
    print("Fingerprint: " + fingerprint_of(pins) + " (the host's screen must show the same)")
    print("The person who shares this program decides what it does on your computer.")
    try:
        input("Enter installs it in " + folder + "; Ctrl-C stops. ")
    except (KeyboardInterrupt, EOFError):
        sys.exit("\nNothing was installed.")
    try:
        urlopen(urljoin(url, PARTS + LINKS)).close()
        pip = pip_here() or pip_from(url, *pip_wheel, folder)
    except OSError as error:
        sys.exit("Nothing was installed: " + str(error))
    if not pip:
        sys.exit("This Python has no pip. Ask the host whether there is a page for browsers.")
    trouble = install(pip, pins, url, folder)
    if trouble:
        print(trouble)
        if "No matching distribution" not in trouble:
            sys.exit("pip could not install it. Mend that, and type the same line again.")
        sys.exit(
            "The host has nothing for this kind of computer. With internet, `boneyard share "
            "--gather` fetches it there. A browser may be your way in: ask whether there is a page."
        )
    launcher = os.path.join(folder, "boneyard.py")
    with open(launcher, "w", encoding="utf-8") as file:
        file.write(LAUNCHER.format(python=sys.executable))
    os.chmod(launcher, 0o755)
    print("Installed. Next time: " + sys.executable + " " + launcher, flush=True)
    sys.exit(subprocess.call([sys.executable, launcher, "join"]))
