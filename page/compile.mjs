// Compiles a tree of Python files by the Python that Pyodide has, into one archive: node compile.mjs TREE ARCHIVE

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [tree, archive] = process.argv.slice(2);
const python = await loadPyodide({});
python.FS.mkdirTree("/tree");
const files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
for (const file of files) {
  const at = join("/tree", file.parentPath.slice(tree.length));
  python.FS.mkdirTree(at);
  python.FS.writeFile(join(at, file.name), new Uint8Array(readFileSync(join(file.parentPath, file.name))));
}
python.runPython(`
import pathlib, py_compile, zipfile

with zipfile.ZipFile("/program.zip", "w", zipfile.ZIP_STORED) as archive:
    for path in sorted(pathlib.Path("/tree").rglob("*")):
        name = path.relative_to("/tree").as_posix()
        if not path.is_file() or path.suffix in (".pyi", ".typed"):
            continue
        if path.suffix == ".py":
            # No docstrings, which are a quarter of all; and nothing is looked up beside them later.
            py_compile.compile(
                str(path), "/compiled", name, doraise=True, optimize=2,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            path, name = pathlib.Path("/compiled"), f"{name}c"
        archive.writestr(zipfile.ZipInfo(name), path.read_bytes())
`);
writeFileSync(archive, python.FS.readFile("/program.zip"));
