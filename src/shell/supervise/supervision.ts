import type { SupervisedTask } from "../../core/supervise/supervised-task.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { postMessage } from "../bus/post-message.ts";
import type { Identities } from "../lib/lock-file.ts";
import type { Clock, Disk } from "../ports.ts";
import type { RecordKeeping } from "./records/run-info.ts";
import type { LivenessWorld } from "./records/run-liveness.ts";
import { type TaskFolder, taskFolderAt } from "./records/task-folder.ts";

/** What a listener hears of a supervised task beyond the journal of its run. */
export type SupervisedNews =
  /** A line that was put on the task's bus. */
  | { type: "message"; messageType: string; body: string }
  /** `durationMs` is the longest it can take, null without a limit. */
  | { type: "waiting"; waitsFor: "children"; durationMs: number | null };

/** Everything that looks after one task shares this. */
export type Supervision = {
  task: TaskFolder;
  ids: { projectId: string; taskId: string };
  order: Pick<SupervisedTask, "pollMs" | "onChildTimeout">;
  keeping: RecordKeeping;
  world: LivenessWorld;
  /** Puts a line on the task's bus. Must not reject: a bus that cannot be written is named in the journal, once. */
  say: (type: string, body: string, runId?: string) => Promise<void>;
  /** Leaves a remark in the journal. Must not reject. */
  note: (level: "info" | "warning", text: string) => Promise<void>;
  /** Tells whoever listens. Must not throw. */
  tell: (news: SupervisedNews) => void;
};

/** What a supervision is made with. */
export type SupervisionOptions = {
  task: Omit<SupervisedTask, "flags" | "isFresh">;
  disk: Disk;
  clock: Clock;
  world: LivenessWorld;
  identities: Identities;
  note: Supervision["note"];
  tell?: Supervision["tell"] | undefined;
};

/** Opens the supervision of a task. Nothing is made or looked at yet. */
export function openSupervision(supervised: SupervisionOptions): Supervision {
  const { task: order, disk, clock, world, identities, note, tell = () => {} } = supervised;
  const task = taskFolderAt(order.taskDir);
  const ids = { projectId: order.projectId, taskId: order.taskId };
  const keeping = { disk, clock, identities };
  let isFailureNamed = false;
  return {
    task,
    ids,
    order,
    keeping,
    world,
    note,
    tell,
    async say(type, body, runId) {
      const draft = { ...ids, type, body, ...(runId === undefined ? {} : { runId }) };
      try {
        await postMessage(task.busFile, draft, { ...keeping, files: disk });
      } catch (error) {
        if (!isFailureNamed) await note("warning", thrownText(error));
        isFailureNamed = true;
      }
      tell({ type: "message", messageType: type, body });
    },
  };
}
