/** The guard's decision on a tool call. The worst finding is first; an allowed call has none. */
export type Judgement = {
  decision: "allow" | Tier;
  /** The category of the first finding; null when allowed or when the call could not be judged. */
  category: Category | null;
  reason: string;
  findings: readonly Finding[];
};

/** One thing a call would do that it should not. */
export type Finding = {
  category: Category | null;
  tier: Tier;
  reason: string;
  /** The words of the command, or the path; allow rules are compared with it. */
  subject: readonly string[];
  /** The path, if any; an allow rule for a path is compared only with it. */
  path?: string;
  /** No allow rule opens it: it protects the guard itself. */
  isFinal?: boolean;
};

/** `block` refuses the call, `warn` lets it pass with a message. */
export type Tier = "warn" | "block";

/** The eighteen categories by the numbers that findings and allow rules use. */
export type Category = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18;

/** What each category is called in messages. */
export const categoryNames: Readonly<Record<Category, string>> = {
  1: "destructive file operation",
  2: "disk, partition or boot",
  3: "resource exhaustion",
  4: "exfiltration or download and execute",
  5: "reverse shell or remote access",
  6: "reading secrets",
  7: "privilege escalation",
  8: "container escape",
  9: "package supply chain",
  10: "destructive git",
  11: "system configuration",
  12: "obfuscated execution",
  13: "environment manipulation",
  14: "process or kernel",
  15: "persistence",
  16: "destructive database statement",
  17: "cloud infrastructure",
  18: "protected path",
};

/** The worst of the findings decides; a warning never hides a refusal. */
export function judgementOf(findings: readonly Finding[]): Judgement {
  const sorted = [
    ...findings.filter((finding) => finding.tier === "block"),
    ...findings.filter((finding) => finding.tier === "warn"),
  ];
  const first = sorted[0];
  if (first === undefined) return { decision: "allow", category: null, reason: "", findings: [] };
  const title = first.category === null ? "" : `${categoryNames[first.category]}: `;
  return { decision: first.tier, category: first.category, reason: title + first.reason, findings: sorted };
}

/** The guard refuses what it cannot parse. */
export function cannotBeJudged(why: string): Judgement {
  const reason = `this call cannot be judged: ${why}; write it more simply, or as several calls`;
  return judgementOf([{ category: null, tier: "block", reason, subject: [] }]);
}
