import * as texts from "../../core/verification/verification-texts.ts";
import { isShareable } from "../../core/verification/shared-results.ts";
import { ignoredFingerprint } from "../git/trees/ignored-fingerprint.ts";
import { cacheKey } from "./command-cache.ts";
import { folderInside } from "./folder-inside.ts";
import { runCheckCommand, shellArgv } from "../processes/run-check-command.ts";
import { type External, judged } from "./judge-external.ts";
import { searchOutput } from "./search-output.ts";
import { type Found, found, type FoundFacts } from "./found.ts";
import type { VerificationRun } from "./verification-run.ts";

/** Verifies by a command in the work tree (S2-27 to S2-33). Answered from the cache when it ran on this tree in this iteration. */
export async function verifyExternal(
  external: External,
  run: VerificationRun,
  { label, isAlways }: { label: string; isAlways: boolean },
): Promise<Found> {
  if (external.command.trim() === "") return found(false, texts.noCommand);
  if (run.inCopy !== null) return run.inCopy(external, run, label);
  const place = await folderInside(run.context.frozen.projectDir, external.workingDir);
  if ("problem" in place) return found(false, texts.couldNotRun(place.problem));
  const env = checkEnvironment(run);
  const treeBefore = await run.fingerprint();
  const known = isAlways ? null : await findKnown(external, run, treeBefore);
  if (known !== null) return { ...known, isCached: true, durationMs: 0 };
  const log = run.openLog(label);
  const { context, signal } = run;
  const wallMs = run.withinTime(external.timeoutMs);
  const search = searchOutput([external.outputContains, external.outputNotContains].filter((text) => text !== null));
  const turnMarker = run.newMarker();
  const end = await runCheckCommand(
    {
      argv: shellArgv(external.command),
      cwd: place.folder,
      env: { ...env, RALPH_TURN: turnMarker },
      stdin: null,
      turnMarker,
      wallMs,
      log,
      output: { charsMax: context.frozen.settings.outputTruncateChars, keep: "both" },
      onStdout: (chunk) => search.add(chunk),
    },
    { processes: context.processes, killGraceMs: context.killGraceMs, signal },
  );
  if (end.kind === "cut") return "cut";
  const { evidence } = end;
  const facts = { ...judged(external, { end, wallMs, search }), logFile: log?.logFile ?? null, evidence };
  if (end.kind === "ended") await keepKnown(external, run, { treeBefore, facts });
  return facts;
}

async function findKnown(external: External, run: VerificationRun, tree: string): Promise<FoundFacts | null> {
  const ignored = await ignoredFingerprint(run.context, run.signal);
  return ignored === null ? null : run.cache.find(cacheKey(external, { tree, ignored, env: checkEnvironment(run) }));
}

/**
 * Remembers a result for what the command left behind: its own caches and builds, which git ignores, change with every
 * run. Nothing is remembered where ignored files cannot be compared.
 */
async function keepKnown(
  external: External,
  run: VerificationRun,
  { treeBefore, facts }: { treeBefore: string; facts: FoundFacts },
): Promise<void> {
  const tree = await run.fingerprint();
  const { isTimedOut } = facts;
  const isKept = isShareable({ isTimedOut, isTreeChanged: tree !== treeBefore });
  const ignored = isKept ? await ignoredFingerprint(run.context, run.signal) : null;
  if (ignored !== null) run.cache.keep(cacheKey(external, { tree, ignored, env: checkEnvironment(run) }), facts);
}

/** What commands of a check run in: ralph's own environment, and the run's id. */
export function checkEnvironment({ context }: VerificationRun): Record<string, string> {
  return { ...context.env, RALPH_RUN_ID: context.runId };
}
