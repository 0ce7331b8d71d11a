import type { CommitChoice } from "./commit-choice.ts";

/** How much of a suite runs. */
export type Portion = { share: string; seed: number | null; faults: readonly string[] };

/** A suite of `npm run test:long`. Its command ends with a line that counts what passed, failed and was skipped. */
export type LongSuite = {
  name: string;
  /** For the whole suite on two idle cores, with room to spare. */
  budgetMinutes: number;
  /** Paths whose change makes a commit run more of the suite. */
  concerns: RegExp;
  /** In how many shares a commit draws one, when it changed such a path and when not. */
  sharesOfCommit: { changed: number; unchanged: number };
  argv(portion: Portion): string[];
  env?: Record<string, string>;
  /** True for the suite that also runs the faults of changed folders. */
  takesFaults?: boolean;
  /** True for a suite that cannot be divided: the first share runs all of it. */
  isWhole?: boolean;
};

/** Every long suite, in the order in which they run. */
export const longSuites: readonly LongSuite[] = [
  {
    name: "agents",
    budgetMinutes: 7,
    concerns: /agents|hooks|plugins?\/|opencode/,
    // Five agents: one of them, or all.
    sharesOfCommit: { changed: 1, unchanged: 5 },
    argv: ({ share }) => ["scripts/test-agents.js", "--share", share],
  },
  {
    name: "tools",
    budgetMinutes: 2,
    concerns: /hooks|cli|session|^tests\/(?:terminal|completions)\//,
    sharesOfCommit: { changed: 1, unchanged: 5 },
    argv: ({ share }) => ["scripts/test.js", "--project", "tools", "--shard", share],
  },
  {
    name: "repetitions",
    budgetMinutes: 3,
    concerns: /supervis|process/,
    sharesOfCommit: { changed: 1, unchanged: 10 },
    argv: () => ["scripts/test.js", "tests/supervise/nothing-left", "tests/process/hundred-kills"],
    env: { RALPH_TEST_REPETITIONS: "20" },
    isWhole: true,
  },
  {
    name: "simulations",
    budgetMinutes: 5,
    concerns:
      /^src\/(?:core\/(?:engine|run|policies|work|prd|supervise)|shell\/(?:drivers|perform))\/|^tests\/simulation\//,
    sharesOfCommit: { changed: 5, unchanged: 10 },
    argv: ({ share, seed }) => [
      "tests/simulation/main.ts",
      "--each=2000",
      `--share=${share}`,
      ...(seed === null ? [] : ["--seed", String(seed)]),
    ],
  },
  {
    name: "sessions",
    budgetMinutes: 1,
    concerns: /session|hooks/,
    sharesOfCommit: { changed: 1, unchanged: 10 },
    argv: () => ["scripts/test.js", "tests/session-simulation"],
    env: { RALPH_SESSION_RUNS: "2000" },
    isWhole: true,
  },
  {
    name: "streams",
    budgetMinutes: 2,
    concerns: /^src\/(?:core\/(?:claims|agents)|shell\/(?:streams|agents))\//,
    sharesOfCommit: { changed: 1, unchanged: 10 },
    argv: () => ["scripts/test.js", "tests/contract/any-chunking"],
    env: { RALPH_TEST_CHUNKINGS: "10000" },
    isWhole: true,
  },
  {
    name: "cheats",
    budgetMinutes: 14,
    concerns: /^src\/(?:core\/verification|shell\/(?:seal|verification|gates|git))\/|^bench\/fool\//,
    // A share of a tenth has some cases of every ecosystem.
    sharesOfCommit: { changed: 5, unchanged: 10 },
    argv: ({ share }) => ["bench/fool/main.ts", "--share", share],
  },
  {
    name: "faults",
    budgetMinutes: 18,
    // The faults of changed folders are named one by one.
    concerns: /^$/,
    takesFaults: true,
    sharesOfCommit: { changed: 10, unchanged: 10 },
    argv: ({ share, faults }) => [
      "scripts/test-faults.js",
      `--share=${share}`,
      ...faults.flatMap((name) => ["--also", name]),
    ],
  },
  {
    name: "kills",
    budgetMinutes: 36,
    concerns: /^src\/(?:core\/(?:engine|run|work|session)|shell|app)\/|^tests\/kills\//,
    // All of them take forty minutes, twice of what a commit may.
    sharesOfCommit: { changed: 10, unchanged: 10 },
    argv: ({ share, seed }) => [
      "scripts/test-kills.js",
      `--share=${share}`,
      ...(seed === null ? [] : ["--seed", String(seed)]),
    ],
  },
];

/** What of a suite a commit runs. */
export function portionOfCommit(suite: LongSuite, choice: CommitChoice): Portion {
  const { changed, unchanged } = suite.sharesOfCommit;
  const shares = choice.concerns(suite.concerns) ? changed : unchanged;
  return {
    share: `${(choice.drawn % shares) + 1}/${shares}`,
    seed: choice.drawn,
    faults: suite.takesFaults === true ? choice.faults : [],
  };
}

/** A share has its part of the budget, and two minutes for what every share does. */
export function budgetMsOf(suite: LongSuite, { share, faults }: Portion): number {
  const parts = suite.isWhole ? 1 : Number(share.split("/")[1] ?? 1);
  // A fault takes at most five seconds on average.
  const minutes = suite.budgetMinutes / parts + 2 + (faults.length * 5) / 60;
  return Math.min(suite.budgetMinutes, minutes) * 60_000;
}
