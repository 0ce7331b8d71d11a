import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll, openVerifyProject, standing } from "./verify-project.ts";

const honest = { answer: "42\n" };

describe("ralph verify", () => {
  it("verifies honest commits, and leaves work tree, index and references as they are", async () => {
    const project = openVerifyProject(honest);
    project.write("notes", "not committed\n");
    const before = standing(project);
    const { code, stdout, stderr } = await project.run(["verify", "main..topic"]);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("verified: "), expect.any(String)]);
    expect(stdout).toContain("passed  sh check.sh (sealed, evidence: exit code (weak)");
    expect(stdout).toContain(project.git("rev-parse", "topic^{tree}").trim());
    expect(standing(project)).toBe(before);
    expect(readdirSync(join(project.root, "tmp"))).toEqual([]);
    expect(project.living()).toEqual([]);
  });

  it.each([
    ["a weakened check", { "check.sh": "true\n" }],
    ["another contract in the candidate", { ".ralph/settings.json": '{ "guardrails": [{ "command": "true" }] }' }],
    [
      "a local contract in the candidate",
      { ".ralph/settings.local.json": '{ "guardrails": [{ "command": "true" }] }' },
    ],
  ])("refuses %s, with the reason", async (_, files) => {
    const project = openVerifyProject(files);
    const { code, stdout } = await project.run(["verify", "main..topic"], { env: { RALPH_GUARDRAILS: "[]" } });
    expect([code, stdout]).toEqual([1, expect.stringContaining('sh check.sh: "sh check.sh" exited with code 1.')]);
    expect(stdout).toContain("refused: tree");
  });

  it("takes no contract from settings.local.json of the base", async () => {
    const project = openVerifyProject({});
    project.git("checkout", "--quiet", "main");
    project.settings({ guardrails: [{ command: "true", failAction: "APPEND" }] }, "settings.local.json");
    commitAll(project, "local");
    expect((await project.run(["verify", "main..main"])).code).toBe(1);
  });

  it("leaves tests that changed with the code to a person, with exit code 3", async () => {
    const call = ["te", "st"].join("");
    const suite = (sum: number): string =>
      `import { test } from "node:test";\nimport assert from "node:assert";\nimport { add } from "../add.js";\n${call}("adds", () => assert.equal(add(1, 2), ${sum}));\n`;
    const project = openVerifyProject({}, { guardrails: [{ command: "node --test", failAction: "APPEND" }] });
    project.write("package.json", '{ "type": "module" }');
    for (const sum of [3, 4]) {
      project.write("add.js", `export const add = (a, b) => a + b + ${sum - 3};\n`);
      project.write("test/add.test.js", suite(sum));
      commitAll(project, `sum ${sum}`);
    }
    const { code, stdout } = await project.run(["verify", "topic~1..topic"]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("a person has to decide")]);
  });

  it("verifies what is staged against the last commit", async () => {
    const project = openVerifyProject({});
    project.write("answer", "42\n");
    expect((await project.run(["verify", "--staged"])).code).toBe(1);
    project.git("add", "answer");
    project.write("answer", "0\n");
    const before = standing(project);
    const { code, stdout } = await project.run(["verify", "--staged"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`tree ${project.git("write-tree").trim()}`)]);
    expect(standing(project)).toBe(before);
  });

  it.each([
    [["verify", "main..nowhere"], 'no commit "nowhere"'],
    [["verify"], "ralph verify main..HEAD"],
    [["verify", "main..topic", "--json", "--junit"], "exclude each other"],
    [["verify", "main..topic", "--step", "dance"], "--step takes tools"],
    [["verify", "main..topic", "--rerun"], "--rerun belongs to --check-receipt"],
    [["verify", "20200101-000000-none"], "20200101-000000-none"],
  ])("cannot verify with %j and says what to give", async (words, said) => {
    const { code, stderr } = await openVerifyProject(honest).run(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it("cannot verify by a base without any check, and names the command to add one", async () => {
    const { code, stderr } = await openVerifyProject(honest, null).run(["verify", "main..topic"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("There is nothing to verify with")]);
    expect(stderr).toContain("ralph init");
  });

  it("begins where the branch parted from the upstream's default branch", async () => {
    const project = openVerifyProject(honest);
    project.git("update-ref", "refs/remotes/origin/main", "main");
    const { code, stdout } = await project.run(["verify", "--json"]);
    const { verdict, base, candidate } = JSON.parse(stdout) as {
      verdict: string;
      base: { commit: string };
      candidate: { commit: string };
    };
    expect([code, verdict]).toEqual([0, "verified"]);
    expect(base.commit).toBe(project.git("rev-parse", "main").trim());
    expect(candidate.commit).toBe(project.git("rev-parse", "topic").trim());
  });

  it("prints the forms that others read", async () => {
    const project = openVerifyProject({ "check.sh": "true\n" });
    const forms = await Promise.all(
      ["--sarif", "--junit", "--markdown"].map((form) => project.run(["verify", "main..topic", form])),
    );
    expect(forms.map(({ code }) => code)).toEqual([1, 1, 1]);
    const [sarif, junit, markdown] = forms.map(({ stdout }) => stdout);
    expect(JSON.parse(sarif ?? "")).toMatchObject({ version: "2.1.0", runs: [{ results: [{ level: "error" }, {}] }] });
    expect(junit).toContain('<testcase classname="guardrail-1" name="sh check.sh"');
    expect(markdown).toMatch(/^### refused/);
  });
});
