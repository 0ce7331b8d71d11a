import { truncateText } from "../../core/text/truncate.ts";

/** Output of a command, of which only the two ends are kept in memory; the whole goes to a log. */
export type CapturedOutput = {
  add(chunk: Uint8Array): void;
  /** What an agent may read: at most `charsMax` characters, trailing white space trimmed. */
  text(): string;
};

/** Four bytes a character are enough for any text, so both ends always hold the characters that will be shown. */
const bytesPerChar = 4;

/** Keeps `charsMax` characters from the head, the tail or both. Memory stays bounded for any amount of output. */
export function captureOutput(charsMax: number, keep: "head" | "tail" | "both"): CapturedOutput {
  const endBytes = (charsMax + 1) * bytesPerChar;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  return {
    add(chunk) {
      const taken = Math.min(chunk.length, endBytes - headBytes);
      if (taken > 0) {
        head.push(Buffer.from(chunk.subarray(0, taken)));
        headBytes += taken;
      }
      if (taken === chunk.length) return;
      tail.push(Buffer.from(chunk.subarray(Math.max(taken, chunk.length - endBytes))));
      tailBytes += tail.at(-1)?.length ?? 0;
      if (tailBytes <= 4 * endBytes) return;
      const joined = Buffer.concat(tail);
      tail = [Buffer.from(joined.subarray(joined.length - endBytes))];
      tailBytes = endBytes;
    },
    text() {
      const whole = Buffer.concat([...head, ...tail]).toString("utf8");
      return truncateText(whole.trimEnd(), charsMax, keep);
    },
  };
}
