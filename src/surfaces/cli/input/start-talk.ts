import { createInterface } from "node:readline/promises";
import type { StartTalk } from "../../../app/start/start-talk.ts";
import { cleanMessage } from "../../../core/text/clean-text.ts";
import { exactStream } from "../terminal/guard-output.ts";
import { isConfirmed } from "./confirm.ts";

/** Asks a person at the terminal; without one the answer is no. */
export const startTalk: StartTalk = {
  say,
  introduce: say,
  isResumed: async (_, sentence) => isTerminal() && (await isWanted(sentence)),
  areChangesAccepted: async (sentence) =>
    isTerminal() && (await isConfirmed(`${sentence} Deliver them with the agent's work? (y/N): `)),
};

/** A line about the settings of a run, before it starts. */
export function warn(line: string): void {
  say(`ralph: ${line}`);
}

function say(line: string): void {
  process.stderr.write(`${cleanMessage(line)}\n`);
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

async function isWanted(sentence: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: exactStream(process.stderr) });
  try {
    const answer = await terminal.question(`${sentence} Resume it? (Y/n): `);
    return !/^n/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
