import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { ScratchProject } from "../run/scratch-project.ts";
import { storedRuns } from "./store-facts.ts";

/** What is in the places where a run may leave something: temporary folders, state, locks, processes. */
export type Left = {
  temporary: string[];
  state: string[];
  ralphFolder: string[];
  locks: string[];
  living: string[];
};

/** Looks at everything beside the work itself. Numbers in names, such as those of a run, are replaced by `#`. */
export function leftBehind(project: ScratchProject): Left {
  const { root, directory } = project;
  return {
    temporary: names(join(root, "tmp")),
    state: names(join(root, "state")).map(withoutNumbers),
    // Copies for the agent have the number of the iteration, and a turn that was cut off may have done its work.
    ralphFolder: names(join(directory, ".ralph")).filter((name) => !/\.log$|^prompt_\d+\.txt$/.test(name)),
    locks: [...filesBelow(join(directory, ".git")), ...filesBelow(join(root, "state")).filter(isOfRun(root))]
      .filter((path) => /\.lock$|\.tmp\b|\.new$|tmp_obj_/.test(path))
      .map((path) => relative(root, path)),
    living: project.living().map((pid) => `${pid}`),
  };
}

/** What a run left that was killed before it was stored is removed by a run an hour later. */
function isOfRun(root: string): (path: string) => boolean {
  const ids = new Set(storedRuns(join(root, "state")).map(({ id }) => id));
  return (path) => {
    const [, id] = /^state\/streams\/([^/]+)\//.exec(relative(root, path)) ?? [];
    return id === undefined || ids.has(id);
  };
}

function names(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

function withoutNumbers(name: string): string {
  return name.replace(/\d{8}-\d{6}-\w{4}/, "#");
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}
