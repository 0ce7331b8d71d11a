import type { Disk, OpenFile } from "../../src/shell/ports.ts";
import { withDeafProcesses, withGreenChecks, withOtherRuns, withUndoneCancels } from "./planted-machines.ts";
import type { RawStory } from "./prd-acts.ts";
import type { prdInvariants } from "./prd-invariants.ts";
import { list } from "./prd-stage.ts";
import type { PrdPlant } from "./simulate-prd.ts";

/** For each invariant of runs on a task list a machine that breaks it: the proof that the invariant can fail. */
export const prdFaults: Record<keyof typeof prdInvariants, PrdPlant> = {
  "a story is approved only by a review that ended well on green checks, after its last change of code": (machine) =>
    withGreenChecks(machine),
  "completed means that every story is approved": (machine) => ({
    ...machine,
    disk: reading(machine.disk, (story) => ({
      ...story,
      passes: true,
      reviewStatus: "approved",
      reviewCount: 1,
      notes: "imagined",
    })),
  }),
  "there are never more iterations than allowed": (machine) =>
    withOtherRuns(machine, (run) => {
      const policy = { ...run.frozen.policy, iterationsMax: 40 };
      return { ...run, frozen: { ...run.frozen, policy }, state: { ...run.state, policy } };
    }),
  "the number of reviews never falls": (machine) => ({
    ...machine,
    disk: writing(machine.disk, (story) => ({ ...story, reviewCount: 0 })),
  }),
  "what was asked stays as it is": (machine) => ({
    ...machine,
    disk: writing(machine.disk, (story) => ({ ...story, acceptanceCriteria: ["less"] })),
  }),
  "after the end no process is alive": (machine) => withDeafProcesses(machine),
  "after the end nothing says that a loop is at work": (machine) => {
    const remove: Disk["remove"] = (path) => (path.endsWith(".ralph-active") ? undefined : machine.disk.remove(path));
    return { ...machine, disk: { ...machine.disk, remove } };
  },
  "a cancelled run stays cancelled": (machine) => withUndoneCancels(machine),
  "the list is in order after every end": (machine) => {
    const writeAtomic: Disk["writeAtomic"] = (path, content, mode) =>
      path === list.file ? Promise.resolve() : machine.disk.writeAtomic(path, content, mode);
    return { ...machine, disk: { ...machine.disk, writeAtomic } };
  },
};

/** A disk that stores other stories than it was given. */
function writing(disk: Disk, change: (story: RawStory) => RawStory): Disk {
  return {
    ...disk,
    writeAtomic: (path, content, mode) =>
      disk.writeAtomic(path, path === list.file ? changed(String(content), change) : content, mode),
  };
}

/** A disk that shows other stories than it holds. */
function reading(disk: Disk, change: (story: RawStory) => RawStory): Disk {
  const shown = (file: OpenFile): OpenFile => {
    const held = Buffer.alloc(file.size());
    file.read(held, 0);
    const bytes = Buffer.from(changed(held.toString("utf8"), change));
    return {
      ...file,
      entry: { ...file.entry, bytes: bytes.length },
      size: () => bytes.length,
      read: (buffer, position) => bytes.copy(buffer, 0, position),
    };
  };
  return {
    ...disk,
    open(path, purpose) {
      const file = disk.open(path, purpose);
      return file === null || path !== list.file ? file : shown(file);
    },
  };
}

function changed(text: string, change: (story: RawStory) => RawStory): string {
  try {
    const file = JSON.parse(text) as { userStories: RawStory[] };
    return JSON.stringify({ ...file, userStories: file.userStories.map(change) });
  } catch {
    // A broken list is stored and shown as it is.
    return text;
  }
}
