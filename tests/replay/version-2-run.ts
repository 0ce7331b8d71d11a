import { sessionPolicy } from "../../src/core/session/loop/loop-config.ts";
import type { RunKind } from "../../src/core/contract/run-kind.ts";
import { newRun } from "../../src/core/run/state.ts";
import { isRefusal, type UpgradedRun, upgradeRun } from "../../src/core/run/upgrade/upgrade-run.ts";
import type { Fields } from "../../src/core/run/upgrade/upgrade-step.ts";
import { runPolicy } from "../../src/core/settings/run/run-policy.ts";
import { type Settings, settingsSchema } from "../../src/core/settings/settings.ts";

/** A run as version 2 stored it, by hand: the program that wrote it is no more. */
export type Version2 = { state: Fields; frozen: Fields };

/** The parts of a run of version 2 that a test is about. */
export type Version2Parts = {
  kind?: RunKind;
  /** The guardrails' commands. */
  commands?: string[];
  policy?: Fields;
  state?: Fields;
  facts?: Fields;
  frozen?: Fields;
};

const lacking = (value: object, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !names.includes(key)));

/** Everything a policy of version 2 counted and switched. */
export function policy2(kind: RunKind, settings: Settings, given: Fields = {}): Fields {
  const present = { ...runPolicy(settings), kind };
  return {
    ...lacking(present, ["gates", "contract", "claimBy"]),
    guardrailCount: kind === "supervise" ? 0 : settings.guardrails.length,
    criterionCount: 0,
    hasTasks: kind === "prd",
    hasBaseline: false,
    hasChildren: kind === "supervise",
    hasMarkers: kind === "supervise",
    guardrailWallMs: settings.guardrailTimeout,
    criterionWallMs: null,
    childrenWallMs: kind === "supervise" ? settings.children.wait : null,
    ...given,
  };
}

/** A whole run of version 2. */
export function version2({ kind = "run", commands = ["true"], ...parts }: Version2Parts = {}): Version2 {
  const settings = settingsSchema.parse({
    guardrails: commands.map((command) => ({ command, failAction: "APPEND" })),
  });
  const policy = policy2(kind, settings, parts.policy);
  return {
    state: state2(policy, { tasks: kind === "prd" ? tasks2 : null, ...parts.state }, parts.facts),
    frozen: {
      version: "0.1.0",
      projectDir: "/p",
      prompt: { kind: "text", text: "Do it" },
      settings: lacking(settings, ["redact"]),
      settingsFiles: {},
      policy,
      startCommit: null,
      ...parts.frozen,
    },
  };
}

/** The state of a loop in a session; it has no frozen run. */
export function session2(criterionCount: number, given: { state?: Fields; facts?: Fields } = {}): Fields {
  const own = sessionPolicy(
    { maxIterations: 5, completionPromise: "DONE" },
    { continuationDelay: 0, gates: [], contractHash: "" },
  );
  const old = { criterionCount, criterionWallMs: 300_000, guardrailWallMs: null };
  const policy = {
    ...policy2("session", settingsSchema.parse({}), old),
    ...lacking(own, ["gates", "contract", "claimBy"]),
  };
  return state2(policy, given.state, given.facts);
}

function state2(policy: Fields, given: Fields = {}, facts: Fields = {}): Fields {
  const present = newRun(runPolicy(settingsSchema.parse({})));
  return {
    ...lacking(present, ["slots", "assignment", "isWorkLeft", "dueGates", "afterGates"]),
    version: 2,
    policy,
    facts: {
      report: null,
      guardrails: null,
      criteria: null,
      children: null,
      tasks: null,
      isDelivered: false,
      ...facts,
    },
    tasks: null,
    isListOpen: false,
    afterRepair: null,
    ...given,
  };
}

/** A criterion as it was, and is, frozen. */
export const criterion2 = {
  role: "coder",
  criterion: {
    promise: "DONE",
    description: "it works",
    maxIterations: null,
    verification: {
      method: "external",
      command: "true",
      successExitCode: 0,
      outputContains: null,
      outputNotContains: null,
      timeoutMs: 1000,
      workingDir: ".",
    },
  },
  outcome: "It works.",
  acceptanceCriteria: ["it works"],
};

/** An order of checks in flight. */
export const checks2 = (of: string) => ({ type: "run-checks", id: 4, iteration: 2, of, wallMs: 9 });

/** A task list in its order. */
export const tasks2 = {
  copy: { text: "{}" },
  assignment: { role: "implement", taskId: "S-1" },
  head: "abc",
  dirty: { text: "{}" },
};

/** A role's run, whose claim is verified by a command. */
export const role2: Version2Parts = {
  kind: "work",
  policy: { criterionCount: 1, hasBaseline: true },
  frozen: { criterion: criterion2 },
};

/** A run of version 2 after its upgrade; throws when it is refused. Its hashes tell a length. */
export function upgraded(run: { state: Fields; frozen: Fields | null }): UpgradedRun {
  const result = upgradeRun(run, (text) => `hash of ${text.length}`);
  if (isRefusal(result)) throw new Error(result.problem);
  return result;
}
