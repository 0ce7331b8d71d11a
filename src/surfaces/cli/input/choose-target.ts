import { createInterface } from "node:readline/promises";
import { RalphError } from "../../../core/ralph-error.ts";
import { isStopsRun } from "../../../core/session/native-stops.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import type { Records } from "../../../shell/wire-store.ts";
import { runsOf } from "./choose-run.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { livingSessions } from "../../../app/query/session-summary.ts";

/** What a command is about: a run, or a loop inside a host's session. */
export type Target = { run: RunRecord; session?: never } | { session: SessionRecord; run?: never };

/** The id people name a target by. */
export function targetId({ run, session }: Target): string {
  return run?.id ?? session?.loop.sessionId ?? "";
}

/** The run or the living session loop with this id, or the only one whose id begins with it. */
export async function namedTarget(machine: Records, id: string): Promise<Target> {
  const runs = await machine.store.find(id);
  const sessions = livingSessions(machine.folder, null).filter(({ loop }) => loop.sessionId.startsWith(id));
  const exact = sessions.filter(({ loop }) => loop.sessionId === id);
  const found: Target[] = [
    ...runs.map((run) => ({ run })),
    ...(exact.length > 0 ? exact : sessions).map((session) => ({ session })),
  ];
  const whole = found.filter((target) => targetId(target) === id);
  const [only, ...others] = whole.length > 0 ? whole : found;
  if (id === "" || only === undefined)
    throw new RalphError("not-found", `There is no run "${id}".`, "`ralph status --all` lists every run.");
  if (others.length === 0) return only;
  const ids = [only, ...others].map(targetId).join(", ");
  const words = `"${id}" is the beginning of ${others.length + 1} runs: ${ids}.`;
  throw new RalphError("not-found", words, "Give more of the id.");
}

/** The active runs of a directory: driven runs and session loops; without any, runs whose driver died. */
export async function livingTargets(machine: Records, directory: string): Promise<Target[]> {
  const runs = (await runsOf(machine, directory)).filter(({ outcome }) => outcome === null);
  const driven = runs.filter((run) => isDriven(machine, run));
  // A run without a loop ends with its session; it is meant only by its id.
  const sessions = livingSessions(machine.folder, directory).filter((session) => !isStopsRun(session));
  const living = [...driven.map((run) => ({ run })), ...sessions.map((session) => ({ session }))];
  return living.length > 0 ? living : runs.map((run) => ({ run }));
}

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
