import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures", "tasks");

/** A project with both tasks as another program wrote them. */
async function openNotes(): Promise<ScratchProject> {
  const project = openProject();
  for (const name of ["whole-task.yaml", "task-dictionary.json"])
    copyFileSync(join(fixtures, name), join(project.directory, name));
  const imported = await project.run(["task", "import", "whole-task.yaml", "task-dictionary.json"]);
  expect(imported).toMatchObject({ code: 0, stdout: "Added: NOTE-001, NOTE-002\n" });
  expect(imported.stderr).toBe(
    "ralph: task-dictionary.json: task NOTE-002 has fields that ralph keeps and does not use: status, created_at, updated_at, iteration, points.\n",
  );
  return project;
}

describe("tasks in the form of another program", () => {
  it("are imported as they are written, and shown with all of their fields (S2-05, S2-51)", async () => {
    const project = await openNotes();
    const whole = await project.run(["task", "show", "NOTE-001"]);
    for (const words of [
      "Spec: notes-feature",
      "coder: <promise>NOTES_WRITTEN</promise>, at most 15 iterations",
      'semantic: a judge looks for\n      - no absolute paths\n      - every error has a message\n      - not "',
      'external: sh tests/notes.sh (output has no "FAILED")',
      "multi_stage: 3 stages",
    ])
      expect(whole.stdout).toContain(words);
    const other = await project.run(["task", "show", "NOTE-002"]);
    expect(other.stdout).toContain("Status: waits for NOTE-001\n");
    expect(other.stdout).toContain("Other fields of its file, kept and not used:\n  status: in_progress\n");
    expect(other.stdout).toContain("  iteration: 3\n  points: 5\n");
  });

  it("are not believed to be further than ralph has seen, and are exported with what was kept (S2-05)", async () => {
    const project = await openNotes();
    expect(await project.json(["task", "show", "NOTE-002"])).toMatchObject({
      status: "ready",
      iteration: 0,
      assignee: null,
      other: { status: "in_progress", iteration: 3, points: 5 },
    });
    const exported = await project.run(["task", "show", "--format", "yaml"]);
    expect(exported.stdout).toContain("status: in_progress");
    project.write("again.yaml", exported.stdout);
    const again = await project.run(["task", "import", "again.yaml"]);
    expect(again).toMatchObject({ code: 0, stdout: "Already there, unchanged: NOTE-001, NOTE-002\n" });
    expect((await project.run(["task", "edit", "NOTE-002", "--priority", "1"])).code).toBe(0);
    expect(await project.json(["task", "show", "NOTE-002"])).toMatchObject({ priority: 1, other: { points: 5 } });
  });

  it("are refused when a field that decides what done means is misspelt (S2-50)", async () => {
    const project = openProject();
    const stdin = "task:\n  id: a\n  title: A\n  completion_sepc:\n    outcome: x\n    acceptance_criteria: [y]\n";
    const { code, stderr } = await project.run(["task", "import", "-"], { stdin });
    expect(code).toBe(2);
    expect(stderr).toContain('task a: completion_sepc: unknown key "completion_sepc"; did you mean "completion_spec"?');
  });
});
