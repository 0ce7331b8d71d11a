import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createDisk } from "../lib/disk.ts";
import {
  type CalibrationFacts,
  calibrationKey,
  isLasting,
  keepCalibration,
  readCalibration,
} from "./kept-calibration.ts";
import type { CheckBase } from "./seal-record.ts";

const tool = { name: "node", path: "/usr/bin/node", file: "/usr/bin/node", hash: "aa", stamp: "1 2 3" };
const test = { path: "test/a.test.js", mode: "100644", object: "1", protection: "test", from: "base" } as const;
const code = { path: "a.js", mode: "100644", object: "2", protection: null, from: "candidate" } as const;
const lock = { path: "package-lock.json", mode: "100644", object: "3", protection: null, from: "candidate" } as const;
const manifest = { path: "package.json", mode: "100644", object: "4", protection: null, from: "merged" } as const;

const facts: CalibrationFacts = {
  project: "/p",
  directory: "",
  commands: ["npm test"],
  contractHash: "c",
  dependencies: { key: "d", folders: [] },
  include: { ".env.test": "e" },
  path: "/usr/bin",
  tools: [tool],
  isolation: "namespace",
  files: [test, code, lock, manifest],
};

describe("the key of a calibration", () => {
  const own = calibrationKey(facts);

  it.each<[string, Partial<CalibrationFacts>]>([
    ["another contract", { contractHash: "x" }],
    ["another project", { project: "/q" }],
    ["a changed test", { files: [{ ...test, object: "x" }, code, lock, manifest] }],
    ["a test that is gone", { files: [code, lock, manifest] }],
    ["another lock file", { files: [test, code, { ...lock, object: "x" }, manifest] }],
    ["another manifest", { files: [test, code, lock, { ...manifest, object: "x" }] }],
    ["another program", { tools: [{ ...tool, hash: "bb" }] }],
    ["other packages", { dependencies: { key: "x", folders: [] } }],
    ["another included file", { include: { ".env.test": "x" } }],
    ["another search path", { path: "/bin" }],
    ["another isolation", { isolation: "copy" }],
  ])("differs with %s", (_, over) => expect(calibrationKey({ ...facts, ...over })).not.toBe(own));

  it("stays the same with other code, and with a program that was only touched", () => {
    const files = [test, { ...code, object: "x" }, lock, manifest];
    expect(calibrationKey({ ...facts, files, tools: [{ ...tool, stamp: "4 5 6" }] })).toBe(own);
  });
});

describe("a kept calibration", () => {
  const folder = mkdtempSync(join(tmpdir(), "calibrations-"));
  const place = { disk: createDisk(), folder };
  const names = (): string[] => readdirSync(join(folder, "calibrations"));
  afterEach(() => rmSync(join(folder, "calibrations"), { recursive: true, force: true }));
  const tests = [{ file: null, suite: "", name: "a", status: "passed" as const }];
  const base: CheckBase = { command: "x", exitCode: 1, durationMs: 5, tests, isListening: true, deaf: ["b"] };

  it("is read as it was kept, by its key, and is for its owner alone", async () => {
    await keepCalibration(place, { key: "k", at: 7, checks: [base] });
    const { kept, problem } = await readCalibration(place, "k");
    expect([kept, problem]).toEqual([{ version: 1, key: "k", at: 7, checks: [base] }, null]);
    expect(statSync(join(folder, "calibrations", "k.json")).mode & 0o077).toBe(0);
    expect(await readCalibration(place, "other")).toEqual({ kept: null, problem: null });
  });

  it.each([
    "",
    "{",
    "[]",
    '{"version":2,"key":"k","at":1,"checks":[]}',
    '{"version":1,"key":"other","at":1,"checks":[]}',
    '{"version":1,"key":"k","at":1,"checks":[{"command":"x"}]}',
  ])("that is broken is put aside and not used: %s", async (content) => {
    await keepCalibration(place, { key: "k", at: 7, checks: [base] });
    writeFileSync(join(folder, "calibrations", "k.json"), content);
    const { kept, problem } = await readCalibration(place, "k");
    expect([kept, problem]).toEqual([null, expect.stringContaining("k.json.corrupt")]);
    expect(names()).toEqual(["k.json.corrupt"]);
  });

  it("is for later runs where all tests have names, or a check without a report notices what tests expect", () => {
    const formatter = { ...base, isListening: false, exitCode: 0, tests: null };
    expect(isLasting([base, { ...base, isListening: false }, formatter, { ...base, tests: null }])).toBe(true);
  });

  it("is not for later runs where a file failed as a whole, or a check is red whatever its tests expect", () => {
    const whole = { file: "a", suite: "", name: "a", status: "failed" as const, isWhole: true as const };
    expect(isLasting([base, { ...base, tests: [...tests, whole] }])).toBe(false);
    expect(isLasting([{ ...base, isListening: false, tests: null }])).toBe(false);
  });

  it("makes room for newer ones", async () => {
    for (let index = 0; index < 201; index += 1) {
      await keepCalibration(place, { key: `k${index}`, at: 7, checks: [] });
      utimesSync(join(folder, "calibrations", `k${index}.json`), index, index);
    }
    await keepCalibration(place, { key: "last", at: 7, checks: [] });
    expect(names()).toHaveLength(200);
    expect([names().includes("last.json"), names().includes("k0.json")]).toEqual([true, false]);
  });
});
