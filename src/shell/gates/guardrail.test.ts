import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CheckProgress, Verdict } from "../../core/checks/verdict.ts";
import { settingsSchema } from "../../core/settings/settings.ts";
import { createDisk } from "../disk.ts";
import type { Processes, ProcessStart } from "../ports.ts";
import { createProcesses } from "../processes/processes.ts";
import { shellArgv } from "../checks/run-check-command.ts";
import { asOwn } from "../stores/as-own.ts";
import type { GateOrder, GatePlace } from "./gate-kind.ts";
import { guardrail } from "./guardrail.ts";

let projectDir = "";
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "ralph-guardrails-"));
});
afterEach(() => rmSync(projectDir, { recursive: true, force: true }));

type Over = Partial<Pick<GatePlace["context"], "processes" | "onCheck"> & Pick<GateOrder, "wallMs" | "signal">>;

/** Runs commands with real processes, as the engine would ask for them; `over` changes what a row needs. */
async function run(commands: string[], over: Over = {}, given: object = {}) {
  const guardrails = commands.map((command) => ({ command, failAction: "APPEND" }));
  const settings = settingsSchema.parse({ ...given, guardrails });
  const progress: string[] = [];
  const context = asOwn<GatePlace["context"]>({
    runId: "run",
    processes: createProcesses(),
    disk: createDisk(),
    keepText: (text: string) => Promise.resolve({ text }),
    frozen: { projectDir, settings },
    env: { PATH: process.env["PATH"] ?? "" },
    killGraceMs: 200,
    onCheck: ({ gate, verdict }: CheckProgress) => progress.push(`${gate.name}: ${verdict?.exitCode ?? "starts"}`),
    ...over,
  });
  const perform = guardrail.open(asOwn<GatePlace>({ context }));
  const surface = { surface: "run" as const, settings, settingsFiles: {}, role: null, projectCriteria: [] };
  const gates = guardrail.gatesOf({ ...surface, verifyCommandsFrom: null, hasBaseline: false });
  const { wallMs = null, signal = new AbortController().signal } = over;
  const order = { effectId: 7, iteration: 1, hasClaim: false, isGreenSoFar: true, slot: null, wallMs, signal };
  const verdicts: Verdict[] = [];
  for (const gate of gates) {
    const answer = await perform?.({ ...order, gate });
    if (answer === undefined || answer.isCut) return { verdicts, isCut: true, progress };
    verdicts.push(...answer.verdicts);
  }
  return { verdicts, isCut: false, progress };
}

/** The facts of the one verdict a command leads to. */
async function check(command: string, expected: Partial<Verdict>, over: Over = {}): Promise<void> {
  const { verdicts } = await run([command], over);
  expect(verdicts).toMatchObject([{ index: 0, name: command, ...expected }]);
}

const log = (name: string): string => readFileSync(join(projectDir, ".ralph", name), "utf8");

describe("a guardrail", () => {
  it("is a command of the system's shell, on each system its own (S1-52, S1-84)", async () => {
    for (const system of ["linux", "darwin"] as const)
      expect([shellArgv("a && b", system)[0], shellArgv("a && b", system).at(-1)]).toEqual(["sh", "a && b"]);
    expect(shellArgv("a && b", "win32").slice(0, 2)).toEqual(["cmd", "/c"]);
    expect(shellArgv("a && b", "win32").at(-1)).toContain("a && b");
    await check("x=1; test $x = 1 && pwd", { isPassed: true, output: { text: projectDir } });
  });

  it("fails with any exit code but zero (S1-53)", async () => {
    await check("exit 0", { isPassed: true, exitCode: 0, reason: "passed" });
    await check("exit 7", { isPassed: false, exitCode: 7, reason: '"exit 7" exited with code 7' });
  });

  it("fails with 128 and the signal that ended it", () => check("kill -9 $$", { isPassed: false, exitCode: 137 }));

  it("is taken down with both its outputs together (S1-53, S1-54)", async () => {
    await check("echo out; echo err >&2; exit 1", {
      output: { text: "out\nerr" },
      logFile: ".ralph/guardrail_001_echo_out_echo_err_2_exit_1.log",
    });
    expect(log("guardrail_001_echo_out_echo_err_2_exit_1.log")).toBe("out\nerr\n");
  });

  it("has its whole output in the log, passed or failed, and the cut one in the verdict (S1-54, S1-56)", async () => {
    const { verdicts } = await run(["printf 123456789", "printf abcdefghi; false"], {}, { outputTruncateChars: 4 });
    expect(verdicts.map(({ output }) => output)).toEqual([
      { text: "1234... [truncated]" },
      { text: "abcd... [truncated]" },
    ]);
    expect(log("guardrail_001_printf_123456789.log")).toBe("123456789");
    expect(log("guardrail_001_printf_abcdefghi_false.log")).toBe("abcdefghi");
  });

  it("is ended after its time with exit code 124", () =>
    check("sleep 60", { isPassed: false, exitCode: 124, isTimedOut: true }, { wallMs: 150 }));

  it("does not hang on a child that keeps its output open (R-65)", () =>
    check("sleep 60 & echo started", { isPassed: true, output: { text: "started" } }));

  it("reads nothing from a terminal", () => check("cat", { isPassed: true, output: { text: "" } }));

  it("that cannot be started is a failure like any other, with its reason (R-17)", async () => {
    const start: Processes["start"] = () =>
      Promise.resolve<ProcessStart>({ isStarted: false, kind: "not-found", message: "sh was not found." });
    const expected = {
      isPassed: false,
      exitCode: 127,
      reason: "sh was not found.",
      output: { text: "sh was not found." },
    };
    await check("make", expected, { processes: { ...createProcesses(), start } });
  });
});

describe("all guardrails", () => {
  it("run in order, whatever the ones before said (S1-43)", async () => {
    const { verdicts, isCut, progress } = await run(["echo 1 >> order; false", "echo 2 >> order", "cat order"]);
    expect(verdicts.map(({ exitCode }) => exitCode)).toEqual([1, 0, 0]);
    expect(verdicts[2]?.output).toEqual({ text: "1\n2" });
    expect(isCut).toBe(false);
    expect(progress).toEqual([
      "echo 1 >> order; false: starts",
      "echo 1 >> order; false: 1",
      "echo 2 >> order: starts",
      "echo 2 >> order: 0",
      "cat order: starts",
      "cat order: 0",
    ]);
  });

  it("keep a log each, also with one slug (R-62)", async () => {
    await run(["printf a", "printf  a"]);
    expect(readdirSync(join(projectDir, ".ralph")).toSorted()).toEqual([
      "guardrail_001_printf_a.log",
      "guardrail_001_printf_a_1.log",
    ]);
  });

  it("stop at a cut: the one at work is ended, the rest do not start", async () => {
    const controller = new AbortController();
    const { verdicts, isCut } = await run(["true", "sleep 60", "touch never"], {
      signal: controller.signal,
      onCheck: ({ gate }) => (gate.name === "sleep 60" ? controller.abort() : undefined),
    });
    expect({ count: verdicts.length, isCut }).toEqual({ count: 1, isCut: true });
    expect(readdirSync(projectDir)).toEqual([".ralph"]);
  });
});
