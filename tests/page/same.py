"""Check that a tab computes the same as this computer: curve, ciphers, and a whole game.

python -m tests.page.same [--if-possible]

It runs the built page's program in node, without a browser. With `--if-possible` it exits with 0 if
node or the page is missing, and says so.
"""

import asyncio
import json
import shutil
import subprocess
import sys

from tests.page.crypto_cases import outcomes
from tests.page.seeded import record_of_seed
from tests.tree import ROOT

PAGE = ROOT / "build" / "page"
CASES = "import json\nfrom tests.page.crypto_cases import outcomes\njson.dumps(outcomes())"
GAME = """
from page.tab import loop
loop.prepare()
from tests.page.seeded import record_of_seed
await record_of_seed()
"""


def in_tab(code: str) -> str:
    """Run this code in the page's Python, and return the string that its last expression makes.

    If it fails, exit with the end of its error output.
    """
    command = ["node", str(ROOT / "page" / "in_node.mjs"), str(PAGE), str(ROOT)]
    done = subprocess.run(
        command, input=code, capture_output=True, text=True, check=False, timeout=280
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return done.stdout.strip()


def main() -> int:
    """Compare a tab with this computer and print the outcome.

    Return 0 if nothing differs, otherwise 1. Without node or the page, return 1, or 0 with
    `--if-possible`.
    """
    if shutil.which("node") is None or not (PAGE / "parts.json").is_file():
        print("Nothing compared: it takes node, and the page: python -m page.build")
        return 0 if "--if-possible" in sys.argv else 1
    made, wrong = json.loads(in_tab(CASES)), 0
    for about, expected in outcomes().items():
        differ = [
            at
            for at, pair in enumerate(zip(made[about], expected, strict=True))
            if pair[0] != pair[1]
        ]
        wrong += len(differ)
        print(f"{about}: {len(expected)} outcomes, different {differ or 'none'}")
    there, here = in_tab(GAME), asyncio.run(record_of_seed())
    wrong += there != here
    print(f"a game from a seed: {'the same entries' if there == here else f'{there}, here {here}'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
