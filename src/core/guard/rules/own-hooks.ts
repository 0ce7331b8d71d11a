import type { Rule } from "../facts/rule.ts";

const reason = "only the host calls ralph's hooks";

/** Category 18 besides paths: only the host may call hooks; an agent that calls one would speak for a person. */
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
