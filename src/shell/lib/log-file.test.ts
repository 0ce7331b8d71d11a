import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { createLogFile, readLogFile } from "./log-file.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-log-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const newPath = (): string => join(folder, "logs", `log-${count++}`);

async function read(path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readLogFile(path)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("latin1");
}

async function check(
  given: { chunks: string[]; keepBytesMax: number },
  expected: { kept: string; droppedBytes: number },
): Promise<void> {
  const path = newPath();
  const log = createLogFile(path, given.keepBytesMax);
  for (const chunk of given.chunks) await log.write(Buffer.from(chunk));
  const bytes = given.chunks.join("").length;
  expect(await log.close()).toEqual({ bytes, droppedBytes: expected.droppedBytes, problem: null });
  expect(await read(path)).toBe(expected.kept);
}

it("keeps everything that fits, whatever the chunks", async () => {
  await check({ chunks: [], keepBytesMax: 16 }, { kept: "", droppedBytes: 0 });
  await check({ chunks: ["abc", "", "def"], keepBytesMax: 16 }, { kept: "abcdef", droppedBytes: 0 });
  await check({ chunks: ["0123456789abcdef"], keepBytesMax: 16 }, { kept: "0123456789abcdef", droppedBytes: 0 });
});

it("keeps the head and the newest tail, in order (S1-71)", async () => {
  await check({ chunks: ["0123456789abcdefg"], keepBytesMax: 16 }, { kept: "01234567cdefg", droppedBytes: 4 });
  const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz".split("");
  await check({ chunks: alphabet, keepBytesMax: 16 }, { kept: "01234567stuvwxyz", droppedBytes: 20 });
});

it("is for its owner alone where it is private, with every part and folder of it", async () => {
  const path = join(folder, "private", "inner", "log");
  const log = createLogFile(path, 8, "private");
  await log.write(Buffer.from("0123456789"));
  await log.close();
  const modes = [join(folder, "private"), dirname(path), path, `${path}.tail-a`].map(
    (each) => statSync(each).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});

it("never takes more room on disk than it may", async () => {
  const path = newPath();
  const log = createLogFile(path, 1_000_000);
  for (let index = 0; index < 100; index += 1) await log.write(Buffer.alloc(77_777, index));
  const sizes = ["", ".tail-a", ".tail-b"].map((suffix) => statSync(path + suffix).size);
  const { bytes, droppedBytes } = await log.close();
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(1_000_000);
  expect((await read(path)).length).toBe(bytes - droppedBytes);
});

it("removes the tails of an older log of that name", async () => {
  const path = newPath();
  await createLogFile(path, 8).close();
  writeFileSync(`${path}.tail-a`, "stale");
  const log = createLogFile(path, 8);
  await log.write(Buffer.from("new"));
  await log.close();
  expect(existsSync(`${path}.tail-a`)).toBe(false);
  expect(await read(path)).toBe("new");
});

it("has what was written on disk without being closed", async () => {
  const path = newPath();
  const log = createLogFile(path, 1_000);
  await log.write(Buffer.from("a line\n"));
  await vi.waitFor(() => expect(readFileSync(path, "utf8")).toBe("a line\n"));
  await log.close();
});

it("has handed over every chunk when its write returns, so that none waits in memory", async () => {
  const path = newPath();
  const log = createLogFile(path, 64 * 1024 * 1024);
  for (let index = 1; index <= 100; index += 1) {
    expect(log.write(Buffer.alloc(65_536))).toBeUndefined();
    expect(statSync(path).size).toBe(index * 65_536);
  }
  expect(await log.close()).toMatchObject({ bytes: 6_553_600, droppedBytes: 0 });
});

it("remembers a fault instead of throwing, and goes on taking output", async () => {
  const path = newPath();
  writeFileSync(join(folder, "a-file"), "");
  const log = createLogFile(join(folder, "a-file", "log"), 1_000);
  for (let index = 0; index < 200; index += 1) await log.write(Buffer.alloc(65_536));
  const end = await log.close();
  expect(end).toMatchObject({ bytes: 13_107_200, droppedBytes: 13_107_200 });
  expect(end.problem).toContain("EEXIST");
  expect(existsSync(path)).toBe(false);
});

it.skipIf(!existsSync("/dev/full"))("names a full disk as the reason", async () => {
  const log = createLogFile("/dev/full", 1_000);
  await log.write(Buffer.from("lost"));
  const end = await log.close();
  expect(end).toMatchObject({ bytes: 4, droppedBytes: 4 });
  expect(end.problem).toContain("ENOSPC");
});

it.each([
  ["a link", symlinkSync],
  ["a second name", linkSync],
])("writes a file of its own where %s to another file was planted (S1-54)", async (_, plant) => {
  const path = newPath();
  const victim = join(folder, `victim-${count++}`);
  writeFileSync(victim, "precious");
  mkdirSync(join(folder, "logs"), { recursive: true });
  for (const each of [path, `${path}.tail-a`]) plant(victim, each);
  const log = createLogFile(path, 8);
  await log.write(Buffer.from("0123456789"));
  await log.close();
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(readFileSync(path, "utf8")).toBe("0123");
});
