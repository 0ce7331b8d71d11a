import { expect, it } from "vitest";
import { openProject } from "../run/scratch-project.ts";
import { completion, onWord, openWork } from "../work/open-work.ts";

const seal = { checks: "claims" };
const guardrails = [{ command: "true", failAction: "APPEND" }];
const misled = 'Checks are not sealed, although seal.checks is "claims":';

it("says at the start and at the end that no check of ralph work is sealed where none is a command", async () => {
  const project = openWork();
  project.worker("claim", { seal });
  await project.tasks({ id: "a", completion: completion({ coder: onWord("DONE") }) });
  const planned = await project.run(["work", "--roles", "coder", "--dry-run"]);
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("not sealed, no check is a command")]);
  const { code, stderr } = await project.run(["work", "--roles", "coder"]);
  expect([code, stderr.split(`${misled} no check is a command`)]).toEqual([0, expect.objectContaining({ length: 3 })]);
});

it("says at the start that nothing is sealed outside of git", async () => {
  const project = openProject();
  project.claude("claim", { seal, guardrails });
  const { code, stderr } = await project.run(["run", "-p", "Do it."]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${misled} the project is not at a commit`)]);
});
