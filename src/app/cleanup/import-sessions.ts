import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { replaySession, type SessionRun } from "../../core/session/session-run.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { Store } from "../../shell/ports.ts";
import { keepUnusable, listEnded, removeEnded } from "../../shell/sessions/ended-sessions.ts";
import { sweepEnded } from "../../shell/sessions/file-session-store.ts";
import { readJournalLines, readStoredRun } from "../../shell/sessions/session-run-files.ts";
import { sessionsIn } from "../query/find/session-runs.ts";

/** What an import needs of a machine. */
export type ImportContext = { store: Pick<Store, "importRun">; folder: string };

/**
 * Imports ended session runs into the store and removes their folders. Every command may call it: entries that are in
 * the store already are left as they are, so an import that was killed is finished by the next one. Returns what could not
 * be used, in one sentence each; such a folder is kept aside.
 */
export async function importSessions({ store, folder }: ImportContext): Promise<string[]> {
  const problems: string[] = [];
  const sessions = sessionsIn(folder);
  sweepEnded(sessions, (text) => problems.push(text));
  for (const path of listEnded(sessions)) {
    try {
      const run = readEnded(path);
      await store.importRun(await newRunOf(run), run.journal, run.journal.at(-1)?.at ?? 0);
      if (run.problem === null) removeEnded(path);
      else problems.push(`${run.problem} It is kept as ${keepUnusable(sessions, path)}.`);
    } catch (error) {
      const why = thrownText(error);
      problems.push(`An ended session run was not imported: ${why} It stays in ${path}.`);
    }
  }
  return problems;
}

function readEnded(path: string): SessionRun {
  const stored = readStoredRun(path);
  if (stored === null || typeof stored === "string") throw new Error(`${stored ?? "there is no state"}.`);
  return replaySession(stored.record, readJournalLines(path));
}

async function newRunOf({ id, first, last }: SessionRun): Promise<Parameters<Store["importRun"]>[0]> {
  const { directory, loop } = first;
  return {
    id,
    kind: "session",
    directory,
    parentId: null,
    frozen: await frozenOf(first),
    state: last.run,
    createdAt: Date.parse(loop.startedAt),
  };
}

/** A session was held to what its host froze for it; of the settings nothing is known here but who worked: the host. */
async function frozenOf({ directory, loop, run, host }: SessionRun["first"]): Promise<FrozenRun> {
  // Loaded only where there is something to import: most commands have nothing to do with settings.
  const { settingsSchema } = await import("../../core/settings/settings.ts");
  return {
    version: "session",
    projectDir: directory,
    prompt: { kind: "text", text: loop.prompt },
    settings: settingsSchema.parse({ agent: { command: host } }),
    settingsFiles: {},
    policy: run.policy,
    contract: { ...run.policy.contract, gates: run.policy.gates.map((gate) => ({ ...gate, spec: null })) },
    startCommit: null,
  };
}
