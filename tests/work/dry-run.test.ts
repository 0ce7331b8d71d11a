import { expect, it } from "vitest";
import { completion, external, onWord, openWork } from "./open-work.ts";

it("shows the tasks, each role with agent, limit and verification, and starts nothing", async () => {
  const work = openWork();
  work.worker("claim", {
    work: { roles: ["coder", "reviewer"] },
    guardrails: [{ command: "true", failAction: "APPEND" }],
  });
  const coder = external("CODED", "npm test", { max_iterations: 4 });
  await work.tasks({ id: "a-1", title: "First", completion: completion({ coder, reviewer: onWord("SEEN", 1) }) });
  const { code, stdout } = await work.run(["work", "--dry-run", "--max-cost", "5"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Nothing is started and nothing is stored.");
  expect(stdout).toContain("Place:        one task after the other, in the project directory\n");
  expect(stdout).toContain("Limits:       $5.00\n");
  expect(stdout).toContain("  true: after every turn, and on what the task leaves");
  expect(stdout).toMatch(
    /^Task a-1: First\n {2}coder: \S+, at most 4 iterations\n {4}external: npm test\n {2}reviewer: \S+, at most 1 iteration\n {4}string_match/m,
  );
  const planned = await work.json(["work", "--dry-run"]);
  expect(planned).toMatchObject({
    jobs: 1,
    tasks: [
      {
        id: "a-1",
        roles: [
          { role: "coder", maxIterations: 4 },
          { role: "reviewer", maxIterations: 1 },
        ],
      },
    ],
  });
  expect(await work.works()).toEqual([]);
  expect(await work.standing()).toEqual({ "a-1": expect.stringContaining("ready") });
});

it("says that nothing is ready as a start would", async () => {
  const work = openWork();
  work.worker("claim");
  const { code, stderr } = await work.run(["work", "--dry-run"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("task")]);
});

it("refuses a task that only promises verify where checks are required, planned or started (R-16)", async () => {
  const work = openWork();
  work.worker("echo 1 >> made.txt; claim", {
    work: { roles: ["coder", "reviewer"] },
    completion: { requireChecks: true },
  });
  const criteria = { coder: onWord("CODED"), reviewer: onWord("SEEN") };
  await work.tasks(
    { id: "a-1", completion: completion(criteria) },
    { id: "a-2", completion: completion({ ...criteria, reviewer: external("SEEN", "true") }) },
  );
  for (const words of [["work", "--dry-run"], ["work"]]) {
    const { code, stderr } = await work.run(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining("No check is configured for a-1, where every role")]);
  }
  expect(await work.works()).toEqual([]);
  expect((await work.run(["work", "a-2"])).code).toBe(0);
});
