import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Verdict } from "../../core/verification/verdict.ts";
import type { CheckProgress } from "../../core/contract/check-progress.ts";
import { settingsSchema } from "../../core/settings/settings.ts";
import { createFileArtefacts } from "../stores/file-artefacts.ts";
import { createDisk } from "../lib/disk.ts";
import type { Processes, ProcessStart } from "../ports.ts";
import { createProcesses } from "../processes/processes.ts";
import { shellArgv } from "../processes/run-check-command.ts";
import { asOwn } from "../lib/as-own.ts";
import type { GateRequest, GateContext } from "./gate-kind.ts";
import { guardrail } from "./guardrail.ts";

/** Of this process alone: what is left of a check is ended by its turn marker. */
const runId = `run-${process.pid}`;

let projectDir = "";
let folder = "";
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "ralph-guardrails-"));
  folder = mkdtempSync(join(tmpdir(), "ralph-evidence-"));
});
afterEach(() => {
  for (const path of [projectDir, folder]) rmSync(path, { recursive: true, force: true });
});

type Over = Partial<
  Pick<GateContext["context"], "processes" | "onCheck" | "artefacts"> &
    Pick<GateRequest, "wallMs" | "signal" | "iteration">
>;

/** Runs commands with real processes, as the engine would ask for them; `over` changes what a row needs. */
async function run(commands: string[], over: Over = {}, given: object = {}) {
  const guardrails = commands.map((command) => ({ command, failAction: "APPEND" }));
  const settings = settingsSchema.parse({ ...given, guardrails });
  const progress: string[] = [];
  const notes: string[] = [];
  const context = asOwn<GateContext["context"]>({
    runId,
    artefacts: createFileArtefacts({ folder, disk: createDisk() }),
    note: (_: string, text: string) => Promise.resolve(notes.push(text)),
    processes: createProcesses(),
    disk: createDisk(),
    keepText: (text: string) => Promise.resolve({ text }),
    frozen: { projectDir, settings },
    env: { PATH: process.env["PATH"] ?? "" },
    killGraceMs: 200,
    onCheck: ({ gate, verdict }: CheckProgress) => progress.push(`${gate.name}: ${verdict?.exitCode ?? "starts"}`),
    ...over,
  });
  const perform = guardrail.open(asOwn<GateContext>({ context }));
  const surface = { surface: "run" as const, settings, settingsFiles: {}, role: null, projectCriteria: [] };
  const gates = guardrail.gatesOf({ ...surface, verifyCommandsFrom: null, hasBaseline: false });
  const { wallMs = null, signal = new AbortController().signal, iteration = 1 } = over;
  const order = {
    effectId: 7,
    iteration,
    role: "run",
    candidate: null,
    hasClaim: false,
    mayApprove: false,
    isGreenSoFar: true,
    slot: null,
    wallMs,
    signal,
  };
  const verdicts: Verdict[] = [];
  for (const gate of gates) {
    const answer = await perform?.({ ...order, gate });
    if (answer === undefined || answer.isCut) return { verdicts, isCut: true, progress, notes };
    verdicts.push(...answer.verdicts);
  }
  return { verdicts, isCut: false, progress, notes };
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

  it("tells who watches how the output of a red one begins, however long it is (S1-59)", async () => {
    const told: (string | undefined)[] = [];
    const onCheck = ({ verdict, output }: CheckProgress): void => void (verdict === null ? null : told.push(output));
    await run(["echo fine", "yes line | head -c 9000; exit 1"], { onCheck }, { outputTruncateChars: 8000 });
    expect(told).toEqual([undefined, "line\n".repeat(820).slice(0, 4096)]);
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

describe("the evidence of a guardrail", () => {
  const evidence = (path: string | null | undefined): string => readFileSync(join(folder, path ?? "none"), "utf8");

  it("is its whole output in the state folder, for the owner alone, beside the agent's copy (S1-54)", async () => {
    const { verdicts } = await run(["printf 123456789", "exit 1"], {}, { outputTruncateChars: 4 });
    expect(verdicts.map((verdict) => verdict.evidence)).toEqual([
      `runs/${runId}/checks/run/001_printf_123456789.log`,
      `runs/${runId}/checks/run/001_exit_1.log`,
    ]);
    expect(evidence(verdicts[0]?.evidence)).toBe("123456789");
    expect(evidence(verdicts[1]?.evidence)).toBe("");
    const modes = ["runs", `runs/${runId}`, `runs/${runId}/checks/run`, verdicts[0]?.evidence ?? ""].map(
      (path) => statSync(join(folder, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  it("is never overwritten: the same check asked again in one iteration keeps its own (S1-54)", async () => {
    const command = "echo x >> count; cat count";
    const paths = [];
    for (let time = 0; time < 2; time += 1) paths.push((await run([command])).verdicts[0]?.evidence);
    expect(paths.map(evidence)).toEqual(["x\n", "x\nx\n"]);
  });

  it("does not follow a link that an agent put in place of its copy (S1-54)", async () => {
    const theirs = join(folder, "theirs.txt");
    writeFileSync(theirs, "theirs");
    mkdirSync(join(projectDir, ".ralph"));
    symlinkSync(theirs, join(projectDir, ".ralph", "guardrail_001_echo_ours.log"));
    const { verdicts } = await run(["echo ours"]);
    expect(readFileSync(theirs, "utf8")).toBe("theirs");
    expect(log("guardrail_001_echo_ours.log")).toBe("ours\n");
    expect(evidence(verdicts[0]?.evidence)).toBe("ours\n");
  });

  it("that cannot be written is named, and the verdict counts all the same (S1-54)", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const { verdicts, notes } = await run(["echo out"], {
      artefacts: createFileArtefacts({ folder: file, disk: createDisk() }),
    });
    expect(verdicts).toMatchObject([{ isPassed: true, evidence: null, output: { text: "out" } }]);
    expect(notes).toEqual([expect.stringContaining('The output of "echo out" could not be kept in')]);
    expect(log("guardrail_001_echo_out.log")).toBe("out\n");
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
