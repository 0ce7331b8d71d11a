import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { createDisk } from "../../src/shell/lib/disk.ts";
import type { Artefact, Artefacts } from "../../src/shell/ports.ts";
import { createFileArtefacts } from "../../src/shell/stores/file-artefacts.ts";
import { createMemoryArtefacts, type MemoryFiles } from "../../src/shell/stores/memory/memory-artefacts.ts";
import { describeArtefactsContract } from "./artefacts-contract.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-artefacts-"));
  folders.push(folder);
  return folder;
}

function filesIn(folder: string): Artefacts {
  return createFileArtefacts({ folder, disk: createDisk() });
}

describeArtefactsContract("memory", () => {
  const files: MemoryFiles = new Map();
  return () => createMemoryArtefacts(files);
});
describeArtefactsContract("file", () => {
  const folder = newFolder();
  return () => filesIn(folder);
});

it("keeps files where people know them, for the user alone (R-62)", async () => {
  const folder = newFolder();
  const artefacts = filesIn(folder);
  const expected: [Artefact, string][] = [
    [{ runId: "r1", kind: "stream", name: "7" }, "streams/r1/turn-7.log"],
    [{ runId: "r1", kind: "usage", name: "7" }, "streams/r1/turn-7.log.usage"],
    [{ runId: "r1", kind: "turn-text", name: "2" }, "streams/r1/text-2.txt"],
    [{ runId: "r1", kind: "delivery", name: "2" }, "streams/r1/delivery-2.json"],
    [{ runId: "r1", kind: "receipt", name: "1" }, "streams/r1/receipt-1.json"],
    [{ runId: "r1", kind: "answer", name: "r1.9" }, "streams/r1/answer-r1.9.txt"],
    [{ runId: "r1", kind: "check", name: "coder/001_make" }, "runs/r1/checks/coder/001_make.log"],
  ];
  for (const [artefact, path] of expected) {
    expect(artefacts.localPath(artefact)).toBe(join(folder, path));
    if (artefact.kind === "stream" || artefact.kind === "check")
      await artefacts.append(artefact, 100, "replace").close();
    else await artefacts.put(artefact, "x");
    const modes = [join(folder, path), dirname(join(folder, path))].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700]);
  }
});

it("never shows half of what another process puts, also when that one is killed (R-40)", async () => {
  const folder = newFolder();
  const script = fileURLToPath(new URL("artefacts-writer.ts", import.meta.url));
  const writer = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(writer, "close");
  try {
    await once(writer.stdout, "data");
    const artefact: Artefact = { runId: "a", kind: "turn-text", name: "1" };
    for (let count = 0; count < 30; count += 1)
      expect(await filesIn(folder).read(artefact)).toMatch(/^(?:x{300000}|y{300000})$/);
    writer.kill("SIGKILL");
    await closed;
    expect(await filesIn(folder).read(artefact)).toMatch(/^(?:x{300000}|y{300000})$/);
    expect(await filesIn(folder).list("a", "turn-text")).toEqual(["1"]);
    await filesIn(folder).remove("a");
    expect(readdirSync(join(folder, "streams"))).toEqual([]);
  } finally {
    writer.kill("SIGKILL");
    await closed;
  }
});
