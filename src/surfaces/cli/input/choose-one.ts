import { createInterface } from "node:readline/promises";
import { RalphError } from "../../../core/ralph-error.ts";
import { type Target, targetId } from "../../../app/query/find/target.ts";

/** The only one, or the one a person chooses; without a terminal the error lists each with its command. */
export async function chooseOne(targets: readonly Target[], command: string): Promise<Target> {
  const [first, ...others] = targets;
  if (first !== undefined && others.length === 0) return first;
  const lines = targets.map((target) => `ralph ${command} ${targetId(target)}  (${describe(target)})`);
  const refusal = new RalphError(
    "usage",
    `${targets.length} runs are active here, and none is named.`,
    `Name one:\n${lines.map((line) => `  ${line}`).join("\n")}`,
  );
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw refusal;
  const rows = targets.map((target, at) => `  ${at + 1}) ${targetId(target)}  (${describe(target)})\n`).join("");
  const answer = await ask(
    `${targets.length} runs are active here:\n${rows}Which one to ${command}? (1-${targets.length}): `,
  );
  const chosen = /^\d+$/.test(answer) ? targets[Number(answer) - 1] : undefined;
  if (chosen === undefined) throw refusal;
  return chosen;
}

function describe({ run, session }: Target): string {
  if (session !== undefined) return `in session, iteration ${session.loop.iteration}/${session.loop.maxIterations}`;
  return `${run.kind}, iteration ${run.state.iteration}`;
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}
