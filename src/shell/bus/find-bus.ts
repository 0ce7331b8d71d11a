import { lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** A bus by its kind: of a task, of a project, or of neither. */
export type BusFile = { path: string; kind: "task" | "project" | "other" };

/** What the place of a bus tells about the messages in it. */
export type InferredFields = { projectId: string | null; taskId: string | null };

/** The files a bus may be, in the order in which one folder is searched. */
export const busNames = {
  task: "TASK-MESSAGE-BUS.md",
  project: "PROJECT-MESSAGE-BUS.md",
  other: "MESSAGE-BUS.md",
} as const;

const kinds = ["task", "project", "other"] as const;

/** The nearest bus from a folder upwards; null without one up to the root. */
export function findBus(folder: string): BusFile | null {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const kind = kinds.find((each) => isThere(join(current, busNames[each])));
    if (kind !== undefined) return { path: join(current, busNames[kind]), kind };
    if (dirname(current) === current) return null;
  }
}

/** The kind of a bus by its name. */
export function placeOf(path: string): BusFile {
  const kind = kinds.find((each) => busNames[each] === basename(path)) ?? "other";
  return { path: resolve(path), kind };
}

/** Ids from the path: `<root>/<project>/<task>/TASK-MESSAGE-BUS.md` and `<root>/<project>/PROJECT-MESSAGE-BUS.md`. */
export function inferFields({ path, kind }: BusFile): InferredFields {
  const folder = dirname(path);
  const name = (of: string): string | null => (basename(of) === "" ? null : basename(of));
  switch (kind) {
    case "task":
      return { projectId: name(dirname(folder)), taskId: name(folder) };
    case "project":
      return { projectId: name(folder), taskId: null };
    case "other":
      return { projectId: null, taskId: null };
  }
}

// Also a link: who posts to it then hears that links are not followed.
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
