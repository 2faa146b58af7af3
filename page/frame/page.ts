// The page around the program: a terminal, a store, a socket to whoever serves it, and the keys.

// @ts-expect-error: this module comes without types
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import type { Terminal } from "@xterm/xterm";
import { loadPyodide } from "pyodide";
import { by, drawnIn, fit } from "./look";
import { fetchAll, part } from "./parts";
import { Store, type Change } from "./store";
import { Fingers } from "./touch";
import { language, words } from "./words";

const HEARD_MAX = 50; // sentences that are kept for a screen reader

const served = `${location.origin.replace(/^http/, "ws")}${location.pathname}ws`;
/** A socket to whoever serves the page, or, for a page from a file, to a table at an address that somebody has typed. */
const socketTo = (where: string, opened: () => void, came: (octets: Uint8Array) => void, ended: () => void) => {
  const socket = Object.assign(new WebSocket(where ? `ws://${where}/ws` : served), { binaryType: "arraybuffer" as const, onopen: opened, onclose: ended });
  socket.onmessage = (event) => came(new Uint8Array(event.data));
  const send = (octets: Uint8Array) => socket.send(octets.slice());
  return { send, close: () => socket.close(), waiting: () => socket.bufferedAmount };
};

/** Say one sentence and nothing else, for good. */
function sayOnly(sentence: string): void {
  by("said").textContent = sentence;
  by("wait").hidden = !(by("loaded").hidden = by("trust").hidden = by("hand").hidden = true);
}

/** Hand a sentence to a screen reader, which makes no sense of a terminal's cells. */
function hear(sentence: string): void {
  by("heard").appendChild(document.createElement("p")).textContent = sentence;
  if (by("heard").childElementCount > HEARD_MAX) by("heard").firstElementChild!.remove();
}

/** Call somebody back as the program wants it: by the title, which it writes, and for its bell by a mark there. */
function attention(terminal: Terminal): void {
  let [mark, title] = ["", document.title]; // the mark stays until the page is seen, through any new title
  const tell = () => (document.title = mark + title);
  terminal.onTitleChange((text) => ((title = text || "Boneyard"), tell()));
  terminal.onBell(() => (navigator.vibrate?.(200), (mark = document.hidden ? "● " : ""), tell()));
  document.addEventListener("visibilitychange", () => document.hidden || ((mark = ""), tell()));
}

async function begin(): Promise<void> {
  const code = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  document.documentElement.lang = language;
  by("said").textContent = words.wait;
  const trust: Record<string, string> = { "http:": `${words.server}\n${words.network}`, "file:": words.file };
  by("trust").innerText = trust[location.protocol] ?? words.server;

  const store = await Store.open(`boneyard ${location.pathname}`).catch(() => null); // as in some private windows
  if (store === null) return sayOnly(words.keepsNothing);
  if (!(await store.lease())) return sayOnly(words.otherTab);
  addEventListener("pagehide", () => store.leave());
  addEventListener("pageshow", (event) => event.persisted && location.reload()); // it has said that it is gone
  const progress = by<HTMLProgressElement>("loaded");
  fetchAll((share) => (progress.value = 0.8 * share)); // then they are to be started

  const terminal = drawnIn(by("terminal"), words.labels.terminal);
  const fingers = new Fingers(terminal);
  attention(terminal);

  // Fingers get keys and a line; a keyboard of its own types straight into the terminal, as at any desk. Many devices
  // have both, so what is used says which it is: a touch, or a letter typed while no line of the page has the focus.
  let forFingers = matchMedia("(pointer: coarse)").matches;
  const room = () => fit(terminal, forFingers);
  const use = (touch: boolean) => (fingers.show((forFingers = touch)), room());
  addEventListener("pointerdown", (event) => event.pointerType === "touch" && !forFingers && use(true), true);
  addEventListener("keydown", (event) => forFingers && event.target === document.body && event.key.length === 1 && use(false), true);
  for (const each of [window, window.visualViewport]) each?.addEventListener("resize", room);
  window.visualViewport?.addEventListener("scroll", room);

  const python = await loadPyodide({
    createPyodideModule,
    indexURL: location.origin,
    stdLibURL: "python_stdlib.zip",
    lockFileContents: await (await part("pyodide-lock.json")).text(),
    env: { HOME: "/boneyard", LOGNAME: "player" },
  });
  python.FS.mkdirTree("/lib/boneyard");
  const octets = async (name: string) => new Uint8Array(await (await part(name)).arrayBuffer());
  for (const name of ["curve.so", "ciphers.so"]) python.FS.writeFile(`/lib/boneyard/${name}`, await octets(name));
  python.unpackArchive(await octets("program.zip"), "zip", { extractDir: "/lib/boneyard/site" });
  progress.value = 1;
  python.registerJsModule("boneyard_page", {
    // Who asks for a mouse has laid a table out, at the bottom.
    write: (text: string) => terminal.write(text, () => terminal.modes.mouseTrackingMode === "none" || terminal.scrollToBottom()),
    columns: () => terminal.cols, rows: () => terminal.rows,
    listen: (typed: (text: string) => void, resized: () => void, woken: () => void, dropped: (name: string, octets: Uint8Array) => void) => {
      addEventListener("dragover", (event) => event.preventDefault());
      addEventListener("drop", async (event) => {
        event.preventDefault();
        for (const file of event.dataTransfer?.files ?? []) dropped(file.name, new Uint8Array(await file.arrayBuffer()));
      });
      // A tab that slept, or was frozen, looks at its clocks at once.
      for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, () => document.hidden || woken());
      terminal.onData(typed);
      terminal.onResize(() => resized());
      by("wait").hidden = true;
      use(forFingers);
    },
    prompt: (text: string) => fingers.prompt(text), hear,
    options: () => ({ code, language, host: location.host, isServed: /^\/[a-z2-7]{26}\/$/.test(location.pathname), isFile: location.protocol === "file:" }),
    is_online: () => navigator.onLine, open: socketTo,
    kept: () => store.all(), keep: (changes: Change[]) => store.keep(changes),
  });

  await python.runPythonAsync("import sys; sys.path.insert(0, '/lib/boneyard/site'); from page.tab.start import begin; await begin()");
}

begin().catch((error) => (sayOnly(words.failed + String(error)), console.error(error)));
