import type { Rule } from "../facts/rule.ts";

const reason = "only the host calls ralph's hooks";

/** Beside the paths of category 18: the hooks are for the host; an agent that calls one speaks in a person's name. */
export const ownHookRules: readonly Rule[] = [
  { category: 18, tier: "block", names: ["ralph", "ralph.js"], words: ["hook"], reason },
  {
    category: 18,
    tier: "block",
    names: ["node", "nodejs", "bun"],
    argument: /(?:^|\/)(?:ralph(?:\.js)?|hook\.cjs|hooks\/run\.cjs)$/,
    when: ({ args }) => args.includes("hook") || args.includes("--host"),
    reason,
  },
];
