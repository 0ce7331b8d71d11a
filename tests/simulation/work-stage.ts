import { type Role, roles } from "../../src/core/tasks/criteria/role.ts";
import type { ProcessOrder } from "../../src/shell/ports.ts";
import { type Act, chooseWeighted, init, result, text } from "./agent-acts.ts";
import type { FakeFiles } from "./fake-files.ts";
import { isTurn, type ProcessStage } from "./fake-processes.ts";
import { gitWords } from "./git-words.ts";
import { createFakeWorktrees, type FakeWorktrees, taskAt } from "./fake-worktrees.ts";
import type { Random } from "./random.ts";

/** One turn of a role on a task. */
export type RoleAct = {
  name: string;
  weight?: number;
  /** Only of roles after the coder. */
  isLater?: boolean;
  /** What becomes of the task's work: done, spoilt, or as it was. */
  work?: "done" | "spoilt";
  says: "claim" | "rejection" | "question" | "nothing";
  exitCode?: number;
  hangs?: boolean;
  startFailure?: "not-found" | "resources";
};

/** Everything a role may do, good and bad. */
export const roleActs: readonly RoleAct[] = [
  { name: "works and claims", weight: 12, work: "done", says: "claim" },
  { name: "works silently", weight: 2, work: "done", says: "nothing" },
  { name: "lies", weight: 2, says: "claim" },
  { name: "spoils the work and claims", weight: 2, work: "spoilt", says: "claim" },
  { name: "rejects", weight: 3, isLater: true, says: "rejection" },
  { name: "rejects and crashes", isLater: true, says: "rejection", exitCode: 1 },
  { name: "crashes after a claim", work: "done", says: "claim", exitCode: 1 },
  { name: "hangs", weight: 0.5, says: "nothing", hangs: true },
  { name: "hangs after a claim", weight: 0.5, work: "done", says: "claim", hangs: true },
  { name: "asks", weight: 0.5, says: "question" },
  { name: "cannot start", weight: 0.4, says: "nothing", startFailure: "resources" },
  { name: "is not installed", weight: 0.2, says: "nothing", startFailure: "not-found" },
];

/** What a role must claim. */
export const promiseOf = (role: Role): string => `${role.toUpperCase()}_DONE`;

/** A turn of a role that came to its end while its driver watched. */
type EndedTurn = { hasClaimed: boolean; isFixed: boolean };

/** What is true of the tasks, whatever anybody says. */
export type WorkTruth = {
  fixed: Set<string>;
  /** The last turn of each role on each task, by `task role`. */
  lastTurns: Map<string, EndedTurn>;
  /** Turns begun, by the run they belong to. */
  turnsOf: Map<string, number>;
  /** Turns of tasks that had to wait for another. */
  early: string[];
  turnsAtOnce: number;
  /** Tasks whose work does not fit the others', until their coder has met it. */
  clashing: Set<string>;
  /** States of the project that a check there found green. */
  greenTips: Set<string>;
  /** Tasks that were stored as done on another state. */
  unverified: string[];
  changes: number;
  actNames: Set<string>;
};

/** The state of the project that a check there speaks of: its commit, and what was changed where tasks work in it. */
export function tipOf(truth: WorkTruth, git: FakeWorktrees, hasWorktrees: boolean): string {
  return hasWorktrees ? git.head() : `${truth.changes} changes`;
}

/** Where the stage learns what only the store knows. */
export type WorkFacts = {
  isReady: (taskId: string) => boolean;
  livingTurns: () => number;
  hasWorktrees: () => boolean;
};

