import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders of tests/ that start no processes. A test, here and there, leaves process-wide state as it found it. */
const withoutProcesses = ["guard", "properties", "session-simulation", "simulation", "tidy"];
const unit = ["src/**/*.test.ts", ...withoutProcesses.map((folder) => `tests/${folder}/**/*.test.ts`)];

/** Tests that need more than Node and git: tmux, other shells, the older versions of Node. They are a long suite. */
const tools = ["tests/terminal/**/*.test.ts", "tests/completions/**/*.test.ts", "tests/hooks/old-node.test.ts"];

/** Small files that run long. Without results of an earlier run vitest begins with the largest files, and a core would wait for these. */
const longest = /tests\/(?:simulation|properties|replay|prd|work|supervise)\//;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number =>
      2 * project.config.sequence.groupOrder + (longest.test(moduleId) ? 0 : 1);
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of vitest, not of an array
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

const cores = availableParallelism();
/** Only for what hangs without a bound of its own; see tests/patience.ts. */
const limits = { testTimeout: 240_000, hookTimeout: 240_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Many small files that compute: they share workers and loaded modules, one worker per core.
        test: {
          ...limits,
          name: "unit",
          include: unit,
          isolate: false,
          maxWorkers: cores,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // These wait for processes that they started: more of them at once than there are cores, in workers that keep what they loaded.
        test: {
          ...limits,
          name: "suites",
          include: ["tests/**/*.test.ts"],
          exclude: [...unit, ...tools],
          isolate: false,
          maxWorkers: 5 * cores,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...limits,
          name: "tools",
          include: tools,
          isolate: false,
          maxWorkers: 5 * cores,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
