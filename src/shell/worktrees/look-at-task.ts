import { RalphError } from "../../core/ralph-error.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { whyReplaced } from "../git/replaced-repository.ts";
import { withStore, withTreeOfRun } from "../git/trees/look.ts";
import { mergedTree, type MergeTrees } from "../git/trees/merged-tree.ts";
import { lookAt } from "../git/trees/tree-fingerprint.ts";
import type { Machine } from "../machine.ts";
import type { LookAtTask } from "./commit-rest.ts";
import type { MainTree } from "./main-tree.ts";

/** Looks at work trees of tasks with what their work run remembers of the repository. What fails, a person can repair. */
export function createLookAtTask(machine: Machine, runId: string): LookAtTask {
  return async ({ path, directory }, use) => {
    const place = { ...lookAt(machine, directory, runId), folder: machine.folder };
    try {
      return await withTreeOfRun(place, { turnMarker: `${runId}.git/${process.pid}` }, use);
    } catch (cause) {
      const reason = thrownText(cause);
      throw new RalphError("scm", `${path} cannot be committed: ${reason}`);
    }
  };
}

/** Merges in the main work tree of a work run, by the rules of the time before the first turn. What fails, a person can repair. */
export function createMergeTrees(machine: Machine, { projectDir, runId }: MainTree): MergeTrees {
  return async (merged) => {
    try {
      return await withStore(
        lookAt(machine, projectDir, runId),
        { turnMarker: `${runId}.git/${process.pid}` },
        (store) => {
          const replaced = whyReplaced(machine.disk, store.store.start, projectDir);
          if (replaced !== null) throw new Error(replaced);
          return mergedTree(store, merged);
        },
      );
    } catch (cause) {
      const reason = thrownText(cause);
      throw new RalphError("scm", `Nothing can be merged in ${projectDir}: ${reason}`);
    }
  };
}
