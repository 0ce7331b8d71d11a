import { describe, expect, it } from "vitest";
import { RalphError } from "../../core/ralph-error.ts";
import type { Forebear } from "../../shell/processes/lineage.ts";
import { createMemoryStore } from "../../shell/stores/memory/memory-store.ts";
import { ada, bob, createRun, everyoneLives, sampleRun } from "../../../tests/contract/store-samples.ts";
import {
  type Caller,
  type LivingSession,
  refuseInsideRun,
  refuseOwnProject,
  refuseOwnRun,
  refuseOwnSession,
} from "./own-runs.ts";

const turnProcess = { pid: 500, startTime: "boot:500", ownNamespace: "pid:[5]" };

/**
 * A work run with a role at work, both driven by ada; a run bob drives elsewhere; a supervised one whose driver is dead.
 */
async function placeOf(lineage: Forebear[]): Promise<Caller> {
  const store = createMemoryStore();
  const create = (id: string, changes: Parameters<typeof sampleRun>[1], owner = ada) =>
    createRun(store, sampleRun(id, changes), owner, everyoneLives);
  const { state } = sampleRun("any");
  await create("work", {});
  await create("role", { parentId: "work", directory: "/tree", state: { ...state, turnProcess } });
  await create("other", { directory: "/other", state: { ...state, turnProcess: { pid: 600, startTime: "b" } } }, bob);
  const dead = { pid: 103, startTime: "5003", host: "here" };
  await create("dead", { directory: "/dead", state: { ...state, turnProcess: { pid: 700, startTime: "b" } } }, dead);
  return { store, lineage, host: "here", isOwnerAlive: async ({ pid }) => pid !== dead.pid };
}

function forebear(changes: Partial<Forebear> = {}): Forebear {
  return { pid: 900, startTime: "boot:900", sessionId: 900, environment: ["PATH=/bin"], ...changes };
}

/** Which of the four runs the caller may not change. */
async function check(lineage: Forebear[], expected: string[]): Promise<void> {
  const place = await placeOf(lineage);
  const refused = [];
  for (const id of ["work", "role", "other", "dead"])
    if (await isRefused(refuseOwnRun(place, { id }))) refused.push(id);
  expect(refused).toEqual(expected);
}

async function isRefused(attempt: Promise<void>): Promise<boolean> {
  const error = await attempt.catch((reason: unknown) => reason);
  if (error !== undefined && !(error instanceof RalphError && error.code === "own-run")) throw error;
  return error !== undefined;
}

describe("an agent cannot act on its own run: it is known", () => {
  it.each<[string, Forebear[], string[]]>([
    ["by the process of its turn, with the run that one is part of", [forebear(turnProcess)], ["work", "role"]],
    ["by its driver, with everything that driver drives", [forebear(), forebear(ada)], ["work", "role"]],
    ["by the session of its turn, when its parents are gone", [forebear({ sessionId: 500 })], ["work", "role"]],
    [
      "by the PID namespace of its turn, where numbers are others",
      [forebear({ namespace: "pid:[5]" })],
      ["work", "role"],
    ],
    ["by the turn marker", [forebear({ environment: ["RALPH_TURN=role.7/2"] })], ["work", "role"]],
    ["by the run's id", [forebear({ environment: ["RALPH_RUN_ID=other"] })], ["other"]],
    ["by what a parent was started with", [forebear(), forebear({ environment: ["RALPH_TURN=other.1"] })], ["other"]],
    ["also when the driver is dead", [forebear({ pid: 700, startTime: "b" })], ["dead"]],
    ["through every run it is inside of", [forebear(bob), forebear(ada)], ["work", "role", "other"]],
  ])("%s", async (_, lineage, expected) => check(lineage, expected));
});

describe("a person is not taken for an agent", () => {
  it.each<[string, Forebear[]]>([
    ["in another terminal", [forebear()]],
    ["with a number that once was a turn's", [forebear({ pid: 500, startTime: "boot:501" })]],
    ["in the session of a terminal whose number a dead driver's turn had", [forebear({ sessionId: 700 })]],
    ["in a PID namespace of its own", [forebear({ namespace: "pid:[6]" })]],
    [
      "in a session of a PID namespace with the number of a turn elsewhere",
      [forebear({ namespace: "pid:[6]", sessionId: 600 })],
    ],
    ["in the session a driver was started from", [forebear({ sessionId: ada.pid })]],
    ["with the marker of a run that nobody knows", [forebear({ environment: ["RALPH_TURN=gone.3", "RALPH_RUN_ID="] })]],
    ["with a run's id in another variable", [forebear({ environment: ["NOTE=role", "XRALPH_RUN_ID=role"] })]],
    ["with the beginning of a run's id", [forebear({ environment: ["RALPH_RUN_ID=rol"] })]],
  ])("%s", async (_, lineage) => check(lineage, []));
});

describe("an agent cannot act on the loop of its own session: it is known", () => {
  it.each<[string, string[], boolean]>([
    ["by the variable its host tells tools the session with", ["ANY_SESSION=ses-1"], true],
    ["but not by that of another session", ["ANY_SESSION=ses-12"], false],
    ["and a person names it freely", ["PATH=/bin"], false],
  ])("%s", async (_, environment, expected) => {
    const lineage = [forebear(), forebear({ environment })];
    const attempt = async () => refuseOwnSession({ lineage }, { id: "ses-1" });
    expect(await isRefused(attempt())).toBe(expected);
  });
});

describe("a project cannot be changed from inside a run that works there", () => {
  const sessions: LivingSession[] = [{ id: "ses-1", directory: "/hosted" }];
  it.each<[string, Forebear[], string, boolean]>([
    ["its own", [forebear(turnProcess)], "/project", true],
    ["the work tree of its own", [forebear(turnProcess)], "/tree", true],
    ["another one", [forebear(turnProcess)], "/elsewhere", false],
    ["by a person", [forebear()], "/project", false],
    ["from a host's session", [forebear({ environment: ["ANY_SESSION=ses-1"] })], "/hosted", true],
    ["from a host's session that works elsewhere", [forebear({ environment: ["ANY_SESSION=ses-1"] })], "/b", false],
    ["from another session of the host", [forebear({ environment: ["ANY_SESSION=ses-12"] })], "/hosted", false],
  ])("%s", async (_, lineage, directory, expected) => {
    const place = await placeOf(lineage);
    expect(await isRefused(refuseOwnProject(place, directory, sessions))).toBe(expected);
  });
});

it("plugins cannot be changed from inside any run", async () => {
  expect(await isRefused(refuseInsideRun(await placeOf([forebear(turnProcess)]), "keys"))).toBe(true);
  expect(await isRefused(refuseInsideRun(await placeOf([forebear()]), "plugins"))).toBe(false);
});
