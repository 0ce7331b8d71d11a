import { createProtections, type Protection, type ProtectRules } from "./protection.ts";

/** Why paths come from before the first turn in a sealed copy, or, of `allowed`, why they do not. */
export type ProtectedBy = "tests" | "runner" | "keys" | "named" | "protect" | "agent" | "allowed";

/** A path, and of a manifest the keys that are protected. */
export type ExplainedPath = { path: string; keys?: readonly string[] };

/** The paths of a tree that one rule protects. */
export type ExplainedRule = { rule: ProtectedBy; paths: ExplainedPath[] };

/** Says which rule protects which paths of a tree, in the order in which people read them; rules without a path are left out. */
export function explainProtection(paths: Iterable<string>, rules: ProtectRules): ExplainedRule[] {
  const [protections, strict] = [createProtections(rules), createProtections({ ...rules, allow: [] })];
  const named = new Set(rules.named);
  const found = new Map<ProtectedBy, ExplainedPath[]>(order.map((rule) => [rule, []]));
  for (const path of paths) {
    const protection = protections.protectionOf(path);
    const rule = protection === null ? null : ruleOf(protection, named.has(path));
    const keys = protections.keysOf(path);
    if (rule !== null) found.get(rule)?.push({ path });
    else if (keys.length > 0) found.get("keys")?.push({ path, keys });
    else if (ruleOf(strict.protectionOf(path), false) !== null || strict.keysOf(path).length > 0)
      found.get("allowed")?.push({ path });
  }
  return order.flatMap((rule) => {
    const own = found.get(rule) ?? [];
    return own.length === 0 ? [] : [{ rule, paths: own }];
  });
}

const order: readonly ProtectedBy[] = ["tests", "runner", "keys", "named", "protect", "agent", "allowed"];

/** A module of the base that hides one of the runner's is ordinary code: only new ones are left out. */
function ruleOf(protection: Protection | null, isNamed: boolean): ProtectedBy | null {
  if (protection === null || protection === "shadow") return null;
  if (protection === "named") return isNamed ? "named" : "protect";
  return protection === "test" ? "tests" : protection;
}
