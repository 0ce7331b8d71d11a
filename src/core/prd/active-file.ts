import type { ReviewRole } from "./list/task-file.ts";
import type { Snapshot } from "./list/snapshot.ts";

/** What `.ralph-active` tells hooks about the active run (S4-12). Anybody can write it, so it decides nothing. */
export type ActiveLoop = {
  timestamp: string;
  pid: number;
  max_iterations: number | null;
  mode: "sandbox" | "direct";
  skipReview: boolean;
  reviewCap: number;
  iterationMode: ReviewRole | null;
  preIterationSnapshot: Snapshot;
  run: string;
  /** The folder of the task list, from the project directory. */
  ralphDir: string;
  /** Paths that differed from HEAD before the turn, each with a mark of its content. */
  dirtyAtStart: Record<string, string>;
};

/** The text of the file. */
export function formatActiveFile(loop: ActiveLoop): string {
  return `${JSON.stringify(loop, null, 2)}\n`;
}

/** What happened to the file during a turn, as a sentence for the agent; null when it is unchanged. */
export function findActiveEdit(written: string, found: string | null): string | null {
  if (found === written) return null;
  if (found === null) return editText("was deleted");
  const [former, now] = [fieldsOf(written), fieldsOf(found)];
  if (now.size === 0) return editText("was overwritten");
  const names = [...new Set([...former.keys(), ...now.keys()])];
  const changed = names.filter((name) => JSON.stringify(former.get(name)) !== JSON.stringify(now.get(name)));
  return editText(changed.length === 0 ? "was rewritten" : `was edited (${changed.slice(0, namesMax).join(", ")})`);
}

/** The process that a file of any origin names, or null. */
export function pidOfActiveFile(text: string): number | null {
  const pid = fieldsOf(text).get("pid");
  return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}

/** An agent may invent thousands of fields. */
const namesMax = 10;

function editText(what: string): string {
  return `.ralph-active ${what}. It belongs to the loop and was written again; do not change it.`;
}

function fieldsOf(text: string): Map<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  } catch {
    // Not JSON, so not the written text.
    return new Map();
  }
}
