import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWork } from "./open-work.ts";

const fixture = join(import.meta.dirname, "..", "fixtures", "tasks", "jwt.yaml");

/** One lie a role: each claims in its first turn what it has done only in its second. */
const script = `
answer: "NOT_VERIFIED: all verified except x"
turns:
  - when: "Everything was read line by line"
    steps: [ { say: "VERIFIED: every criterion holds" } ]
  - when: |-
      - **Iteration**: 1/20
      - **Agent**: coder
    steps: [ { say: Done at once. }, { edit: { file: login.txt, content: "wrong" } }, { lie: JWT_IMPLEMENTED } ]
  - when: "**Agent**: coder"
    steps: [ { edit: { file: login.txt, content: "token" } }, { run: npm test }, { claim: JWT_IMPLEMENTED } ]
  - when: |-
      - **Iteration**: 1/5
      - **Agent**: reviewer
    steps: [ { say: Looks good. }, { lie: JWT_REVIEWED } ]
  - when: "**Agent**: reviewer"
    steps: [ { say: Everything was read line by line. }, { claim: JWT_REVIEWED } ]
  - when: |-
      - **Iteration**: 1/10
      - **Agent**: tester
    steps: [ { edit: { file: count.txt, content: "0 passed" } }, { lie: JWT_TESTED } ]
  - when: "**Agent**: tester"
    steps: [ { edit: { file: count.txt, content: "4 passed" } }, { claim: JWT_TESTED } ]
  - when: |-
      - **Iteration**: 1/5
      - **Agent**: qa
    steps: [ { say: I trust the others. }, { lie: JWT_ACCEPTED } ]
  - when: "**Agent**: qa"
    steps: [ { say: Everything was read line by line. }, { claim: JWT_ACCEPTED } ]
`;

it("takes the document's task through four roles, refuses a lie of each, and shows every verdict (S2-14, S2-19, S2-51, CB-07)", async () => {
  const work = openWork();
  work.write("package.json", JSON.stringify({ name: "shop", version: "1.0.0", scripts: { test: "sh test.sh" } }));
  work.write("test.sh", "cat count.txt 2>/dev/null; grep -q token login.txt\n");
  work.git("add", "--all", "--", "package.json", "test.sh");
  work.git("commit", "--quiet", "--message", "project");
  work.sim(script);
  copyFileSync(fixture, join(work.root, "jwt.yaml"));
  expect((await work.run(["task", "import", "../jwt.yaml"])).code).toBe(0);
  const { code, stderr } = await work.run(["work", "auth-001"]);
  expect(stderr).toContain("Task auth-001: done");
  expect(code).toBe(0);
  expect((await work.standing())["auth-001"]).toBe("done qa 1, 8 iterations");
  const { stdout } = await work.run(["show", "auth-001"]);
  const evidence = [
    "Command exited with 1, expected 0",
    "all verified except x",
    "Output contains forbidden: 0 passed",
    "Stage 'acceptance' failed",
    "External verification passed",
    "every criterion holds",
  ];
  for (const text of evidence) expect(stdout).toContain(text);
  expect((await work.run(["task", "show", "auth-001"])).stdout).toBe(stdout);
  const shown = (await work.json(["show", "auth-001"])) as { runs: { role: string; verificationResults: object[] }[] };
  expect(shown.runs.map(({ role }) => role)).toEqual(["coder", "reviewer", "tester", "qa"]);
  for (const { verificationResults } of shown.runs)
    expect(verificationResults).toMatchObject([
      { iteration: 1, promise_found: true, verified: false },
      { iteration: 2, promise_found: true, verified: true },
    ]);
});
