import { cleanLine } from "../../../core/text/clean-text.ts";
import { isConfirmed } from "./confirm.ts";

/** Asks a person at the terminal whether a task list may check less than before; without a terminal the answer is no. */
export async function askConsent(removed: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const lines = removed.map((text) => `  ${cleanLine(text)}\n`).join("");
  return isConfirmed(`The task list checks less than before:\n${lines}Resume with it? (y/N): `);
}
