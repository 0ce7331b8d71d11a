import { expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

it("shows prompt, agent, times, tokens, commits, changes, last words and the next command", async () => {
  const project = openProject({ isGit: true });
  project.write("a.txt", "one\n");
  project.git("add", "a.txt");
  project.git("commit", "--quiet", "--message", "add a");
  project.claude("echo two >> a.txt; git add a.txt; git commit -qm 'change a'; touch left.txt; say 'Half is left.'", {
    maximumIterations: 1,
    agent: { model: "small" },
  });
  expect((await project.run(["run", "-p", "Make it whole", "--allow-dirty"])).code).toBe(1);
  const { stdout } = await project.run(["show"]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toContain("  prompt: Make it whole");
  expect(lines).toContain("  agent: claude, model small");
  expect(stdout).toMatch(/^ {2}started \d\d:\d\d, ended \d\d:\d\d, worked \S+$/m);
  expect(stdout).toMatch(/^ {2}iteration 1 of 1, .*tokens: \S+ in \/ \S+ out$/m);
  expect(stdout).toMatch(/^ {2}commits:\n {4}[0-9a-f]{7,} change a$/m);
  expect(stdout).toMatch(/^ {2}changed since the start:\n {4}a\.txt \| 1 \+\n {4}1 file changed, 1 insertion\(\+\)$/m);
  expect(lines).toContain("    left.txt");
  expect(stdout).toContain("  last words of the agent:\n    | Half is left.\n");
  expect(lines.at(-1)).toMatch(/^Give it more iterations with: ralph resume \S+ -m 5$/);
  expect(await project.json(["show"])).toMatchObject({
    lastWords: "Half is left.",
    limitWaitMs: 0,
    changes: { commits: [{ subject: "change a" }], uncommitted: expect.arrayContaining(["left.txt"]) },
    next: { command: expect.stringMatching(/^ralph resume \S+ -m 5$/) },
  });
});

it("shows the model that the agent named where the settings name none", async () => {
  const project = openProject();
  project.claude(`echo '{"type":"system","subtype":"init","session_id":"s","model":"told-1"}'; say Hm.`, {
    maximumIterations: 1,
  });
  await project.run(["run", "-p", "Do it"]);
  expect((await project.run(["show"])).stdout).toMatch(/^ {2}agent: claude, model told-1$/m);
  expect(await project.json(["show"])).toMatchObject({ model: null, toldModel: "told-1" });
});

it("shows no delivery where none is configured, and counts in words that fit", async () => {
  const project = openProject({ isGit: true });
  project.sim("turns:\n  - - edit: { file: made, content: x }\n    - claim\n");
  expect((await project.run(["run", "-p", "Do it", "--allow-dirty"])).code).toBe(0);
  const { stdout } = await project.run(["show"]);
  expect(stdout).toContain("  turn: ended, 1 tool, 0 errors, ");
  expect(stdout).not.toContain("nothing to commit");
});

it("shows equal evidence once", async () => {
  const project = openProject();
  const guardrails = [{ command: "echo The wall is red; exit 1", failAction: "APPEND" }];
  project.claude("say Hm.", { maximumIterations: 3, guardrails, breaker: { noProgress: null } });
  await project.run(["run", "-p", "Do it"]);
  const { stdout } = await project.run(["show"]);
  expect(stdout.match(/^ {4}\| The wall is red$/gm)).toHaveLength(1);
  expect(stdout.match(/^ {4}\| the same output as in iteration 1$/gm)).toHaveLength(2);
});

it("shows equal errors of the agent once, and names the iteration that has them (S1-59)", async () => {
  const project = openProject({ isGit: true });
  project.claude("echo 'cannot sign in' >&2; echo 'try again' >&2; exit 7", {
    maximumIterations: 2,
    agent: { retryDelay: 0 },
  });
  await project.run(["run", "-p", "Do it"]);
  const { stdout } = await project.run(["show"]);
  expect(stdout.split("    | cannot sign in\n    | try again\n")).toHaveLength(2);
  expect(stdout).toContain("    | the same output as in iteration 1\n");
});
