import { assert } from "../../core/assert.ts";
import { decide } from "../../core/engine/decide.ts";
import type { TurnLimits } from "../../core/run/effect.ts";
import { newRun } from "../../core/run/state.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Machine } from "../machine.ts";
import { agentOf } from "./agent-of.ts";
import { turnProcess, turnPrompt } from "../perform/turn-process.ts";

/** What the first turn of a run would be. */
export type RunPlan = {
  /** Exactly as it would be sent. */
  prompt: string;
  /** The command line; where the prompt is an argument, `<prompt>` stands in its place. */
  argv: string[];
  promptVia: "stdin" | "argument";
  /** How the agent's environment differs from this one, by name. */
  environment: { set: string[]; removed: string[] };
  limits: TurnLimits;
};

/** Asks the engine for its first order and makes of it what a turn would start. Starts and stores nothing. */
export async function planRun(machine: Pick<Machine, "agents" | "disk" | "env">, frozen: FrozenRun): Promise<RunPlan> {
  const [, [order]] = decide(newRun({ ...frozen.policy, gates: [] }), { type: "run-started", at: 0, upMs: 0 });
  assert(order?.type === "begin-turn", "a run begins with a turn");
  // The first turn has no feedback, so no long text is looked for.
  const store = { getBlob: () => Promise.resolve(null) };
  const prompt = await turnPrompt(order, { frozen, disk: machine.disk, store });
  if (typeof prompt !== "string") throw new RalphError("prompt", prompt.message);
  const { agents, env } = machine;
  const place = { runId: "RUN", frozen, env, adapters: agents.known, killGraceMs: 0, ...agentOf(machine, frozen) };
  const { order: process } = turnProcess(order, place, prompt);
  return {
    prompt,
    argv: process.argv.map((word) => (process.stdin === null && word === prompt ? "<prompt>" : word)),
    promptVia: process.stdin === null ? "argument" : "stdin",
    environment: {
      set: Object.keys(process.env).filter((name) => process.env[name] !== env[name]),
      removed: Object.keys(env).filter((name) => process.env[name] === undefined),
    },
    limits: order.limits,
  };
}
