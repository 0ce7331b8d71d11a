import { isDeepStrictEqual } from "node:util";
import { readMember } from "./edit-json.ts";
import { hashOf, readRecord } from "./install-record.ts";
import type { PluginPlan } from "./plugin-host.ts";
import { readFile } from "./shared-settings.ts";

/** How an installation is: whole and of this version, of another one, damaged, or not there. */
export type PluginState = {
  state: "installed" | "outdated" | "damaged" | "absent";
  guard: "in-loops" | "always" | null;
  /** What is missing, edited or switched off. */
  problems: string[];
};

/** Looks at an installation; `planFor` gives what this version would write. */
export function readPluginState(record: string, planFor: (isGuardAlways: boolean) => PluginPlan): PluginState {
  const noted = readRecord(record);
  const usual = planFor(false);
  const isMarked = readFile(usual.mark.path)?.includes(usual.mark.text) === true;
  if (noted === null && !isMarked) return { state: "absent", guard: null, problems: [] };
  const guard = noted?.guard ?? "in-loops";
  const plan = guard === "always" ? planFor(true) : usual;
  const written = noted?.files ?? Object.fromEntries(plan.files.map(({ path, content }) => [path, hashOf(content)]));
  const problems = [
    ...Object.entries(written).flatMap(([path, hash]) => problemOf(path, hash)),
    ...plan.members
      .filter(({ path, keys, value }) => !isDeepStrictEqual(readMember(readFile(path) ?? "", keys), value))
      .map(({ path, keys }) => `${keys.join(".")} is not set in ${path}`),
  ];
  const isOutdated = plan.files.some(({ path, content }) => written[path] !== hashOf(content));
  if (problems.length > 0) return { state: "damaged", guard, problems };
  return { state: isOutdated ? "outdated" : "installed", guard, problems };
}

function problemOf(path: string, hash: string): string[] {
  const found = readFile(path);
  if (found === null) return [`${path} is missing`];
  return hashOf(found) === hash ? [] : [`${path} was changed`];
}
