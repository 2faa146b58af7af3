// What the terminal looks like: its colours by the browser's, its size by the room that there is.

import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal, type ITheme } from "@xterm/xterm";

const COLUMNS_MIN = 40; // the program's narrowest drawing; letters get smaller before there are fewer
const LETTERS_PX = 16;
const ROWS_FOR_FINGERS = 24; // so many rows are as high as there is room for, but not more than
const FINGER_PX = 44;
const light = matchMedia("(prefers-color-scheme: light)");

// On black as on white these have a contrast of 4.5, and so has black or white text on them.
const HUES = { red: "#eb0000", green: "#008800", yellow: "#8e7200", blue: "#016bff", magenta: "#cf00cf", cyan: "#00818d" };
const bright = Object.fromEntries(Object.entries(HUES).map(([name, hue]) => [`bright${name[0]!.toUpperCase()}${name.slice(1)}`, hue]));

export const by = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

/** The colours of the browser; pure black or white behind, as the program's own are chosen for either. */
function theme(): ITheme {
  const [background, foreground] = light.matches ? ["#ffffff", "#111111"] : ["#000000", "#eeeeee"];
  const cursor = { cursor: foreground, cursorAccent: background, selectionBackground: "#80808080" };
  return { background, foreground, ...cursor, ...HUES, ...bright, brightBlack: "#757575" };
}

/** A terminal in `at`, which has the colours of the browser, also when these change. */
export function drawnIn(at: HTMLElement, label: string): Terminal {
  Terminal.strings.promptLabel = label;
  const terminal = new Terminal({ fontSize: LETTERS_PX, fontFamily: "ui-monospace, Consolas, monospace", theme: theme(), allowProposedApi: true });
  terminal.loadAddon(new Unicode11Addon()); // an emoji is as wide as the program counts it
  terminal.unicode.activeVersion = "11";
  light.addEventListener("change", () => (terminal.options.theme = theme()));
  terminal.open(at);
  return terminal;
}

/** Where its cells begin, and how wide and high each is, in CSS pixels. */
export function cells(terminal: Terminal): { left: number; top: number; width: number; height: number } {
  const { left, top, width, height } = terminal.element!.querySelector(".xterm-screen")!.getBoundingClientRect();
  return { left, top, width: width / terminal.cols, height: height / terminal.rows };
}

/** Give the page the height that a keyboard leaves, and the terminal as many cells as there is room for. */
export function fit(terminal: Terminal, forFingers: boolean): void {
  const seen = window.visualViewport;
  // Nothing moves while somebody looks closer by two fingers.
  if (seen !== null && seen.scale < 1.01) Object.assign(document.body.style, { height: `${seen.height}px`, top: `${seen.offsetTop}px` });
  const { clientWidth: width, clientHeight: height } = terminal.element!.parentElement!;
  Object.assign(terminal.options, { fontSize: LETTERS_PX, lineHeight: 1 });
  const narrowed = width / (COLUMNS_MIN * cells(terminal).width);
  if (narrowed < 1) terminal.options.fontSize = LETTERS_PX * narrowed * 0.99;
  const row = forFingers ? Math.min(FINGER_PX, height / ROWS_FOR_FINGERS) : 0;
  terminal.options.lineHeight = Math.max(1, row / cells(terminal).height);
  const each = cells(terminal);
  terminal.resize(Math.max(2, Math.floor(width / each.width + 0.01)), Math.max(2, Math.floor(height / each.height + 0.01)));
}
