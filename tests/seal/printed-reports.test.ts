import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

const command = "python3 -m unittest";
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Red before the first turn; it prints half a line on standard output where a line of the report begins. */
const suite = `import subprocess, unittest
from add import add

class Adds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print("begins", end="", flush=True)

    def test_adds(self):
        print("half a line", end="", flush=True)
        self.assertEqual(add(1, 2), 3)

    def test_adds_nothing(self):
        subprocess.run(["sh", "-c", "echo out; echo err >&2"])
        self.assertEqual(add(1, 0), 1)
`;
const honest = 'printf "def add(a, b):\\n    return a + b\\n" > add.py';

function pythonProject(deed: string, settings: Record<string, unknown> = {}): ScratchProject {
  const project = openProject({ isGit: true });
  project.write("add.py", "def add(a, b):\n    return a - b - 1\n");
  project.write("tests/__init__.py", "");
  project.write("tests/test_add.py", suite);
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "files");
  const guardrails = [{ command, failAction: "APPEND" }];
  project.claude(`${deed}\nclaim`, { guardrails, maximumIterations: 1, seal: { checks: "claims" }, ...settings });
  return project;
}

describe.skipIf(!hasPython)("a report that a runner prints on standard error", () => {
  it("is read from there alone: what the suite prints elsewhere does not stand in its lines", async () => {
    const { code, stderr } = await pythonProject(honest).run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("guardrail passed (sealed, 2 tests passed, ")]);
  });

  it("tells failed tests from those that pass", async () => {
    const deed = 'printf "def add(a, b):\\n    return 3\\n" > add.py';
    const { code, stderr } = await pythonProject(deed).run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("1 test passed, 1 failed")]);
  });

  it("leaves both outputs to a criterion that looks for a text", async () => {
    const project = pythonProject(honest, { guardrails: [] });
    const wanted = { output_contains: "Ran 2 tests", output_not_contains: "FAILED" };
    const coder = {
      promise: "DONE",
      verification_method: "external",
      verification_config: { command, ...wanted },
    };
    const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
    project.write("ralph/criteria.yaml", JSON.stringify(document));
    const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("completed: Claim accepted in iteration 1")]);
  });
});
