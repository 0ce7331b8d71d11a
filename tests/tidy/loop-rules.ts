import { type Fault, parseFault } from "../../scripts/fault.ts";
import type { SourceFile } from "./source-file.ts";

/** The folders of core that decide how a loop continues or ends: what a fault there breaks is a rule of a loop. */
const deciding = [
  "claims",
  "contract",
  "engine",
  "policies",
  "prd",
  "run",
  "session",
  "supervise",
  "verification",
  "work",
];

/** The planted faults of the repository. */
export function faultsOf(files: readonly SourceFile[]): Fault[] {
  return files.flatMap(({ path, text }) => {
    const name = /^tests\/faults\/(\d{3}-[^/]*\.json)$/.exec(path)?.[1];
    return name === undefined ? [] : [parseFault(name, text)];
  });
}

/**
 * Faults that show a rule of a loop outside of core. A fault outside of core states the duty that it breaks, so it cannot be a
 * rule unnoticed; and it does not break what a fault in a deciding folder breaks, because then that rule stands in two places.
 */
export function findLeakedRules(files: readonly SourceFile[]): string[] {
  const faults = faultsOf(files);
  const rules = new Map(faults.filter(isOfRule).map(({ breaks, name }) => [breaks, name]));
  return faults.flatMap((fault) => {
    const { name, duty, breaks, file } = fault;
    const isInCore = file.startsWith("src/core/");
    if (isInCore) return duty === null ? [] : [`${name}: a fault in core breaks a decision, not the duty "${duty}"`];
    if (duty === null)
      return [`${name}: ${file} is outside of core, so the fault must state the "duty" that it breaks`];
    const rule = rules.get(breaks);
    return rule === undefined ? [] : [`${name}: "${breaks}" is a rule of a loop in core, see ${rule}`];
  });
}

function isOfRule({ file }: Fault): boolean {
  return deciding.some((folder) => file.startsWith(`src/core/${folder}/`));
}
