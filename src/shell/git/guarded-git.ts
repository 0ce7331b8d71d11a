import type { Disk } from "../ports.ts";
import { runStoreFolder } from "./run-git.ts";
import type { Git } from "./git.ts";
import { readStart } from "./own-store.ts";
import { type ConfigEntry, configVariables, isOfRepository, overridesOf, readConfig } from "./repository-config.ts";

/** The run whose start is the measure. */
export type GuardContext = {
  disk: Pick<Disk, "readText">;
  env: Readonly<Record<string, string>>;
  folder: string;
  runId: string;
};

/**
 * Git in the user's repository without the effect of filters, drivers and signing programs that its configuration got
 * since the run began; where nobody knows how it stood then, without those of the repository at all.
 */
export async function guardedGit(git: Git, context: GuardContext): Promise<Git> {
  const start = await readStart(context.disk, runStoreFolder(context.folder, context.runId)).catch(() => null);
  const now = await readConfig(git);
  const former: readonly ConfigEntry[] = start?.config ?? now.filter((entry) => !isOfRepository(entry));
  const variables = configVariables(overridesOf(now, former), context.env);
  return (words, call = {}) => git(words, { ...call, env: { ...variables, ...call.env } });
}
