import type { Verification } from "../../core/tasks/criteria/completion-spec.ts";
import { type Asked, type Asking, shareResults } from "../../core/verification/shared-results.ts";
import type { FoundFacts } from "./found.ts";

/** What commands found on a tree. Only results of commands that ended by themselves are put in. */
export type CommandCache = {
  find(key: string): FoundFacts | null;
  keep(key: string, facts: FoundFacts): void;
};

/** Results remembered; a run with more different commands than this asks again. */
const entriesMax = 200;

/** Shares results among everything that uses this one cache. */
export function createCommandCache(): CommandCache {
  const entries = new Map<string, FoundFacts>();
  return {
    find: (key) => entries.get(key) ?? null,
    keep(key, facts) {
      entries.set(key, facts);
      const oldest = entries.keys().next();
      if (entries.size > entriesMax && oldest.done !== true) entries.delete(oldest.value);
    },
  };
}

/** The cache for the gates of one iteration; `shareResults` says when an empty one takes its place. */
export function createIterationCaches(): (asking: Asking) => CommandCache {
  let cache = createCommandCache();
  let before: Asked = null;
  return (asking) => {
    const { asked, isFresh } = shareResults(before, asking);
    if (isFresh) cache = createCommandCache();
    before = asked;
    return cache;
  };
}

/** Equal keys mean the same command, on the same tree and ignored files, in the same environment. */
export function cacheKey(
  verification: Verification,
  { tree, ignored, env }: { tree: string; ignored: string; env: Readonly<Record<string, string>> },
): string {
  const variables = Object.entries(env)
    .filter(([name]) => name !== "RALPH_TURN")
    .toSorted(([first], [second]) => (first < second ? -1 : 1));
  return JSON.stringify([verification, tree, ignored, variables]);
}
