import type { TextFilter } from "./text-filter.ts";

/** Removes colour and other terminal codes from a whole text. */
export function stripColour(text: string): string {
  return createColourFilter().text(text);
}

/** Removes terminal codes from text in chunks. A line break ends any code, so a broken one hides no later line. */
export function createColourFilter(): TextFilter {
  let state: State = "text";
  return {
    text(chunk) {
      const kept: string[] = [];
      let at = 0;
      while (at < chunk.length) {
        if (state === "text") {
          const next = chunk.indexOf("\u001b", at);
          kept.push(chunk.slice(at, next === -1 ? chunk.length : next));
          if (next === -1) break;
          at = next + 1;
          state = "escape";
          continue;
        }
        const [next, isTaken] = step(state, chunk.charCodeAt(at));
        state = next;
        if (isTaken) at += 1;
      }
      return kept.join("");
    },
    end() {
      state = "text";
      return "";
    },
  };
}

/** `control` is a CSI code, `string` an OSC or another code with text, `string-escape` its possible end. */
type State = "text" | "escape" | "designator" | "control" | "string" | "string-escape";

const escapeCode = 0x1b;
const bell = 0x07;
const backslash = 0x5c;

// The next state, and whether the character belongs to the code.
function step(state: Exclude<State, "text">, code: number): [State, boolean] {
  if (code === 0x0a || code === 0x0d) return ["text", false];
  switch (state) {
    case "escape":
      return stepEscape(code);
    case "designator":
      if (code >= 0x20 && code <= 0x2f) return ["designator", true];
      return ["text", code >= 0x30 && code <= 0x7e];
    case "control":
      if (code >= 0x20 && code <= 0x3f) return ["control", true];
      return ["text", code >= 0x40 && code <= 0x7e];
    case "string":
      if (code === bell || code === 0x9c) return ["text", true];
      return [code === escapeCode ? "string-escape" : "string", true];
    case "string-escape":
      // Any character other than a backslash begins a new code.
      return code === backslash ? ["text", true] : ["escape", false];
  }
}

function stepEscape(code: number): [State, boolean] {
  const letter = String.fromCharCode(code);
  if (letter === "[") return ["control", true];
  if ("]PX^_".includes(letter)) return ["string", true];
  if (code >= 0x20 && code <= 0x2f) return ["designator", true];
  return ["text", code >= 0x30 && code <= 0x7e];
}
