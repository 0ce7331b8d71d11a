import type { Random } from "./random.ts";

/** What a child does that a supervised agent starts. */
export type ChildAct = {
  /** `proper`: it has a record of its own. `garbage`: its record cannot be read. `none`: it never wrote one. */
  record: "proper" | "garbage" | "none";
  lifeMs: number;
  /** Before it ends it writes so into its record; else the record stays open. */
  closesRecord?: boolean;
  /** Starts another child while it lives. */
  startsChild?: ChildAct;
};

/** What an agent may do to the world around it. Everything happens at one moment of its life. */
export type TaskActor = {
  random: Random;
  touch(turnMarker: "DONE" | "WAIT_WITHOUT_RESTART"): void;
  makeFolder(name: "DONE"): void;
  post(type: string, body: string): void;
  startChild(act: ChildAct): void;
  /** Writes this into the record of its own run. */
  spoilOwnRecord(content: string): void;
  /** Writes half an entry onto the task's bus. */
  tearBus(): void;
  /** Registers somebody else's process as its child. */
  forgeRecord(): void;
};

/** One supervised run of an agent. */
export type TaskAct = {
  name: string;
  weight?: number;
  does?: (actor: TaskActor) => void;
  exitCode?: number;
  hangs?: boolean;
  startFailure?: "not-found" | "resources";
};

const child = (lifeMs: number, more: Partial<ChildAct> = {}): ChildAct => ({
  record: "proper",
  lifeMs,
  closesRecord: true,
  ...more,
});

/** Longer than anybody waits. */
const endlessMs = 10_000_000;

/** Everything a supervised agent may do, good and bad. */
export const taskActs: TaskAct[] = [
  { name: "works on", weight: 5 },
  { name: "makes DONE", weight: 2, does: (actor) => actor.touch("DONE") },
  { name: "makes DONE and fails", does: (actor) => actor.touch("DONE"), exitCode: 1 },
  { name: "makes DONE and hangs", does: (actor) => actor.touch("DONE"), hangs: true },
  { name: "makes a folder DONE", weight: 0.4, does: (actor) => actor.makeFolder("DONE") },
  { name: "touches WAIT_WITHOUT_RESTART", weight: 0.5, does: (actor) => actor.touch("WAIT_WITHOUT_RESTART") },
  { name: "exits with 42", weight: 0.5, exitCode: 42 },
  { name: "asks on the bus to wait", weight: 0.5, does: (actor) => actor.post("wait_without_restart", "for a person") },
  {
    name: "makes DONE and asks to wait",
    does: (actor) => {
      actor.touch("WAIT_WITHOUT_RESTART");
      actor.touch("DONE");
      actor.post("WAIT_WITHOUT_RESTART", "too");
    },
    exitCode: 42,
  },
  { name: "fails", weight: 2, exitCode: 1 },
  { name: "hangs", hangs: true },
  { name: "is not installed", weight: 0.2, startFailure: "not-found" },
  { name: "cannot start for want of processes", weight: 0.5, startFailure: "resources" },
  {
    name: "registers children that outlive it",
    weight: 2,
    does: (actor) => {
      if (actor.random.chance(0.6)) actor.touch("DONE");
      actor.startChild(child(actor.random.below(12_000)));
      actor.startChild(child(actor.random.below(12_000)));
    },
  },
  {
    name: "registers a child that dies with an open record",
    does: (actor) => {
      actor.touch("DONE");
      actor.startChild(child(actor.random.below(9_000), { closesRecord: false }));
    },
  },
  {
    name: "registers a child that never ends",
    does: (actor) => {
      if (actor.random.chance(0.6)) actor.touch("DONE");
      actor.startChild(child(endlessMs));
    },
  },
  {
    name: "registers a child that starts another during the wait",
    does: (actor) => {
      actor.touch("DONE");
      actor.startChild(child(6_000, { startsChild: child(actor.random.below(12_000)) }));
    },
  },
  {
    name: "leaves processes without a record",
    does: (actor) => {
      actor.startChild(child(endlessMs, { record: "none" }));
      actor.startChild(child(endlessMs, { record: "garbage" }));
    },
  },
  { name: "spoils its record", does: (actor) => actor.spoilOwnRecord(": : [half") },
  { name: "writes a newer record", does: (actor) => actor.spoilOwnRecord("version: 99\nrun_id: x\n") },
  {
    name: "registers a stranger",
    does: (actor) => {
      actor.forgeRecord();
      actor.touch("DONE");
    },
  },
  {
    name: "tells facts and tears the bus",
    does: (actor) => {
      actor.post("FACT", "the sky is blue");
      actor.tearBus();
    },
  },
];

/** Chooses what the agent does next. */
export function chooseTaskAct(random: Random): TaskAct {
  const total = taskActs.reduce((sum, { weight = 1 }) => sum + weight, 0);
  let at = random.next() * total;
  for (const act of taskActs) {
    at -= act.weight ?? 1;
    if (at <= 0) return act;
  }
  return random.pick(taskActs);
}
