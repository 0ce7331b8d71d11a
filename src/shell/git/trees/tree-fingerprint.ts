import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { headTree, wholeTree } from "./candidate.ts";
import { createGit, type Git, type GitCaller, readHead } from "../git.ts";
import { headByFiles } from "../head-by-files.ts";
import { commitNow, treeNow } from "./head-now.ts";
import { type LookContext, withStore } from "./look.ts";
import { findRepository } from "../repository.ts";
import { listFiles } from "../../lib/list-files.ts";
import type { Disk, Processes } from "../../ports.ts";

/** Files looked at outside git; a larger tree is compared by its first so many. */
const filesMax = 20_000;
/** Repositories inside the project whose commits are looked at, too. */
const innerMax = 20;

/** The parts of a machine that a look needs. */
export type LookMachine = {
  processes: Processes;
  env: Readonly<Record<string, string>>;
  disk: Disk;
  killGraceMs?: number;
  folder?: string;
};

/** Git ends at once when it is told to. */
const killGraceMsDefault = 5000;

/** A place to look at a directory that no run stands for. */
export function lookAt(machine: LookMachine, directory: string, runId = "look"): LookContext {
  const { processes, env, killGraceMs = killGraceMsDefault, disk, folder } = machine;
  const place = { processes, env, killGraceMs, disk, runId, frozen: { projectDir: directory } };
  return folder === undefined ? place : { ...place, folder };
}

/**
 * A text that differs when the work tree or its commits differ; of the content alone, when the work tree or what is
 * committed differs: a commit without any change is not progress. In git neither ignored files nor the user's index
 * matter; elsewhere sizes and times of the files tell.
 */
export async function treeFingerprint(
  context: LookContext,
  caller: GitCaller = callerOf(context),
  of: "commits" | "content" = "commits",
): Promise<string> {
  const look = await withStore(context, caller, async (store) => {
    const headOf = (git: Git, directory: string): Promise<string | null> =>
      of === "content" ? headTree({ git }, directory) : readHead(git, directory);
    const head = await (of === "content" ? treeNow(store) : commitNow(store));
    const { tree, left } = await wholeTree(store);
    const { top } = store.store.start.repository;
    const git = createGit(context, caller);
    const inner = left.slice(0, innerMax).map((path) => headOf(git, join(top, path)));
    return [head ?? "no commit", tree, ...(await Promise.all(inner))].join(" ");
  }).catch(() => null);
  return look ?? `no commit ${await filesFingerprint(context.frozen.projectDir)}`;
}

/** HEAD of a directory; null outside git and before the first commit. By files alone where they tell: every start asks it. */
export async function headCommit(machine: LookMachine, directory: string, runId?: string): Promise<string | null> {
  const repository = findRepository(machine.disk, directory);
  const commit = repository === null ? null : headByFiles(machine.disk, repository);
  if (commit !== null) return commit;
  const place = lookAt(machine, directory, runId);
  return readHead(createGit(place, callerOf(place)));
}

/** Whose name a commit would carry; null when git does not know. */
export async function committerOf(machine: LookMachine, directory: string): Promise<string | null> {
  const place = lookAt(machine, directory);
  const end = await createGit(place, callerOf(place))(["var", "GIT_COMMITTER_IDENT"]);
  return end.exitCode === 0 ? end.stdout.trimEnd().replace(/ \d+ [+-]\d+$/, "") : null;
}

/** Tracked files that differ from HEAD; null outside git. Asked before the first turn, so the user's filters count. */
export async function trackedChanges(machine: LookMachine, directory: string): Promise<string[] | null> {
  const place = lookAt(machine, directory);
  const end = await createGit(place, callerOf(place))(["status", "--porcelain", "--untracked-files=no"]);
  return end.exitCode === 0 ? end.stdout.split("\n").filter((line) => line !== "") : null;
}

function callerOf({ runId }: LookContext): GitCaller {
  return { turnMarker: `${runId}.look/${process.pid}` };
}

async function filesFingerprint(directory: string): Promise<string> {
  const hash = createHash("sha256");
  const paths = await listFiles(directory, new Set(["node_modules", ".ralph"]));
  const names = paths.toSorted().slice(0, filesMax);
  for (const name of names) {
    const facts = await stat(name).catch(() => null);
    hash.update(`${name} ${facts?.size} ${facts?.mtimeMs}\n`);
  }
  return hash.digest("hex");
}
