import { join } from "node:path";
import { createGit } from "../git.ts";
import { listingWords, readListing } from "../listed-files.ts";
import { findRepository } from "../repository.ts";
import { describeFailure } from "../run-tool.ts";
import { lookAt, type LookMachine } from "./tree-fingerprint.ts";

/** The files that a run which began now would begin with, from the top of the repository. */
export type BaseFiles = { top: string; prefix: string; paths: string[] };

/**
 * Lists what the base of a run would hold: files that git knows and that are there, and with `scm.stage` `all` also new ones. Writes
 * nothing. Null outside git. Rejects when git cannot tell.
 */
export async function baseFiles(
  machine: LookMachine,
  directory: string,
  stage: "run" | "tracked" | "all",
): Promise<BaseFiles | null> {
  const repository = findRepository(machine.disk, directory);
  if (repository === null) return null;
  const { top, prefix } = repository;
  const git = createGit(lookAt(machine, directory), { turnMarker: `look.base/${process.pid}`, repository });
  const end = await git(listingWords, { directory: top });
  if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure("git ls-files", end));
  const { entries, others } = readListing(end.stdout);
  const known = entries.filter(({ facts }) => !facts.startsWith("160000 ")).map(({ path }) => path);
  const taken = [...new Set([...known, ...(stage === "all" ? others : [])])];
  const isThere = (path: string): boolean => (machine.disk.look(join(top, path))?.kind ?? "folder") !== "folder";
  return { top, prefix, paths: taken.filter(isThere).toSorted() };
}
