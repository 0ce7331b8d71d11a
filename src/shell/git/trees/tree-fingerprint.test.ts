import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDisk } from "../../lib/disk.ts";
import type { Processes } from "../../ports.ts";
import { createProcesses } from "../../processes/processes.ts";
import { headCommit, lookAt, trackedChanges, treeFingerprint } from "./tree-fingerprint.ts";

const machine = { processes: createProcesses(), disk: createDisk(), env: { PATH: process.env["PATH"] ?? "" } };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-tree-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const git = (...args: string[]): string => {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  return execFileSync("git", ["-C", folder, ...identity, ...args], { encoding: "utf8" }).trim();
};

/** A repository with one commit. */
function openRepository(): void {
  git("init", "-q");
  write("a.txt", "one\n");
  write(".gitignore", "*.log\n");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
}

/** Whether doing this changes the fingerprint. */
async function check(act: () => void, isChanged: boolean): Promise<void> {
  const before = await treeFingerprint(lookAt(machine, folder));
  act();
  const now = await treeFingerprint(lookAt(machine, folder));
  expect(now !== before).toBe(isChanged);
}

describe("the fingerprint of a work tree", () => {
  it("stays the same while nothing changes, with or without a commit (R-16)", async () => {
    git("init", "-q");
    await check(() => {}, false);
    openRepository();
    await check(() => {}, false);
  });

  it("changes with a file, new or old, and with a commit alone (R-16)", async () => {
    openRepository();
    await check(() => write("a.txt", "two\n"), true);
    await check(() => write("b.txt", "new\n"), true);
    await check(() => git("add", "-A"), false);
    await check(() => git("commit", "-q", "-m", "more"), true);
  });

  it("is that of the content alone, where progress is meant: an empty commit is none (R-16)", async () => {
    openRepository();
    const content = () => treeFingerprint(lookAt(machine, folder), undefined, "content");
    const [commits, before] = [await treeFingerprint(lookAt(machine, folder)), await content()];
    git("commit", "-q", "--allow-empty", "-m", "empty");
    expect(await treeFingerprint(lookAt(machine, folder))).not.toBe(commits);
    expect(await content()).toBe(before);
    write("a.txt", "two\n");
    const changed = await content();
    expect(changed).not.toBe(before);
    git("commit", "-q", "-a", "-m", "more");
    expect(await content()).not.toBe(changed);
  });

  it("asks git neither for the tree of a commit that stays nor for the paths of its own index", async () => {
    openRepository();
    const asked: string[] = [];
    const processes: Processes = {
      ...machine.processes,
      start: (order) => {
        const last = order.argv.indexOf("maintenance.auto=false");
        asked.push(order.argv.slice(last + 1).join(" "));
        return machine.processes.start(order);
      },
    };
    const content = () => treeFingerprint(lookAt({ ...machine, processes }, folder), undefined, "content");
    expect(await content()).toBe(await content());
    expect(asked).toContain("write-tree --missing-ok");
    expect(asked.filter((words) => /^rev-parse|^ls-files -z$/.test(words))).toEqual([]);
  });

  it("does not change with ignored files or ralph's own logs", async () => {
    openRepository();
    mkdirSync(join(folder, ".ralph"));
    await check(() => write("build.log", "x"), false);
    await check(() => write(".ralph/guardrail_001_x.log.txt", "x"), false);
  });

  it("leaves the person's index as it was", async () => {
    openRepository();
    write("a.txt", "two\n");
    await treeFingerprint(lookAt(machine, folder));
    expect(git("status", "--porcelain")).toBe("M a.txt");
  });

  it("tells sizes and times of files outside git", async () => {
    write("a.txt", "one\n");
    await check(() => {}, false);
    await check(() => write("a.txt", "three\n"), true);
  });
});

describe("facts of a repository", () => {
  it("are the commit and the tracked changes", async () => {
    openRepository();
    expect(await headCommit(machine, folder)).toBe(git("rev-parse", "HEAD"));
    expect(await trackedChanges(machine, folder)).toEqual([]);
    write("new.txt", "new\n");
    write("a.txt", "two\n");
    expect(await trackedChanges(machine, folder)).toEqual([" M a.txt"]);
  });

  const start = (): never => {
    throw new Error("A process is started.");
  };
  const still = { ...machine, processes: { ...machine.processes, start } };

  it("start no process of git for the commit of a branch", async () => {
    openRepository();
    expect(await headCommit(still, folder)).toBe(git("rev-parse", "HEAD"));
  });

  it("have no commit before the first one, or where git sees no repository", async () => {
    git("init", "-q");
    expect(await headCommit(machine, folder)).toBeNull();
    openRepository();
    rmSync(join(folder, ".git/objects"), { recursive: true });
    expect(await headCommit(machine, folder)).toBeNull();
  });

  it("are nothing outside of one", async () => {
    expect(await headCommit(machine, folder)).toBeNull();
    expect(await trackedChanges(machine, folder)).toBeNull();
  });
});
