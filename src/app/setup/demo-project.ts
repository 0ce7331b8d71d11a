/** What the demo asks for. */
export const demoPrompt = "Make the tests pass: add(2, 3) must be 5. Commit your work.";

/** Applied only to the scratch repository, so that its commits need no setup and no signing key. */
export const demoGitConfig: Readonly<Record<string, string>> = {
  "user.name": "Demo",
  "user.email": "demo@example.invalid",
  "commit.gpgsign": "false",
};

const readme = `# add

One function, one bug, one failing test. The demo's agent claims to be done before it is; the guardrail does not agree.
`;

const packageJson = `{ "name": "ralph-demo", "private": true, "type": "module", "scripts": { "test": "node --test" } }
`;

const addSource = `export function add(first, second) {
  return first - second;
}
`;

const addTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../src/add.js";

test("add(2, 3) is 5", () => {
  assert.equal(add(2, 3), 5);
});
`;

const settings = `{
  "maximumIterations": 5,
  "agent": { "command": "sim", "flags": ["--script", ".ralph/sim.yaml"] },
  "guardrails": [
    { "command": "node --test", "failAction": "APPEND", "hint": "Fix the code, not the test." }
  ]
}
`;

const script = `# What the scripted agent does, turn by turn. Try other steps: see docs/sim.md.
turns:
  # Turn 1 looks, changes nothing and claims to be done. The guardrail finds out.
  - - think: The function looks simple enough.
    - run: cat src/add.js
    - say: I read src/add.js. It adds two numbers, so everything is fine.
    - lie
  # Turn 2 has the guardrail's output in its prompt and does the work.
  - - say: The test fails because add subtracts. I will fix it.
    - edit: { file: src/add.js, find: first - second, replace: first + second }
    - run: node --test
    - run: git commit -qam "Add instead of subtracting"
    - claim
`;

/** The files of the demo's scratch repository by path. The script is in a place that git ignores. */
export const demoFiles: Readonly<Record<string, string>> = {
  "README.md": readme,
  "package.json": packageJson,
  "src/add.js": addSource,
  "test/add.test.js": addTest,
  ".ralph/.gitignore": "*\n!settings.json\n!.gitignore\n",
  ".ralph/settings.json": settings,
  ".ralph/sim.yaml": script,
};
