"""Each ability that a platform may lack, called a door, is used only in a few named files."""

import ast

from tests.tree import ROOT

FILES = (
    "open",
    "os.open",
    "os.stat",
    "os.listdir",
    "os.scandir",
    "os.fsync",
    "os.path",
    "tempfile",
    "shutil.rmtree",
    "shutil.disk_usage",
    "trio.Path",
    *(f".{verb}" for verb in ("open for", "read_bytes", "read_text", "write_bytes", "write_text")),
    *(f".{verb}" for verb in ("mkdir", "unlink", "iterdir", "glob", "rglob", "touch", "rmdir")),
    *(f".{verb}" for verb in ("exists", "is_file", "is_dir", "is_symlink", "stat", "symlink_to")),
)
"""Names that open, inspect or move files; a leading dot marks a method of a path."""

DOORS = {
    "threads": (
        (
            *("trio.to_thread", "trio.from_thread"),
            *("trio.lowlevel.start_thread_soon", "threading.Thread"),
        ),
        # plain.py reads a line of input in a thread of its own, as the line may never come
        {"netgame/io/work.py", "cli/screens/plain.py"},
    ),
    "sockets": (
        ("socket", "trio.socket", "trio.open_tcp_stream", "trio.open_tcp_listeners"),
        {
            "netgame/io/network/tcp.py",
            "netgame/io/network/listen.py",
            "netgame/io/network/interfaces.py",
        },
    ),
    "HTTP": (
        (
            *("h11", "wsproto", "wsproto.connection", "wsproto.events"),
            *("wsproto.frame_protocol", "wsproto.utilities", "http.server"),
        ),
        {f"netgame/io/page/{name}.py" for name in ("answers", "serving", "tab_stream")},
    ),
    "certificates": (("ssl", "cryptography.x509"), set()),
    "files": (
        FILES,
        {
            "netgame/io/disk/files.py",
            "netgame/io/disk/appended.py",
            "netgame/io/disk/on_disk.py",
            # files that a person names, and the log they ask for
            "cli/files.py",
            "cli/logbook.py",
            # what the system says about itself
            "netgame/io/battery.py",
            "cli/doctor/facts.py",
            # where the program is, the rules page shipped with it, the pager's text, and os.devnull
            "cli/program.py",
            "cli/wording/rulebook.py",
            "cli/screens/pager.py",
            "cli/streams.py",
            # the files of an install, wheels that pip left, and what runs on a guest's computer
            "cli/share/installed.py",
            "cli/share/gathered.py",
            "cli/share/guest.py",
        },
    ),
    "clock": (
        (
            *("time", "datetime.now", "datetime.datetime.now", "datetime.date.today"),
            *("time.time", "time.monotonic", "time.perf_counter", "time.strftime", "time.sleep"),
        ),
        {"netgame/io/clock.py", "netgame/io/sleep_gauge.py"},
    ),
    "entropy": (
        ("secrets", "os.urandom", "random", "uuid"),
        # thinking.py seeds a generator with the position, so that it is the same each time
        {"netgame/io/entropy.py", "cli/session/thinking.py"},
    ),
    "mDNS": (
        ("zeroconf",),
        {f"netgame/io/discovery/{name}.py" for name in ("advert", "browse", "survey")},
    ),
    "processes": (
        ("subprocess", "multiprocessing", "concurrent.futures", "os.fork", "os.system"),
        {
            "cli/commands/verify.py",
            "cli/screens/pager.py",
            "cli/share/gathered.py",
            "cli/share/guest.py",
        },
    ),
    "signals": (("signal", "os.kill"), {"cli/signals.py", "cli/screens/guest.py"}),
    "terminal": (
        (
            *("sys.stdin", "sys.stdout", "sys.stderr", "print", "input"),
            *("os.isatty", ".isatty", "os.get_terminal_size", "shutil.get_terminal_size"),
        ),
        {"cli/streams.py", "cli/share/guest.py"},
    ),
}
"""For each door, the modules and functions that use it, and the files that may name them."""


def used(path):
    """Yield the names that a file imports, reads from a module or object, or calls.

    A called method is also yielded as `.name`, or as `.open for` if it is `open` with a constant
    string as its first argument.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=module, names=names):
                yield module or ""
                yield from (f"{module}.{each.name}" for each in names)
            case ast.Attribute(value=ast.Name() | ast.Attribute()):
                yield ast.unparse(node)
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Attribute(attr="open"), args=[ast.Constant(value=str()), *_]):
                yield ".open for"
            case ast.Call(func=ast.Attribute(attr=attribute)):
                yield f".{attribute}"


def test_each_door_is_used_by_the_files_that_are_named():
    """Each door is used by exactly the files that `DOORS` names for it."""
    found = {door: set() for door in DOORS}
    for package in ("engine", "netgame", "cli"):
        for path in sorted((ROOT / package).rglob("*.py")):
            names = set(used(path))
            for door, (wanted, _) in DOORS.items():
                if names & set(wanted):
                    found[door].add(path.relative_to(ROOT).as_posix())
    assert found == {door: files for door, (_, files) in DOORS.items()}
