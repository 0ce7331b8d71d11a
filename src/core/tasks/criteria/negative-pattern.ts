import { isObject } from "../../text/is-object.ts";
import type { NegativePattern } from "./completion-spec.ts";
import { nameOf } from "./document-fields.ts";

const scopes = ["output", "diff", "files"] as const;
const patternCharsMax = 500;

/** A text, `/expression/flags`, or `{pattern, scope}`; anything else returns a problem (CW-2N). */
export function readNegativePattern(value: unknown): NegativePattern | { problem: string } {
  const text = isObject(value) ? value["pattern"] : value;
  const scope = isObject(value) ? (value["scope"] ?? "output") : "output";
  const known = scopes.find((name) => name === scope);
  if (typeof text !== "string" || text.trim() === "")
    return { problem: `must be a text, /an expression/ or {pattern, scope}, not ${nameOf(value)}` };
  if (text.length > patternCharsMax) return { problem: `has more than ${patternCharsMax} characters` };
  if (known === undefined) return { problem: `unknown scope ${nameOf(scope)}; known are ${scopes.join(", ")}` };
  const isRegex = expression.test(text);
  if (isRegex && toRegex(text) === null) return { problem: `${nameOf(text)} is not a regular expression` };
  return { pattern: text, isRegex, scope: known };
}

/** The document of a pattern; reading it gives the same pattern. */
export function writeNegativePattern({ pattern, scope }: NegativePattern): unknown {
  return scope === "output" ? pattern : { pattern, scope };
}

/** Whether a pattern occurs in a text: literally in any letter case, or as a regular expression (S2-23). */
export function isPatternIn(pattern: NegativePattern, text: string): boolean {
  if (!pattern.isRegex) return text.toLowerCase().includes(pattern.pattern.toLowerCase());
  return toRegex(pattern.pattern)?.test(text) ?? false;
}

const expression = /^\/(.+)\/([a-z]*)$/s;

function toRegex(text: string): RegExp | null {
  const [, source = "", flags = ""] = expression.exec(text) ?? [];
  try {
    // With `g` or `y` a test would start where the last one ended.
    return new RegExp(source, flags.replace(/[gy]/g, ""));
  } catch {
    return null;
  }
}
