import { join } from "node:path";
import { acceptTests } from "../../core/verification/inventory/accept-tests.ts";
import { openRunGit, type RunGitContext } from "../git/run-git.ts";
import { calibrateBase, type CalibrationTools } from "./calibrate-seal.ts";
import { openSeal, type SealRules } from "./open-seal.ts";
import { type CheckBase, readSeal, sealContent, sealFolder, type SealRecord, writeSeal } from "./seal-record.ts";
import { openSealStore, type SealStore } from "./copy/seal-store.ts";
import { listTree, writeTree } from "./copy/tree-files.ts";

/** Which changes of a candidate people accept, by path, and which seal they are accepted into. */
export type AcceptedChanges = { hash: string; candidate: string; paths: readonly string[]; rules: SealRules };

/**
 * Makes files of a candidate part of the base: a new revision of the seal, beside the former one. Its checks run once more in a copy
 * of the new base. Returns the new hash. Rejects with a `RalphError` when the seal is not the one that the run remembers.
 */
export async function acceptChanges(
  context: RunGitContext,
  { hash, candidate, paths, rules }: AcceptedChanges,
  tools: Omit<CalibrationTools, "project" | "startInTree">,
): Promise<string> {
  const { disk, folder, runId } = context;
  const place = sealFolder(folder, runId);
  const former = await readSeal(disk, place, hash);
  const run = await openRunGit(context, { turnMarker: `${runId}.accept` });
  if (run === null) throw new Error(`${context.frozen.projectDir} is no longer in a git repository`);
  const store = await openSealStore({
    disk,
    git: run.git,
    folder: join(sealContent(folder, runId, former), "repo.git"),
    own: run.store,
  });
  const base = await replaceFiles(store, { base: former.base, candidate, paths });
  const accepted = {
    start: former.accepted?.start ?? former.base,
    paths: [...new Set([...(former.accepted?.paths ?? []), ...paths])],
  };
  const record: SealRecord = { ...former, base, accepted };
  const seal = await openSeal(context, record, rules);
  try {
    const now = await calibrateBase(seal, record.commands, tools);
    const checks = former.checks.map((check) => withAccepted(check, now, paths));
    return await writeSeal(disk, place, { ...record, checks });
  } finally {
    seal.close();
  }
}

/** The base with some files as the candidate has them; one that it removed is gone. */
export async function replaceFiles(
  store: SealStore,
  { base, candidate, paths }: { base: string; candidate: string; paths: readonly string[] },
): Promise<string> {
  const files = await listTree(store, candidate);
  const none = "0".repeat(base.length);
  const lines = paths.map((path) => {
    const file = files.get(path);
    return file === undefined ? `0 ${none}\t${path}\0` : `${file.mode} ${file.object} 0\t${path}\0`;
  });
  return writeTree(store, { tree: base, changes: lines.join("") });
}

/** Tests of other files keep what was known of them: accepted ones may break the suite until the code follows. */
function withAccepted(former: CheckBase, checks: readonly CheckBase[], paths: readonly string[]): CheckBase {
  const now = checks.find(({ command }) => command === former.command);
  if (now === undefined) return former;
  return {
    ...former,
    tests: former.tests === null ? now.tests : acceptTests(former.tests, now.tests ?? [], paths),
    isListening: former.isListening || now.isListening,
    deaf: [...new Set([...former.deaf, ...now.deaf])],
  };
}
