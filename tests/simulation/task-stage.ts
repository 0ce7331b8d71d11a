import { stringify } from "yaml";
import { runRecordFields, type SupervisedRun, unknownRun } from "../../src/core/supervise/run-record.ts";
import { postMessage } from "../../src/shell/bus/post-message.ts";
import { runFolderOf, taskFolderAt } from "../../src/shell/supervise/records/task-folder.ts";
import type { DiskWorld } from "./fake-disk.ts";
import type { Random } from "./random.ts";
import type { ChildAct, TaskActor } from "./supervised-acts.ts";
import type { FakeProcess, StartChild, TaskStage } from "./task-processes.ts";
import type { World } from "./world.ts";

/** The task that is simulated. */
export const task = taskFolderAt("/tasks/shop/task-001");

/** Ids of the task, as its folder names them. */
export const ids = { projectId: "shop", taskId: "task-001" };

type Surroundings = {
  world: World;
  random: Random;
  disk: DiskWorld;
  isLifeAlive: (pid: number) => boolean;
  /** Whether a process still lives; only then it acts. */
  isAlive: (process: FakeProcess) => boolean;
  remove: (process: FakeProcess) => void;
  stranger: () => FakeProcess;
};

/** What agents and children write: by the rules of their tools, or against them. */
export function createTaskStage(around: Surroundings): TaskStage {
  const { world, random, disk, isLifeAlive } = around;
  const immortal = { isOver: false, pid: 1 };
  const writing = {
    files: disk.port(immortal, { killChance: 0, onKill: () => {} }),
    clock: world.clock(immortal),
    identities: { self: () => Promise.resolve({ pid: 1, startTime: "1" }), isAlive: () => true },
  };
  let runCount = 0;
  const register = (process: FakeProcess, parentRunId: string): SupervisedRun => {
    const runId = `child-${(runCount += 1)}`;
    const { pid, startTime: processStart } = process;
    const run = { ...unknownRun(runId), ...ids, parentRunId, pid, pgid: pid, processStart, startedAt: world.now() };
    writeRecord(disk, { ...run, status: "running" });
    return { ...run, status: "running" };
  };
  const startChild = (parent: FakeProcess, parentRunId: string, act: ChildAct, start: StartChild): void => {
    const process = start(parent, act);
    const run = act.record === "none" ? null : register(process, parentRunId);
    if (run !== null && act.record === "garbage") disk.files.put(infoFile(run.runId), Buffer.from("\u0000 {[half"));
    const { startsChild } = act;
    if (startsChild !== undefined)
      world.after(act.lifeMs - 1, null, () => {
        if (around.isAlive(process)) startChild(process, run?.runId ?? parentRunId, startsChild, start);
      });
    world.after(act.lifeMs, null, () => {
      if (!around.isAlive(process)) return;
      if (run !== null && act.closesRecord === true && act.record === "proper")
        writeRecord(disk, { ...run, endedAt: world.now(), exitCode: 0, status: "completed" });
      around.remove(process);
    });
  };
  return {
    isLifeAlive,
    act(agent, order, act, start) {
      const runId = order.env["JRUN_ID"] ?? "";
      const actor: TaskActor = {
        random,
        touch: (turnMarker) => {
          const path = `${task.path}/${turnMarker}`;
          if (disk.files.look(path)?.kind !== "folder") disk.files.put(path, Buffer.alloc(0));
        },
        makeFolder: (name) => {
          if (disk.files.look(`${task.path}/${name}`) === null) disk.files.makeFolder(`${task.path}/${name}`);
        },
        // A disk that is full for the agent is the agent's trouble.
        post: (type, body) =>
          void world.busy(postMessage(task.busFile, { ...ids, type, body }, writing)).catch(() => null),
        startChild: (child) => startChild(agent, runId, child, start),
        spoilOwnRecord: (content) => disk.files.put(infoFile(runId), Buffer.from(content)),
        tearBus: () => disk.files.open(task.busFile).append(Buffer.from("\n---\nmsg_id: MSG-half\nts: 20")),
        forgeRecord: () => {
          const stranger = around.stranger();
          register({ ...stranger, startTime: "" }, runId);
        },
      };
      act.does?.(actor);
    },
  };
}

function infoFile(runId: string): string {
  return runFolderOf(task, runId).infoFile;
}

function writeRecord(disk: DiskWorld, run: SupervisedRun): void {
  disk.files.put(infoFile(run.runId), Buffer.from(stringify(runRecordFields(run, {}), { lineWidth: 0 })));
}
