import { RalphError } from "../../core/ralph-error.ts";
import type { HeldOutEntry } from "../../core/verification/sealed/read-held-out.ts";
import { readHeldOut } from "../../core/verification/sealed/read-held-out.ts";
import { freezeHeldOut } from "../../shell/held-out/frozen-files.ts";
import { heldOutPath, readHeldOutFile, writeHeldOutFile } from "../../shell/held-out/held-out-file.ts";
import type { Program } from "../prepare/load-run-settings.ts";

/** Whose held-out checks, and with what they are read. */
export type HeldOutContext = Pick<Program, "disk" | "env"> & { projectDir: string };

/** The list of a project: where it lies and the names in it. Nothing else of a check is ever shown. */
export type HeldOutList = { path: string; names: string[] };

/** The names of a project's held-out checks. */
export function listHeldOut(place: HeldOutContext): HeldOutList {
  const { path, checks } = openList(place);
  return { path, names: checks.map(({ name }) => name) };
}

/** Adds a check, whose files must be there and outside of the project. Rejects for a name that is taken. */
export async function addHeldOut(place: HeldOutContext, check: HeldOutEntry): Promise<HeldOutList> {
  const { path, checks } = openList(place);
  const all = [...checks, check];
  const read = readHeldOut(all);
  if ("problems" in read) throw new RalphError("usage", read.problems.join(" "), "See ralph seal held-out add --help.");
  await freezeHeldOut([check], { folder: process.cwd(), projectDir: place.projectDir });
  await writeHeldOutFile(place.disk, path, all);
  return { path, names: all.map(({ name }) => name) };
}

/** Removes a check by its name. */
export async function removeHeldOut(place: HeldOutContext, name: string): Promise<HeldOutList> {
  const { path, checks } = openList(place);
  const rest = checks.filter((check) => check.name !== name);
  if (rest.length === checks.length) {
    const known = checks.length === 0 ? "There is none." : `Known are ${checks.map((each) => each.name).join(", ")}.`;
    throw new RalphError("not-found", `There is no held-out check "${name}".`, known);
  }
  await writeHeldOutFile(place.disk, path, rest);
  return { path, names: rest.map((check) => check.name) };
}

function openList({ env, projectDir }: HeldOutContext): { path: string; checks: HeldOutEntry[] } {
  const path = heldOutPath(env, projectDir);
  if (path === null)
    throw new RalphError("settings", "There is no folder for your settings.", "Set HOME or XDG_CONFIG_HOME.");
  return { path, checks: readHeldOutFile(path, projectDir) };
}
