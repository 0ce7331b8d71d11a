import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { launcher, openProject, type ScratchProject } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "./open-terminal.ts";

const yaml = "id: a\ntitle: Old\ncompletion: {outcome: It works, acceptance_criteria: [A test passes]}\n";

function startTerminal(project: ScratchProject, words: string[], env: Record<string, string> = {}): Terminal {
  return openTerminal({
    folder: project.root,
    cwd: project.directory,
    argv: [process.execPath, launcher, "task", ...words],
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: join(project.root, "home"),
      TMPDIR: join(project.root, "tmp"),
      RALPH_STATE_HOME: join(project.root, "state"),
      ...env,
    },
    columns: 200,
  });
}

/** A stored task, opened in an editor that is a line of shell. */
async function startEdit(body: string): Promise<{ project: ScratchProject; terminal: Terminal }> {
  const project = openProject();
  await project.run(["task", "import", "-"], { stdin: yaml });
  const editor = join(project.root, "editor");
  writeFileSync(editor, `#!/bin/sh\n${body}\n`);
  chmodSync(editor, 0o755);
  return { project, terminal: startTerminal(project, ["edit", "a"], { EDITOR: editor }) };
}

describe.skipIf(!hasTmux)("ralph task in a terminal", () => {
  it("opens the definition as YAML in the editor and stores a new version (S2-06)", async () => {
    const { project, terminal } = await startEdit(`sed -i.old 's/^title: Old/title: New/' "$1"`);
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.screen()).toContain("Task a has version 2 now.");
    expect(await project.json(["task", "show", "a"])).toMatchObject({ title: "New", version: 2 });
  });

  it("stores nothing that is wrong, and keeps the text a person wrote (S2-50)", async () => {
    const { project, terminal } = await startEdit(`sed -i.old 's/^title: Old/title:/' "$1"`);
    expect(await terminal.exitCode()).toBe(2);
    const path = /Your text is kept in (\S+);/.exec(terminal.screen())?.[1] ?? "";
    expect(existsSync(path)).toBe(true);
    expect(terminal.screen()).toContain("title");
    expect(await project.json(["task", "show", "a"])).toMatchObject({ title: "Old", version: 1 });
  });

  it("leaves Ctrl-C to the editor, and stores what that wrote", async () => {
    const write = `sed -i.old 's/^title: Old/title: New/' "$1"`;
    const { terminal } = await startEdit(
      `trap "$(cat <<'END'\n${write}; exit 0\nEND\n)" INT; printf 'Edit: '; read word`,
    );
    await terminal.endsWith("Edit: ");
    terminal.press("C-c");
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.screen()).toContain("Task a has version 2 now.");
  });

  it("leaves the task as it was when nothing was changed", async () => {
    const { project, terminal } = await startEdit("true");
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.screen()).toContain("Task a is as it was.");
    expect(await project.json(["task", "show", "a"])).toMatchObject({ version: 1 });
  });

  it("ends with 130 and stores nothing after Ctrl-C instead of an answer", async () => {
    const project = openProject();
    project.write("spec.md", "Shop");
    project.plainAgent(`cat <<'END'\n${yaml}END`);
    const terminal = startTerminal(project, ["generate", "-f", "spec.md"]);
    await terminal.endsWith("Store this task? (y/N): ");
    terminal.press("C-c");
    expect(await terminal.exitCode()).toBe(130);
    expect(await project.json(["task", "list"])).toEqual({ tasks: [] });
  });

  it.each([
    ["y", ["a"]],
    ["", []],
  ])("asks before it stores generated tasks: %j (S2-56)", async (answer, ids) => {
    const project = openProject();
    project.write("spec.md", "Shop");
    project.plainAgent(`cat <<'END'\n${yaml}END`);
    const terminal = startTerminal(project, ["generate", "-f", "spec.md"]);
    await terminal.answer("Store this task? (y/N): ", answer);
    expect(await terminal.exitCode()).toBe(0);
    const { tasks } = await project.json(["task", "list"]);
    expect((tasks as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });
});
