import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ScratchProject } from "../run/scratch-project.ts";
import { honest, sealedProject } from "./sealed-project.ts";

/** The tidy test looks for titles of tests, and these are data. */
const call = ["te", "st"].join("");

/** Adds a test to a project and commits it. */
function addTest(project: ScratchProject, name: string, body: string): void {
  project.write(
    `test/${name}.test.js`,
    `import { test } from "node:test";\nimport { readFileSync } from "node:fs";\n${call}("${name}", () => ${body});\n`,
  );
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", name);
}

it("does not start sealed where the base is red in other tests than in the project", async () => {
  const project = sealedProject(honest);
  project.write(".gitignore", "note.txt\n.ralph/\n");
  project.write("note.txt", "x");
  addTest(project, "note", 'readFileSync("note.txt")');
  const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Sealed checks do not work here")]);
  expect(stderr).toContain("note: failed in a sealed copy, passed in the tree");
  expect(stderr).toContain('"include": ["note.txt"]');
});

it("counts tests whose names vary from run to run", async () => {
  const project = sealedProject(honest, { seal: { checks: "claims", repeat: 1, probe: false } });
  addTest(project, "named", "0");
  project.write("test/named.test.js", project.read("test/named.test.js").replace('"named"', '"port " + Math.random()'));
  project.git("commit", "--all", "--quiet", "--message", "names");
  const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("sealed, 3 tests passed")]);
});

it("makes room for a folder that the suite of the base fills beside its tests, in later runs too", async () => {
  const project = sealedProject(honest);
  project.write(".gitignore", "test/out/\n.ralph/\n");
  const body = `(mkdirSync("test/out", { recursive: true }), writeFileSync("test/out/a.txt", ""))`;
  addTest(project, "writes", body);
  project.write(
    "test/writes.test.js",
    project.read("test/writes.test.js").replace("{ readFileSync }", "{ mkdirSync, writeFileSync }"),
  );
  project.git("commit", "--all", "--quiet", "--message", "writes");
  const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("sealed, 3 tests passed")]);
  expect(stderr).toContain("fills test/out: once more with room for that");
  const again = await project.run(["run", "-p", "Repair add.", "--allow-dirty"]);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("calibrated on ")]);
  expect(again.stderr).toContain("sealed, 3 tests passed");
});

it("leaves the user's options to the runner in the project, as without a seal", async () => {
  const project = sealedProject(honest);
  addTest(project, "options", 'readFileSync(process.env.NODE_OPTIONS.includes("--no-warnings") ? "add.js" : "none")');
  const { code, stderr } = await project.run(["run", "-p", "Repair add."], {
    env: { NODE_OPTIONS: "--no-warnings" },
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("options: failed in a sealed copy, passed in the tree")]);
});

it("starts the next run without a calibration, until a test changes or what was kept is broken", async () => {
  const project = sealedProject("true", { guardrails: [{ command: "ls test", failAction: "APPEND" }] });
  const start = async (): Promise<string> => {
    const { code, stderr } = await project.run(["run", "-p", "Do it."]);
    expect(code).toBe(0);
    return stderr;
  };
  expect(await start()).toContain("calibrating: ls test in the project");
  project.write("add.js", "export const add = (a, b) => a + b;\n");
  const second = await start();
  expect(second).toMatch(/calibrated on \d{4}-/);
  expect(second).not.toContain("calibrating:");
  expect(second).toContain("guardrail passed (sealed");
  addTest(project, "more", "0");
  expect(await start()).toContain("calibrating: ls test in a sealed copy");
  const folder = join(project.root, "state", "calibrations");
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
  const fourth = await start();
  expect(fourth).toContain("A calibration could not be read; it is kept as");
  expect(fourth).toContain("calibrating: ls test in the project");
});
