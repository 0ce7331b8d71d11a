import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchTask } from "../../../../tests/bus/scratch-task.ts";
import { createDisk } from "../../lib/disk.ts";
import { ensureOutput } from "./ensure-output.ts";
import { type RunFolder, runFolderOf } from "./task-folder.ts";

const disk = createDisk();

function scratchRun(stdout: string | null): RunFolder {
  const folder = runFolderOf(scratchTask(), "r-1");
  mkdirSync(folder.path, { recursive: true });
  if (stdout !== null) writeFileSync(folder.stdoutFile, stdout);
  return folder;
}

describe("the output.md of a run", () => {
  it("is the agent's own when it wrote one", async () => {
    const folder = scratchRun("printed");
    writeFileSync(folder.outputFile, "own");
    expect(await ensureOutput(folder, "parsed", disk)).toBe("agent");
    expect(readFileSync(folder.outputFile, "utf8")).toBe("own");
  });

  it("is the parsed text, else what was printed, else empty; it always is there", async () => {
    const [parsed, printed, silent] = [scratchRun("printed"), scratchRun("printed"), scratchRun(null)];
    writeFileSync(parsed.outputFile, "");
    expect(await ensureOutput(parsed, "text", disk)).toBe("parsed");
    expect(readFileSync(parsed.outputFile, "utf8")).toBe("text");
    expect(await ensureOutput(printed, " \n", disk)).toBe("stdout");
    expect(readFileSync(printed.outputFile, "utf8")).toBe("printed");
    expect(await ensureOutput(silent, null, disk)).toBe("stdout");
    expect(readFileSync(silent.outputFile, "utf8")).toBe("");
  });

  it("is never written through a link the agent left", async () => {
    const folder = scratchRun("printed");
    const victim = join(folder.path, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, folder.outputFile);
    await ensureOutput(folder, null, disk);
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readFileSync(folder.outputFile, "utf8")).toBe("printed");
  });
});
