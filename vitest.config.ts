import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Folders of tests/ that start no processes. A test there must leave process-wide state as it found it. */
const withoutProcesses = ["guard", "properties", "session-simulation", "simulation", "tidy"];
const unit = ["src/**/*.test.ts", ...withoutProcesses.map((folder) => `tests/${folder}/**/*.test.ts`)];

const cores = availableParallelism();
/** Only for what hangs without a bound of its own; see tests/patience.ts. */
const limits = { testTimeout: 240_000, hookTimeout: 240_000 };

export default defineConfig({
  test: {
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
        // These wait for processes that they started: more of them at once than there are cores.
        test: {
          ...limits,
          name: "suites",
          include: ["tests/**/*.test.ts"],
          exclude: unit,
          maxWorkers: 2 * cores,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
