import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDisk } from "../../lib/disk.ts";
import { findFormerActiveFile, openActiveFile } from "./active-file.ts";

const disk = createDisk();
const loop = {
  timestamp: "2026-11-15T20:00:00.000Z",
  max_iterations: 15,
  mode: "direct" as const,
  skipReview: false,
  reviewCap: 5,
  iterationMode: null,
  preIterationSnapshot: {},
  run: "run",
  ralphDir: "ralph",
  dirtyAtStart: {},
};

function openProject(): { directory: string; path: string; outside: string } {
  const root = mkdtempSync(join(tmpdir(), "ralph-active-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, "project");
  mkdirSync(directory);
  return { directory, path: join(directory, ".ralph-active"), outside: join(root, "outside") };
}

describe(".ralph-active of a loop", () => {
  it("is removed by its owner alone (S4-90, R-25)", async () => {
    const { directory, path } = openProject();
    const [mine, other] = [openActiveFile(disk, directory, 10), openActiveFile(disk, directory, 20)];
    await mine.write(loop);
    other.remove();
    expect(findFormerActiveFile(disk, directory)).toEqual({ pid: 10 });
    mine.remove();
    expect(disk.look(path)).toBeNull();
    expect(findFormerActiveFile(disk, directory)).toBeNull();
  });

  it.each([
    ["deleted", (path: string) => rmSync(path)],
    ["edited", (path: string) => writeFileSync(path, '{"pid": 1}')],
    ["a folder now", (path: string) => (rmSync(path), mkdirSync(path))],
    ["a link now", (path: string) => (rmSync(path), symlinkSync("/etc/hostname", path))],
  ])("is written anew when it is %s (R-102)", async (_, change) => {
    const { directory, path } = openProject();
    const active = openActiveFile(disk, directory, 10);
    await active.write(loop);
    const written = readFileSync(path, "utf8");
    expect(await active.mend()).toBeNull();
    change(path);
    expect(await active.mend()).toContain(".ralph-active was");
    expect(readFileSync(path, "utf8")).toBe(written);
    expect(disk.look(path)?.kind).toBe("file");
  });

  it("is gone, and blames nobody, when a full disk does not take it (R-102)", async () => {
    const { directory, path } = openProject();
    await openActiveFile(disk, directory, 10).write(loop);
    const full = { ...disk, writeAtomic: () => Promise.reject(new Error("ENOSPC")) };
    const active = openActiveFile(full, directory, 20);
    await expect(active.write(loop)).rejects.toThrow("ENOSPC");
    expect(disk.look(path)).toBeNull();
    expect(await active.mend()).toBeNull();
  });

  it("is never written through a link", async () => {
    const { directory, path, outside } = openProject();
    writeFileSync(outside, "precious");
    symlinkSync(outside, path);
    await openActiveFile(disk, directory, 10).write(loop);
    expect(readFileSync(outside, "utf8")).toBe("precious");
  });
});
