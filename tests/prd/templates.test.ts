import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isScaffoldPrd, isScaffoldTaskFile } from "../../src/core/prd/list/scaffold.ts";
import { readTaskFile } from "../../src/core/prd/list/read-task-file.ts";
import { readTemplate } from "../../src/shell/prd/folder/templates.ts";
import { patient } from "../patience.ts";

const root = join(import.meta.dirname, "../..");

describe("the templates", () => {
  it("are recognised as what nobody has filled in (S4-80, S4-82, S4-86)", () => {
    expect(isScaffoldTaskFile(readTemplate("tasks-template.json"))).toBe(true);
    expect(isScaffoldPrd(readTemplate("prd-template.md"))).toBe(true);
  });

  it.each([
    ["1. Summary", "Required: S, M, L."],
    ["2. Problem Statement", "Required: S, M, L."],
    ["3. Goals", "Required: M, L. Optional: S."],
    ["4. Non-Goals", "Required: M, L. Recommended: S."],
    ["5. Background & Context", "Recommended: M, L."],
    ["6. Technical Design", "Required: S, M, L."],
    ["7. Constraints", "Recommended: M, L."],
    ["8. Edge Cases & Error Handling", "Recommended: M, L."],
    ["9. Risks & Mitigations", "Recommended: M, L."],
    ["10. Open Questions", "Recommended: S, M, L."],
  ])("say of the section %s of a PRD: %s (S4-82)", (section, marks) => {
    const [, own = ""] = readTemplate("prd-template.md").split(`\n## ${section}\n`);
    expect(own.trim().replace(/^<!--\s+/, "")).toMatch(new RegExp(`^${marks.replaceAll(".", "\\.")} `));
  });

  it("have the tables, the tiers and the rules of a PRD (S4-82, S4-83)", () => {
    const prd = readTemplate("prd-template.md");
    for (const words of [
      "| Scenario | Trigger | Expected Behavior | Error |",
      "| Risk | Likelihood | Impact | Mitigation |",
      "S-Patch",
      "L-Epic",
      "never changes it",
      "Delete the sections and comments you do not need",
      "Two to four sentences",
      "Three to six results",
      "row-level security",
      "method, path, request and response as JSON, errors",
      "every story in every iteration",
      "strike\none through and add the answer",
    ])
      expect(prd).toContain(words);
  });

  it("say how to plan: both modes, the rules, a valid example, the phrases that call for it (S4-86, S4-87, S4-88)", () => {
    const plan = readTemplate("plan.md");
    const head = /^---\n([^]*?)\n---\n/.exec(plan)?.[1] ?? "";
    for (const phrase of [
      "/ralph-plan",
      "plan this feature for ralph",
      "create a ralph prd",
      "generate tasks for ralph",
    ])
      expect(head).toContain(phrase);
    for (const words of [
      "ralph prd init",
      "## Mode 1",
      "as many questions as it takes",
      "## Mode 2",
      "never rewrite it",
      "schema, then backend, then API, then frontend, then integration",
      "two or three sentences",
    ])
      expect(plan).toContain(words);
    for (const words of [
      "Ask only about what is ambiguous or missing",
      "when everything is clear, ask nothing",
      ...(readTemplate("prd-template.md").match(/(?<=^##+ )\d+[a-e]?\. .*$/gm) ?? []),
      "Scenario, Trigger, Expected Behavior, Error",
      "Risk, Likelihood, Impact, Mitigation",
      "in one context window",
    ])
      expect(plan).toContain(words);
    expect(plan.match(/^\d\. Show both files/gm)).toHaveLength(2);
    const example = /```json\n([^]*?)```/.exec(plan)?.[1] ?? "";
    expect(readTaskFile(example).problems).toBeUndefined();
  });

  it("are found by an installed package, which has nothing but its files (S4-01, S4-84)", () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-installed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
    const installed = join(folder, "lib/node_modules/ralph");
    for (const name of globSync([...manifest.files, "package.json"], { cwd: root }))
      cpSync(join(root, name), join(installed, name), { recursive: true });
    const output = execFileSync(process.execPath, [join(installed, "bin/ralph.js"), "prd", "init"], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, RALPH_STATE_HOME: join(folder, "state") },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: patient(30_000),
    });
    expect(output).toBe("ralph/prd.md\nralph/tasks.json\nralph/progress.txt\nralph/prompt.md\n");
    expect(readFileSync(join(folder, "ralph/prompt.md"), "utf8")).toBe(readTemplate("prompt.md"));
  });
});
