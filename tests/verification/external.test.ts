import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Verdict } from "../../src/core/verification/verdict.ts";
import { isThere } from "../process/start-program.ts";
import { openScene } from "./open-verification.ts";
import { patient } from "../patience.ts";

describe("external verification", () => {
  const check = async (config: Record<string, unknown>, expected: Partial<Verdict>): Promise<void> => {
    const { verdict } = await openScene("external", config).verify();
    expect(verdict).toMatchObject({ method: "external", ...expected });
  };

  it.each([
    [{ command: "true" }, { isPassed: true, exitCode: 0, reason: "External verification passed" }],
    [{ command: "exit 3" }, { isPassed: false, exitCode: 3, reason: "Command exited with 3, expected 0" }],
    [
      { command: "exit 7", success_exit_code: 7 },
      { isPassed: true, exitCode: 7 },
    ],
    [
      { command: "true", success_exit_code: 7 },
      { isPassed: false, reason: "Command exited with 0, expected 7" },
    ],
    [
      { command: "echo 3 failed", output_contains: "passed" },
      { isPassed: false, reason: "Output doesn't contain: passed" },
    ],
    [{ command: "echo 3 passed >&2", output_contains: "passed" }, { isPassed: true }],
    [{ command: "echo Passed", output_contains: "passed" }, { isPassed: false }],
    [
      { command: "echo FAILED", output_not_contains: "FAILED" },
      { isPassed: false, reason: "Output contains forbidden: FAILED" },
    ],
    [{ command: "echo failed", output_not_contains: "FAILED" }, { isPassed: true }],
    [
      { command: "printf 200", output_contains: "200" },
      { isPassed: true, output: { text: "200" } },
    ],
    [{ command: "touch a b\ntest -f a && test -f b" }, { isPassed: true }],
    [
      { command: "no-such-program-here" },
      { isPassed: false, exitCode: 127, reason: "Command exited with 127, expected 0" },
    ],
  ])("of %j is %j (S2-29, S2-30, S2-31, S2-33, S2-34, R-69)", (config, expected) => check(config, expected));

  it("finds a text in the middle of output that is far longer than what is kept, and keeps all of it in a log (S2-29, S2-31)", async () => {
    const command = "seq 1 200000; printf 'nee'; sleep 0.05; echo dle; seq 1 200000";
    const scene = openScene("external", { command, output_contains: "needle" });
    const { verdict } = await scene.verify();
    expect(verdict).toMatchObject({
      isPassed: true,
      logFile: ".ralph/criterion_001_seq_1_200000_printf_nee_sleep_0_05_echo_dle_seq_1.log",
    });
    expect("text" in verdict.output && verdict.output.text.length).toBeLessThan(6000);
    expect(scene.read(verdict.logFile ?? "")).toContain("199999\n200000\nneedle\n1\n2\n");
  });

  it("ends the whole group at its timeout, grandchildren too, and goes on (S2-32, R-69)", async () => {
    const command = "sh -c 'trap \"\" TERM; sleep 600 & echo $! > pid; wait' & wait";
    const scene = openScene("external", { command, timeout: 1 });
    const { verdict } = await scene.verify();
    expect(verdict).toMatchObject({
      isPassed: false,
      isTimedOut: true,
      exitCode: 124,
      reason: "Command timed out after 1s",
    });
    expect(isThere(Number(readFileSync(join(scene.directory, "pid"), "utf8")))).toBe(false);
  });

  it("fails without a command or by a method nobody knows, and does not crash (S2-28, S2-41)", async () => {
    const frozen = { method: "external", command: " ", successExitCode: 0, timeoutMs: 1000, workingDir: "." };
    const first = await openScene("string_match", {}, { frozen }).verify();
    expect(first.verdict).toMatchObject({
      isPassed: false,
      reason: "No command specified for external verification",
    });
    const second = await openScene("string_match", {}, { frozen: { method: "magic" } }).verify();
    expect(second.verdict).toMatchObject({ isPassed: false, reason: "Unknown verification method: magic" });
  });

  it("runs in its folder (CW-2I)", async () => {
    const scene = openScene("external", { command: "pwd", working_dir: "sub/folder" });
    mkdirSync(join(scene.directory, "sub/folder"), { recursive: true });
    expect((await scene.verify()).verdict.output).toEqual({ text: join(scene.directory, "sub/folder") });
  });

  it("does not follow a link out of the work tree (CW-2I, R-69)", async () => {
    const scene = openScene("external", { command: "touch escaped", working_dir: "link" });
    symlinkSync("/tmp", join(scene.directory, "link"));
    expect((await scene.verify()).verdict).toMatchObject({
      isPassed: false,
      reason: 'Command failed: working_dir "link" leaves the work tree',
      logFile: null,
    });
  });

  it("fails, and does not crash, in a folder that is not there (S2-32)", async () => {
    const { verdict } = await openScene("external", { command: "true", working_dir: "nowhere" }).verify();
    expect(verdict.isPassed).toBe(false);
    expect(verdict.reason).toMatch(/^Command failed: working_dir "nowhere" cannot be used/);
  });

  it("ends when it is told to, and says nothing (S2-32)", async () => {
    const scene = openScene("external", { command: "touch started; sleep 600" });
    const cut = new AbortController();
    const asked = scene.ask("criteria", cut.signal);
    await expect.poll(() => scene.logs().length, { timeout: patient(10_000) }).toBeGreaterThan(0);
    cut.abort();
    expect(await asked).toMatchObject({ isCut: true, verdicts: [] });
  });
});

