import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createProcesses } from "../processes/processes.ts";
import { editText } from "./edit-text.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function editor(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-editor-"));
  folders.push(folder);
  const path = join(folder, "editor");
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("an editor", () => {
  const edit = (env: Record<string, string>) =>
    editText("one\n", { fileName: "a.yaml", env, processes: createProcesses() });

  it("gets its flags and the file, and what it leaves stays until it is discarded", async () => {
    const edited = await edit({ EDITOR: `${editor('[ "$1" = --wait ] && echo two >> "$2"')} --wait` });
    expect(edited.text).toBe("one\ntwo\n");
    expect(edited.path).toMatch(/a\.yaml$/);
    expect(existsSync(edited.path)).toBe(true);
    await edited.discard();
    expect(existsSync(edited.path)).toBe(false);
  });

  it("that fails or is not there changes nothing", async () => {
    await expect(edit({ EDITOR: editor("exit 3") })).rejects.toThrow("ended with exit code 3; nothing was changed");
    await expect(edit({ VISUAL: "/nowhere/editor" })).rejects.toThrow("cannot be started");
  });
});
