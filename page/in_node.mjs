// Runs Python in the page's own Python, with the built program and a folder of modules: node in_node.mjs PAGE FOLDER
// The code comes on standard input, and its last value, a string, goes to standard output.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const [page, folder] = process.argv.slice(2);
const { loadPyodide } = await import(join(folder, "page", "node_modules", "pyodide", "pyodide.mjs"));
const parts = readdirSync(join(page, "parts"));
const part = (name) => new Uint8Array(gunzipSync(readFileSync(join(page, "parts", parts.find((each) => each.startsWith(name))))));
const python = await loadPyodide({ env: { HOME: "/boneyard" } });
python.FS.mkdirTree("/lib/boneyard");
for (const name of ["curve", "ciphers"]) python.FS.writeFile(`/lib/boneyard/${name}.so`, part(`${name}.`));
python.unpackArchive(part("program."), "zip", { extractDir: "/lib/boneyard/site" });
python.FS.mkdirTree("/clone");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/clone");
python.runPython(`import sys; sys.path[:0] = ["/lib/boneyard/site", "/clone"]`);
try {
  console.log(await python.runPythonAsync(readFileSync(0, "utf-8")));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
