import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { GateAnswer } from "../../src/core/run/observation.ts";
import type { Spend } from "../../src/core/agents/spend.ts";
import type { Verdict } from "../../src/core/verification/verdict.ts";
import { runPolicy } from "../../src/core/settings/run/run-policy.ts";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import type { Criterion } from "../../src/core/tasks/criteria/completion-spec.ts";
import { readCriterion } from "../../src/core/tasks/criteria/read-completion-spec.ts";
import { criterion as criterionKind } from "../../src/shell/gates/criterion.ts";
import { plainAnswer } from "../../src/core/run/gate-answer.ts";
import type { GateRequest, GateContext } from "../../src/shell/gates/gate-kind.ts";
import { agentOf } from "../../src/shell/drivers/agent-of.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { realClock } from "../../src/shell/lib/real-clock.ts";
import { treeFingerprint } from "../../src/shell/git/trees/tree-fingerprint.ts";
import { asOwn } from "../../src/shell/lib/as-own.ts";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { createFileArtefacts } from "../../src/shell/stores/file-artefacts.ts";
import { allAgents } from "../../src/shell/wire-agents.ts";

/** What one claim was found to be. */
export type Verified = { verdict: Verdict; spend: Spend };

/** `gateId`: another gate with the same criterion. */
export type VerifyOptions = { iteration?: number; wallMs?: number; signal?: AbortSignal; gateId?: string };

/** A work tree with a gate over it, real processes, and `ralph sim` as judge where one is asked. */
export type Scene = {
  directory: string;
  notes: string[];
  /** How long the gate waited between tries; each wait is over at once. */
  waits: number[];
  write(path: string, content: string): void;
  read(path: string): string;
  logs(): string[];
  /** What is kept outside the work tree, relative to the state folder. */
  evidence(path: string | null | undefined): string;
  /** Lets the gate verify the claim of an iteration whose turn said this. */
  verify(turnText?: string, options?: VerifyOptions): Promise<Verified>;
  /** The gate's answer as it is, also when it was cut or could not be asked. */
  ask(of: "baseline" | "criteria", signal?: AbortSignal): Promise<GateAnswer>;
};

export type SceneOptions = {
  settings?: Record<string, unknown>;
  /** The judge's script for `ralph sim`. */
  judge?: string;
  isGit?: boolean;
  /** A verification that no document can name, as another version may have frozen it. */
  frozen?: unknown;
};

const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");
/** One for each test process: programs are ended by their run, and files of tests run side by side. */
export const verificationRunId = `verification-${process.pid}`;

