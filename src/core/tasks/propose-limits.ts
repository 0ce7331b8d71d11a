import { type Role, roles } from "./criteria/role.ts";

/** One ended role run of a task: how many iterations it used, and whether it was completed. */
export type PastRole = { role: Role; spec: string; title: string; iterations: number; isCompleted: boolean };

/** What past runs of a role on similar tasks needed. `runs` were completed; `unfinished` used up their limit. */
export type LimitProposal = { role: Role; runs: number; unfinished: number; median: number; p90: number };

/** Below this many completed runs a percentile says nothing. */
const runsMin = 3;

/** What similar tasks needed, per role; a role with too few completed runs is left out. Nothing is changed by it. */
export function proposeLimits(task: { spec: string; title: string }, past: readonly PastRole[]): LimitProposal[] {
  const similar = past.filter((each) => isSimilar(task, each));
  return roles.flatMap((role) => {
    const own = similar.filter((each) => each.role === role);
    const used = own.filter(({ isCompleted }) => isCompleted).map(({ iterations }) => iterations);
    if (used.length < runsMin) return [];
    const unfinished = own.length - used.length;
    return [{ role, runs: used.length, unfinished, median: percentile(used, 50), p90: percentile(used, 90) }];
  });
}

/** Tasks of one specification are similar, and tasks whose titles share at least a third of their words. */
function isSimilar(task: { spec: string; title: string }, other: { spec: string; title: string }): boolean {
  if (task.spec !== "" && task.spec === other.spec) return true;
  const words = wordsOf(task.title);
  const others = wordsOf(other.title);
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared > 0 && shared * 3 >= new Set([...words, ...others]).size;
}

/** Words that say something; "add", "the" and their like are in every title. */
function wordsOf(title: string): Set<string> {
  return new Set(title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}

/** The smallest value that at least this share of the values does not exceed (nearest rank). */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((first, second) => first - second);
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? 0;
}