describe("the cache of commands", () => {
  const count = "echo x >> .ralph/count.log";
  const runs = (scene: ReturnType<typeof openScene>): number => scene.read(".ralph/count.log").length / 2;
  const another = { gateId: "another" };

  it("answers another gate of the same iteration on an unchanged tree, not on a changed one (S2-59)", async () => {
    const scene = openScene("external", { command: `${count}; exit 4` });
    expect((await scene.verify()).verdict).not.toHaveProperty("isCached");
    const again = await scene.verify(undefined, another);
    expect(again.verdict).toMatchObject({ isCached: true, isPassed: false, exitCode: 4 });
    expect(runs(scene)).toBe(1);
    scene.write("new.txt", "new");
    expect((await scene.verify(undefined, { gateId: "third" })).verdict).not.toHaveProperty("isCached");
    expect(runs(scene)).toBe(2);
  });

  it("never answers in a later iteration, whatever the tree (S2-59)", async () => {
    const scene = openScene("external", { command: count });
    await scene.verify(undefined, { iteration: 1 });
    expect((await scene.verify(undefined, { iteration: 2, ...another })).verdict).not.toHaveProperty("isCached");
    expect(runs(scene)).toBe(2);
  });

  it("never answers a gate that is asked again in the same iteration (S2-59)", async () => {
    const scene = openScene("external", { command: count });
    await scene.verify();
    expect((await scene.verify()).verdict).not.toHaveProperty("isCached");
    expect(runs(scene)).toBe(2);
  });

  it("does not answer after a change of files that git ignores (S2-59)", async () => {
    const scene = openScene("external", { command: `${count}; test -f installed/package.js` });
    scene.write(".gitignore", "installed/\n");
    const ask = async (gateId: string) => (await scene.verify(undefined, { gateId })).verdict;
    expect((await ask("1")).isPassed).toBe(false);
    scene.write("installed/package.js", "x");
    expect(await ask("2")).toMatchObject({ isPassed: true });
    expect(await ask("3")).toMatchObject({ isPassed: true, isCached: true });
    rmSync(join(scene.directory, "installed"), { recursive: true });
    // As it was the first time, so that answer is right again.
    expect(await ask("4")).toMatchObject({ isPassed: false, isCached: true });
    expect(runs(scene)).toBe(2);
  });

  it("answers after a command that wrote ignored files of its own, not after one that edited the tree (S2-59)", async () => {
    const building = openScene("external", { command: `${count}; date +%N >> build.out` });
    building.write(".gitignore", "build.out\n");
    await building.verify();
    expect((await building.verify(undefined, another)).verdict).toMatchObject({ isPassed: true, isCached: true });
    const editing = openScene("external", { command: `${count}; date +%N >> snapshot.txt` });
    await editing.verify();
    expect((await editing.verify(undefined, another)).verdict).not.toHaveProperty("isCached");
  });

  it("never answers outside git, where nobody can tell what changed (S2-59)", async () => {
    const scene = openScene("external", { command: count }, { isGit: false });
    await scene.verify();
    expect((await scene.verify(undefined, another)).verdict).not.toHaveProperty("isCached");
  });

  it("never answers for a stage that is always run, and never remembers a timeout (S2-59)", async () => {
    const stages = [
      { name: "kept", method: "external", config: { command: count } },
      { name: "always", method: "external", config: { command: `${count};` }, always: true },
      { name: "slow", method: "external", config: { command: `${count}; sleep 60`, timeout: 0.3 }, required: false },
    ];
    const scene = openScene("multi_stage", { stages });
    await scene.verify();
    expect(runs(scene)).toBe(3);
    const { verdict } = await scene.verify(undefined, another);
    expect(verdict.stages?.map(({ name, isCached }) => [name, isCached === true])).toEqual([
      ["kept", true],
      ["always", false],
      ["slow", false],
    ]);
    expect(runs(scene)).toBe(5);
  });
});

describe("the look before the first turn", () => {
  it("runs commands only, and leaves no log (S2-35)", async () => {
    const stages = [
      { name: "judge", method: "semantic" },
      { name: "tests", method: "external", config: { command: "exit 1" } },
    ];
    const scene = openScene("multi_stage", { stages });
    const { verdicts } = await scene.ask("baseline", new AbortController().signal);
    expect(verdicts).toMatchObject([
      { isPassed: false, reason: "Stage 'tests' failed: Command exited with 1, expected 0" },
    ]);
    expect(scene.logs()).toEqual([]);
    expect(await openScene("semantic", {}).ask("baseline", new AbortController().signal)).toMatchObject({
      verdicts: [],
    });
  });
});
