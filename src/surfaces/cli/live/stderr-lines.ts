import { cleanText } from "../../../core/text/clean-text.ts";

/** Longer unfinished lines are broken. */
const lineCharsMax = 4096;

/** Turns the agent's standard error into whole, safe lines, each marked as the agent's. */
export function createStderrLines(print: (text: string) => void): { push(chunk: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder();
  let rest = "";
  const take = (text: string): void => {
    const end = text.length > lineCharsMax ? text.length : text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    if (end > 0) print(marked(text.slice(0, end)));
  };
  return {
    push: (chunk) => take(rest + decoder.decode(chunk, { stream: true })),
    end() {
      const last = rest + decoder.decode();
      rest = "";
      if (last !== "") print(marked(last));
    },
  };
}

function marked(text: string): string {
  const lines = cleanText(text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  return lines.map((line) => `[agent] ${line}\n`).join("");
}
