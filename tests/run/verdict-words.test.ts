import { expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

type Config = Record<string, unknown>;

/** A project whose only criterion is this one, and an agent that changes a file and claims. */
function projectWith(method: string, config: Config): ReturnType<typeof openProject> {
  const project = openProject({ isGit: true });
  const coder = { promise: "DONE", verification_method: method, verification_config: config };
  const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
  project.write("ralph/criteria.yaml", JSON.stringify(document));
  project.claude("echo work > work.txt; claim", { maximumIterations: 1 });
  return project;
}

/** Everything that a person reads of the run. */
async function readAll(project: ReturnType<typeof openProject>): Promise<string> {
  const { code, stderr } = await project.run(["run", "-p", "Do it"]);
  expect(code).toBe(0);
  const shown = await project.run(["show"]);
  const status = await project.run(["status", "--all"]);
  return [stderr, shown.stdout, status.stdout].join("\n");
}

it("calls a criterion that the claim alone meets unverified in every view, never green or verified", async () => {
  const text = await readAll(projectWith("string_match", {}));
  expect(text).toMatch(/^ {2}met by the claim alone, not verified \(string_match, [^)]*\): DONE$/m);
  expect(text).toContain("completed, unverified: Claim accepted in iteration 1: DONE met by the claim alone.");
  expect(text).toMatch(/^ {2}unverified: DONE \(string_match, .*, met by the claim alone\)$/m);
  expect(text).toMatch(/^\S+ {2}completed, unverified {2}/m);
  expect(text).not.toMatch(/\bgreen\b|^ *verified/m);
});

it("names a red stage that is not required, and a check that is there as not required", async () => {
  const stages = [
    { name: "said", method: "string_match" },
    { name: "lint", method: "external", config: { command: "exit 3" }, required: false },
  ];
  const project = projectWith("multi_stage", { stages });
  const text = await readAll(project);
  expect(text).toContain("No check is required (the claim alone meets: DONE)");
  expect(text).not.toContain("No check is configured");
  expect(text).toMatch(/met by the claim alone, not verified \(multi_stage, [^)]*; red, not required: lint\): DONE/);
  expect(text).toContain("DONE met by the claim alone; red, not required: lint.");
  expect(text).toMatch(/^ {4}red: lint \(not required\)/m);
  expect(text).toMatch(/^ {4}unverified: said /m);
  expect(text).not.toMatch(/\bgreen\b|^ *verified/m);
  expect(await project.json(["show"])).toMatchObject({ outcome: "completed", isVerified: false });
});

it("shows while the run goes on how the output of a red criterion begins, so that a missing command is named (S2-32)", async () => {
  const project = projectWith("external", { command: "no-such-command --x" });
  const { code, stderr } = await project.run(["run", "-p", "Do it"], { env: { LANG: "C.UTF-8" } });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /not verified \(external, .*\): Command exited with 127, expected 0\n {4}⎿ {2}.*no-such-command.*not found/,
  );
});