/** The stage of a work run: roles work, lie, reject and hang; guardrails and git tell the truth. */
export function createWorkStage(
  files: FakeFiles,
  random: Random,
  facts: WorkFacts,
): ProcessStage & { truth: WorkTruth; git: FakeWorktrees } {
  const git = createFakeWorktrees(files, random);
  const truth: WorkTruth = {
    fixed: new Set(),
    lastTurns: new Map(),
    turnsOf: new Map(),
    early: [],
    turnsAtOnce: 0,
    clashing: new Set(["one", "two", "three", "four"].filter(() => random.chance(0.2))),
    greenTips: new Set(),
    unverified: [],
    changes: 0,
    actNames: new Set(),
  };
  let lastTask = "";
  const taskOfRun = new Map<string, string>();
  const isGreen = (taskId: string | null, turnMarker: string): boolean => {
    if (taskId !== null || !facts.hasWorktrees()) {
      // After a kill the check of a role may run when another task has had a turn: it still asks for its own task.
      const isFixed = truth.fixed.has(taskId ?? taskOfRun.get(turnMarker.split(".")[0] ?? "") ?? lastTask);
      if (isFixed && taskId === null) truth.greenTips.add(tipOf(truth, git, false));
      return isFixed;
    }
    const isClash = Array.from(git.merged).some((branch) => truth.clashing.has(branch.replace("ralph/", "")));
    if (!isClash) truth.greenTips.add(tipOf(truth, git, true));
    return !isClash;
  };
  const turnAct = (order: ProcessOrder): Act | null => {
    if (!isTurn(order)) return null;
    const { taskId, role } = turnOf(order);
    const possible = roleActs.filter(({ isLater }) => isLater !== true || role !== "coder");
    const act = chooseWeighted(random, possible, ({ weight }) => weight ?? 1);
    truth.actNames.add(act.name);
    lastTask = taskId;
    if (act.startFailure !== undefined) return { name: act.name, lines: () => [], startFailure: act.startFailure };
    if (!facts.isReady(taskId)) truth.early.push(taskId);
    const runId = order.env["RALPH_RUN_ID"] ?? "";
    taskOfRun.set(runId, taskId);
    truth.turnsOf.set(runId, (truth.turnsOf.get(runId) ?? 0) + 1);
    return spoken(act, role, {
      does: () => {
        if (act.work === undefined) return;
        truth.changes += 1;
        if (act.work === "done" && git.undone.has(`ralph/${taskId}`)) truth.clashing.delete(taskId);
        if (act.work === "done") truth.fixed.add(taskId);
        else truth.fixed.delete(taskId);
      },
      onEnd: () => {
        const hasClaimed = act.says === "claim" && act.exitCode === undefined;
        truth.lastTurns.set(`${taskId} ${role}`, { hasClaimed, isFixed: truth.fixed.has(taskId) });
      },
    });
  };
  return {
    truth,
    git,
    turnsMax: Number.POSITIVE_INFINITY,
    turnAct,
    onTurn: () => {
      truth.turnsAtOnce = Math.max(truth.turnsAtOnce, facts.livingTurns() + 1);
    },
    toolAct(order) {
      if (gitWords(order.argv) !== null) return git.act(order);
      const act: Act = {
        name: "guardrail",
        lines: () => {
          act.exitCode = isGreen(taskAt(order.cwd), order.turnMarker) ? 0 : 1;
          return ["checked"];
        },
      };
      return act;
    },
  };
}

/** Whose turn it is, as its prompt says. */
function turnOf({ stdin }: ProcessOrder): { taskId: string; role: Role } {
  const prompt = String(stdin);
  const word = /\*\*Agent\*\*: (\w+)/.exec(prompt)?.[1];
  const taskId = /Title of (\w+)/.exec(prompt)?.[1];
  const role = roles.find((each) => each === word);
  if (role === undefined || taskId === undefined) throw new Error(`a turn without a role: ${prompt}`);
  return { taskId, role };
}

function spoken(act: RoleAct, role: Role, more: Pick<Act, "does" | "onEnd">): Act {
  const said = {
    claim: `<promise>${promiseOf(role)}</promise>`,
    rejection: "<promise>REJECT: a test is missing</promise>",
    question: "<promise>DECIDE: tabs or spaces?</promise>",
    nothing: "Some progress.",
  }[act.says];
  const isBroken = act.exitCode !== undefined || act.hangs === true;
  return {
    name: act.name,
    lines: () => [init, text(said), ...(isBroken ? [] : [result()])],
    ...(act.exitCode === undefined ? {} : { exitCode: act.exitCode }),
    ...(act.hangs === undefined ? {} : { hangs: act.hangs }),
    ...more,
  };
}
