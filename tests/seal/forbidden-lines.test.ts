import { describe, expect, it } from "vitest";
import type { ScratchProject } from "../run/scratch-project.ts";
import { sealedProject } from "./sealed-project.ts";

/** A linter of one rule, which a comment switches off as usual. */
const linter = `import { readFileSync } from "node:fs";
const lines = readFileSync("add.js", "utf8").split("\\n");
process.exit(lines.some((line) => /var /.test(line) && !line.includes("eslint-disable-line")) ? 1 : 0);
`;
const silenced = 'printf "var add = (a, b) => a + b; // eslint-disable-line\\nexport { add };\\n" > add.js';

function lintedProject(deed: string, seal: Record<string, unknown> = {}): ScratchProject {
  const guardrails = [{ command: "npm run lint", failAction: "APPEND" }];
  const project = sealedProject(deed, { guardrails, seal: { checks: "claims", ...seal } });
  const scripts = { test: "node --test", lint: "node eslint.js" };
  project.write("package.json", JSON.stringify({ name: "p", type: "module", scripts }));
  project.write("eslint.js", linter);
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "linter");
  return project;
}

describe("an added line that switches a check off", () => {
  it("refuses the claim, and its place is named to the agent", async () => {
    const project = lintedProject(silenced);
    const { code, stderr } = await project.run(["run", "-p", "Repair add.", "-m", "2"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("The last claim was refused")]);
    expect(project.prompts()[1]).toContain("Added lines switch a check off: add.js:1 (eslintDisable).");
  });

  it("is accepted where the setting says so, and so is work without one", async () => {
    const allowed = lintedProject(silenced, { forbid: { eslintDisable: false } });
    expect((await allowed.run(["run", "-p", "Repair add."])).code).toBe(0);
    const clean = lintedProject('printf "export const add = (a, b) => a + b;\\n" > add.js');
    expect((await clean.run(["run", "-p", "Repair add."])).code).toBe(0);
  });
});
