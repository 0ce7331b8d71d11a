/** JSON that is safe on a terminal: characters that a terminal obeys or hides are escaped; the value is the same. */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(hidden, escaped);
}

/** One value on one line. */
export function jsonLine(value: unknown): string {
  return `${jsonText(value)}\n`;
}

/**
 * The version of what `--json` prints, described in docs/json.md. Raised when a field changes its meaning or goes; a new
 * field does not raise it.
 */
export const jsonVersion = 1;

/** A result for programs on one line, with its version. */
export function jsonResult(value: object): string {
  return jsonLine({ jsonVersion, ...value });
}

const hidden =
  /[\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

function escaped(letter: string): string {
  return Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
