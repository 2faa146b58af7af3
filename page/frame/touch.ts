// Fingers: a row of keys, a line to type in, taps and strokes on the terminal.

import type { Terminal } from "@xterm/xterm";
import { by, cells } from "./look";
import { words } from "./words";

const CLEAR = "\x05\x15"; // Ctrl-E and Ctrl-U take away whatever stands at the prompt
const KEYS = {
  Tab: "\t", Esc: "\x1b", "↑": "\x1b[A", "↓": "\x1b[B", "←": "\x1b[D", "→": "\x1b[C",
  "⇞": "\x1b[5~", "⇟": "\x1b[6~", F1: "\x1bOP", F2: "\x1bOQ",
};

/** The keys and the line below the terminal; what they come to is sent to the program as typed.
 *
 *  The line is the page's and not the terminal, as keyboards on a screen complete and correct words: xterm.js hears
 *  these twice (xtermjs/xterm.js#3600). What stands at the program's prompt stands here too, such as the words of a
 *  tile that was tapped; what is typed here comes to the prompt with the next key. */
export class Fingers {
  private readonly form = by<HTMLFormElement>("hand");
  private readonly line = by<HTMLInputElement>("line");
  private atPrompt = "";
  private tapped = -1; // the row of a list that was tapped last

  constructor(private readonly terminal: Terminal) {
    for (const id of ["line", "enter", "keys"] as const) by(id).ariaLabel = words.labels[id];
    for (const shown of Object.keys(KEYS) as (keyof typeof KEYS)[]) this.addKey(shown, words.keys[shown], () => this.press(KEYS[shown]));
    // Only a page by https may read the clipboard; elsewhere the line itself can be pasted into.
    const paste = (text: string) => this.line.setRangeText(text, this.line.selectionStart!, this.line.selectionEnd!, "end");
    if (isSecureContext) this.addKey("⧉", words.labels.paste, () => void navigator.clipboard.readText().then(paste, () => {}));
    // A key takes no focus from the line: a keyboard on the screen would go, and come again.
    this.form.addEventListener("pointerdown", (event) => event.target !== this.line && event.preventDefault());
    this.form.addEventListener("submit", (event) => (event.preventDefault(), this.enter()));

    const at = terminal.element!.parentElement!;
    const heeds = (event: PointerEvent) => !this.form.hidden && event.isPrimary;
    let [y, strokes] = [0, false];
    at.addEventListener("pointerdown", (event) => heeds(event) && ([y, strokes] = [event.clientY, false]));
    at.addEventListener("pointermove", (event) => {
      const rows = Math.trunc((y - event.clientY) / cells(terminal).height);
      if (!heeds(event) || !event.buttons || !rows) return;
      [y, strokes] = [event.clientY, true];
      const turn = this.report(rows < 0 ? 64 : 65, event).repeat(Math.abs(rows)); // of a wheel
      turn ? terminal.input(turn, false) : terminal.scrollLines(rows);
    });
    // Else a stroke goes on for a while in the browser, which takes the next tap for its end.
    at.addEventListener("touchmove", (event) => event.touches.length === 1 && event.preventDefault(), { passive: false });
    at.addEventListener("pointerup", (event) => heeds(event) && !strokes && this.tap(event));
  }

  /** Show or hide them; the terminal has no focus while they are there. */
  show(shown: boolean): void {
    this.form.hidden = !shown;
    document.body.classList.toggle("touch", shown);
    shown ? this.terminal.blur() : this.terminal.focus();
  }

  /** Take what stands at the program's prompt. */
  prompt(text: string): void {
    this.atPrompt = this.line.value = text;
  }

  private addKey(textContent: string, ariaLabel: string, onclick: () => void): void {
    by("keys").append(Object.assign(document.createElement("button"), { type: "button", textContent, ariaLabel, onclick }));
  }

  private press(sent: string): void {
    const text = this.line.value.replace(/[\x00-\x1f\x7f]/g, " ");
    const typed = text === this.atPrompt ? "" : CLEAR + text;
    this.atPrompt = text;
    this.terminal.input(typed + sent); // and back to it, where a stroke has led to what was said before
  }

  private enter(): void {
    this.press("\r");
    this.prompt("");
  }

  /** The column and row that a finger is on, from 1. */
  private place(event: PointerEvent): [column: number, row: number] {
    const { left, top, width, height } = cells(this.terminal);
    return [1 + Math.floor((event.clientX - left) / width), 1 + Math.floor((event.clientY - top) / height)];
  }

  /** Say that a button of a mouse goes down there, as terminals do (xterm, ctlseqs: SGR); "" where nobody asks. */
  private report(button: number, event: PointerEvent): string {
    const asked = this.terminal.modes.mouseTrackingMode !== "none";
    return asked ? `\x1b[<${button};${this.place(event).join(";")}M` : "";
  }

  /** A tap is the program's to understand where it asks for a mouse, as at a table. Elsewhere one on a row of a list
   *  writes the number of that row, and a second one chooses it. */
  private tap(event: PointerEvent): void {
    const click = this.report(0, event);
    if (click) return this.press(click);
    const buffer = this.terminal.buffer.active;
    const text = (at: number) => buffer.getLine(at)?.translateToString(true) ?? "";
    let row = buffer.viewportY + this.place(event)[1] - 1;
    while (text(row).startsWith("    ")) row--; // it goes on below its number
    const number = /^[ >]([ \d]\d) /.exec(text(row))?.[1]?.trim();
    if (number === undefined) return;
    const isSecond = this.tapped === row && this.line.value === number;
    [this.tapped, this.line.value] = [row, number];
    if (isSecond) this.enter();
  }
}
