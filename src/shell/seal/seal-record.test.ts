import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createDisk } from "../lib/disk.ts";
import { readSeal, type SealRecord, writeSeal } from "./seal-record.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-seal-record-"));
afterAll(() => rmSync(folder, { recursive: true }));
const disk = createDisk();

const record: SealRecord = {
  version: 1,
  base: "a".repeat(40),
  history: { head: null, branch: "main", isShallow: false, tags: {} },
  directory: "",
  commands: ["npm test"],
  named: [],
  path: "/usr/bin",
  tools: [],
  dependencies: { key: "", folders: [] },
  include: {},
  contractHash: "c",
  checks: [],
};

it("is kept for its owner alone and read again by its hash", async () => {
  const hash = await writeSeal(disk, folder, record);
  expect(await readSeal(disk, folder, hash)).toEqual(record);
  expect(statSync(join(folder, "seal.json")).mode & 0o777).toBe(0o600);
});

it("is refused when it was changed or removed since the run began", async () => {
  const hash = await writeSeal(disk, folder, record);
  const path = join(folder, "seal.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("npm test", "true"));
  await expect(readSeal(disk, folder, hash)).rejects.toThrow("The seal was changed since the run began.");
  rmSync(path);
  await expect(readSeal(disk, folder, hash)).rejects.toThrow("The seal was changed since the run began.");
});
