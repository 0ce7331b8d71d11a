import { showsNoSecrets } from "./facts/environment-output.ts";
import { marks } from "./facts/marks.ts";
import type { Call } from "./facts/rule.ts";
import { report, type Scope } from "./facts/scope.ts";

/** Refuses output that holds the whole environment where somebody reads it. */
export function judgeShown(scope: Scope, text: string): void {
  if (!text.includes(marks.environment)) return;
  report(scope, { category: 6, tier: "block", reason: "prints the environment with its secrets" }, ["env"]);
}

/** Refuses a program that reads the whole environment, unless it is a filter: then its own output counts. */
export function judgeReader(call: Call): void {
  if (!call.input.includes(marks.environment) || showsNoSecrets(call)) return;
  const isKept = call.name === "tee" && call.operands.length > 0;
  if (isKept || !filters.has(call.name)) judgeShown(call.scope, call.input);
}

/** Programs that only pass on what they read. */
const filters = new Set(
  "cat sort uniq head tail tac tee less more nl column grep egrep fgrep rg sed awk cut".split(" "),
);
