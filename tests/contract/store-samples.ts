import type { AgentEvent } from "../../src/core/agents/agent-event.ts";
import type { Outcome } from "../../src/core/run/outcome.ts";
import { newRun, type RunState } from "../../src/core/run/state.ts";
import { runPolicy } from "../../src/core/settings/run/run-policy.ts";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import { takeLease } from "../../src/shell/drivers/take-lease.ts";
import type { NewRun, Owner, RunRecord, StepCommit, Store, Taken } from "../../src/shell/ports.ts";

const settings = settingsSchema.parse({ agent: { command: "sim" } });

/** A day in November 2026; tests count from here. */
export const start = Date.UTC(2026, 10, 15, 20, 43, 55);

/** One day. */
export const day = 24 * 3_600_000;

/** Two drivers: other processes of the same machine. */
export const ada: Owner = { pid: 101, startTime: "5001", host: "here" };
export const bob: Owner = { pid: 102, startTime: "5002", host: "here", namespace: "pid:[2]" };

/** What a look at former holders shows. */
export const everyoneLives = (): boolean => true;
export const nobodyLives = (): boolean => false;

/** Creates a run as a driver does: a holder whose fate the store does not know is looked at. */
export function createRun(store: Store, run: NewRun, owner: Owner, isAlive: (owner: Owner) => boolean): Promise<Taken> {
  return takeLease({
    attempt: (answers) => store.create(run, owner, answers),
    isOwnerAlive: async (other) => isAlive(other),
  });
}

/** Takes a run as a driver does. */
export function takeRun(store: Store, runId: string, owner: Owner, isAlive: (owner: Owner) => boolean): Promise<Taken> {
  return takeLease({
    attempt: (answers) => store.take(runId, owner, answers),
    isOwnerAlive: async (other) => isAlive(other),
  });
}

/** A run before its first step. */
export function sampleRun(id: string, changes: Partial<NewRun> = {}): NewRun {
  return {
    id,
    kind: "run",
    directory: "/project",
    parentId: null,
    frozen: {
      version: "0.1.0",
      projectDir: "/project",
      prompt: { kind: "text", text: "Fix the test ✔" },
      settings,
      settingsFiles: {},
      policy: runPolicy(settings),
      startCommit: null,
    },
    state: newRun(runPolicy(settings)),
    createdAt: start,
    ...changes,
  };
}

/** The state of a run in its nth iteration. */
export function sampleState(iteration: number, outcome: Outcome | null = null): RunState {
  return { ...newRun(runPolicy(settings)), iteration, outcome };
}

/** A step of a run, not of a work run. */
type RunStepCommit = Extract<StepCommit, { kind?: "step" }>;

/** A step that brings the run into its nth iteration. */
export function sampleStep(
  runId: string,
  epoch: number,
  iteration: number,
  changes: Partial<RunStepCommit> = {},
): RunStepCommit {
  const at = start + iteration;
  return {
    runId,
    epoch,
    at,
    observation: { type: "timer-fired", at, upMs: iteration, effectId: iteration },
    state: sampleState(iteration),
    effects: [{ type: "deliver", id: iteration + 1, iteration, of: "iteration", candidate: null }],
    ...changes,
  };
}

/** A step that ends the run. */
export function endingStep(runId: string, epoch: number, at: number): StepCommit {
  return sampleStep(runId, epoch, 1, { at, state: sampleState(1, completed) });
}

export const completed: Outcome = { name: "completed", reason: "Every gate is green." };

/** A line of the agent. */
export function sampleText(text: string): AgentEvent {
  return { type: "text", text, messageId: "m1", isSub: false };
}

/** The record of the run with this id. */
export async function only(store: Store, id: string): Promise<RunRecord> {
  const [record] = await store.find(id);
  if (record === undefined) throw new Error(`there is no run ${id}`);
  return record;
}

/** The epoch of a run that was taken. */
export async function epochOf(taken: Taken | Promise<Taken>): Promise<number> {
  const settled = await taken;
  if (!settled.isTaken) throw new Error(`held by ${settled.holder.id}`);
  return settled.epoch;
}