/** Opens a scene for one criterion, written as a document has it. */
export function openScene(method: string, config: unknown, options: SceneOptions = {}): Scene {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-verify-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const directory = join(root, "project");
  mkdirSync(join(directory, ".ralph"), { recursive: true });
  const folder = join(root, "state");
  const startCommit = options.isGit === false ? null : initialise(directory);
  const script = join(root, "judge.yaml");
  writeFileSync(script, options.judge ?? "turns: [[claim]]\nanswer: 'VERIFIED: all criteria are met'\n");
  const notes: string[] = [];
  const waits: number[] = [];
  const context = contextOf({ directory, folder, script, startCommit, notes, waits, settings: options.settings ?? {} });
  const read = readCriterion({
    promise: "WORK_DONE",
    description: "The work",
    verification_method: method,
    verification_config: config,
  });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const criterion: Criterion =
    options.frozen === undefined ? read.criterion : asOwn({ ...read.criterion, verification: options.frozen });
  const role = { role: "coder" as const, criterion, outcome: "It works.", acceptanceCriteria: ["a works", "b works"] };
  const agents = allAgents([process.execPath, launcher]);
  const tools = { agents, selfArgv: [process.execPath], fingerprint: () => treeFingerprint(context) };
  const perform = criterionKind.open({ context, tools, own: {} });
  const { settings } = context.frozen;
  const sources = {
    surface: "work" as const,
    settings,
    settingsFiles: {},
    role,
    projectCriteria: [],
    verifyCommandsFrom: null,
  };
  const gates = criterionKind.gatesOf({ ...sources, hasBaseline: true });
  const ask = (
    when: "before-first-turn" | "on-claim",
    request: Partial<GateRequest>,
    id?: string,
  ): Promise<GateAnswer> => {
    const found = gates.find((each) => each.when === when);
    if (perform === null || found === undefined) return Promise.resolve(plainAnswer([]));
    const gate = { ...found, id: id ?? found.id };
    const plain = {
      iteration: 1,
      role: "coder",
      candidate: null,
      hasClaim: true,
      mayApprove: false,
      isGreenSoFar: true,
      slot: null,
      wallMs: null,
    };
    return perform({ ...plain, effectId: 99, signal: new AbortController().signal, ...request, gate });
  };
  let effectId = 0;
  return {
    directory,
    notes,
    waits,
    write(path, content) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    },
    read: (path) => readFileSync(join(directory, path), "utf8"),
    evidence: (path) => readFileSync(join(folder, path ?? "none"), "utf8"),
    logs: () => readdirSync(join(directory, ".ralph")),
    async verify(turnText = "<promise>WORK_DONE</promise>", order = {}) {
      const { iteration = 1, wallMs = null, signal = new AbortController().signal, gateId } = order;
      const words = { runId: verificationRunId, kind: "turn-text" as const, name: String(iteration) };
      await context.artefacts.put(words, turnText);
      effectId += 1;
      const { verdicts, spend } = await ask("on-claim", { effectId, iteration, wallMs, signal }, gateId);
      const [verdict] = verdicts;
      if (verdict === undefined) throw new Error("there is no verdict");
      return { verdict, spend };
    },
    ask: (of, signal = new AbortController().signal) =>
      ask(of === "criteria" ? "on-claim" : "before-first-turn", { signal }),
  };
}

function initialise(directory: string): string {
  const git = (...words: string[]): string => execFileSync("git", ["-C", directory, ...words], { encoding: "utf8" });
  git("init", "--quiet");
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  git(...identity, "commit", "--quiet", "--allow-empty", "--message", "start");
  return git("rev-parse", "HEAD").trim();
}

type Place = {
  directory: string;
  folder: string;
  script: string;
  startCommit: string | null;
  notes: string[];
  waits: number[];
  settings: Record<string, unknown>;
};

function contextOf(place: Place): GateContext["context"] {
  const { directory, folder, script, startCommit, notes, waits, settings: given } = place;
  const settings = settingsSchema.parse({ agent: { command: "sim", flags: ["--script", script] }, ...given });
  const policy = runPolicy(settings);
  const prompt = { kind: "text" as const, text: "Do it." };
  const frozen = { version: "1", projectDir: directory, prompt, settings, settingsFiles: {}, policy, startCommit };
  const agents = allAgents([process.execPath, launcher]);
  return {
    runId: verificationRunId,
    frozen,
    clock: {
      ...realClock,
      wait: (durationMs, signal) => {
        waits.push(durationMs);
        return Promise.resolve(!signal.aborted);
      },
    },
    processes: createProcesses(),
    disk: createDisk(),
    artefacts: createFileArtefacts({ folder, disk: createDisk() }),
    store: createMemoryStore(),
    sink: { entry: () => {}, agentEvent: () => {} },
    folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: directory, RALPH_SIM_STATE: folder },
    adapters: agents.known,
    ...agentOf({ agents, env: {} }, frozen),
    killGraceMs: 200,
    keepText: (text) => Promise.resolve({ text }),
    fingerprint: () => Promise.resolve(null),
    note: (_, text) => {
      notes.push(text);
      return Promise.resolve();
    },
    onCheck: () => {},
    onStderr: () => undefined,
  };
}
