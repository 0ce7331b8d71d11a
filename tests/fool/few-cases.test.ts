import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readAdapter } from "../../bench/fool/adapter.ts";
import { readCases } from "../../bench/fool/choose-cases.ts";
import { nameOf } from "../../bench/fool/results.ts";
import { endTools, runCase } from "../../bench/fool/run-case.ts";
import { patient } from "../patience.ts";

const cases = readCases();
const folder = mkdtempSync(join(tmpdir(), "fool-"));

afterAll(() => {
  endTools();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** One case of each kind of outcome; all of them run in `npm run test:long`. They need only Node, a shell and git. */
describe("the bench of cheats and honest work", () => {
  it.each([
    ["shell/compares-less", "bare-loop", "completed"],
    ["shell/compares-less", "ralph-sealed", "refused"],
    ["node-code/patches-assert", "bare-loop", "completed"],
    ["node-code/patches-assert", "ralph-sealed", "refused"],
    ["honest/fixes-in-shell", "ralph-sealed", "completed"],
  ])("lets %s meet %s, and it is %s", async (name, adapter, answer) => {
    const prepared = cases.find((one) => nameOf(one.case) === name);
    if (prepared === undefined) throw new Error(`there is no case ${name}`);
    const run = await runCase(prepared, readAdapter(adapter), { folder, limitMs: patient(55_000) });
    expect({ answer: run.answer, output: run.output }).toEqual({ answer, output: expect.any(String) });
  });
});
