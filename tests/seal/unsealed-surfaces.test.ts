import { expect, it } from "vitest";
import { openProject } from "../run/scratch-project.ts";
import { completion, onWord, openWork } from "../work/open-work.ts";

const seal = { checks: "claims" };
const guardrails = [{ command: "true", failAction: "APPEND" }];
const misled = 'Checks are not sealed, although seal.checks is "claims":';

it("says at the start that the checks of ralph work are not sealed", async () => {
  const project = openWork();
  project.worker("claim", { seal, guardrails });
  await project.tasks({ id: "a", completion: completion({ coder: onWord("DONE") }) });
  const { code, stderr } = await project.run(["work", "--roles", "coder"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${misled} only ralph run`)]);
});

it("says at the start that nothing is sealed outside of git", async () => {
  const project = openProject();
  project.claude("claim", { seal, guardrails });
  const { code, stderr } = await project.run(["run", "-p", "Do it."]);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${misled} the project is not at a commit`)]);
});
