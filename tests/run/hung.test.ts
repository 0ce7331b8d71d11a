import { describe, expect, it, vi } from "vitest";
import { patient } from "../patience.ts";
import { openProject, type ScratchProject, type Started, until } from "./scratch-project.ts";

/** Neither a signal nor the grace after it ends such a program in the time of a test. */
const stubborn = "trap '' TERM INT HUP\ntouch begun\nwhile :; do sleep 0.1; done";
const env = { RALPH_KILL_GRACE_MS: "600000" };

/** A tenth of the grace: a person waits 5 seconds, a busy machine takes longer. */
const endMsMax = 30_000;

async function startStubborn(kind: "agent" | "guardrail"): Promise<{ project: ScratchProject; started: Started }> {
  const project = openProject();
  if (kind === "agent") project.claude(stubborn);
  else project.claude("claim", { guardrails: [{ command: stubborn, failAction: "APPEND" }] });
  const started = project.start(["run", "-p", "Do it"], { env });
  await until(() => project.has("begun"), "the program that does not end");
  return { project, started };
}

/** How it ended; `isInTime`: without the grace. */
async function endOf(started: Started, project: ScratchProject) {
  const askedMs = performance.now();
  const { code } = await started.ended;
  return { code, isInTime: performance.now() - askedMs < endMsMax, living: project.living() };
}

describe.each(["agent", "guardrail"] as const)("a hung %s", (kind) => {
  it("is killed soon after the second signal, whatever grace it has (R-84, R-81)", async () => {
    const { project, started } = await startStubborn(kind);
    process.kill(started.pid, "SIGINT");
    await until(() => started.stderr().includes("shutting down"), "the first signal to be heard");
    process.kill(started.pid, "SIGTERM");
    expect(await endOf(started, project)).toEqual({ code: 130, isInTime: true, living: [] });
  });

  it("is killed soon after a cancel, and the directory is free (R-42, R-80)", async () => {
    const { project, started } = await startStubborn(kind);
    const cancelled = await project.run(["cancel"]);
    expect(cancelled.stdout).toContain("cancelled");
    expect(cancelled.code).toBe(0);
    expect(await endOf(started, project)).toEqual({ code: 5, isInTime: true, living: [] });
    project.claude("claim");
    expect((await project.run(["run", "-p", "Again"])).code).toBe(0);
  });
});

it("a driver that was stopped does not keep a cancel from working (R-42)", async () => {
  const { project, started } = await startStubborn("agent");
  process.kill(started.pid, "SIGSTOP");
  const { code, stdout, stderr } = await project.run(["cancel"]);
  expect(stderr).toContain("does not answer and is killed");
  expect(stdout).toContain("cancelled");
  expect(code).toBe(0);
  expect((await started.ended).signal).toBe("SIGKILL");
  expect(project.living()).toEqual([]);
});

describe("a signal to a program whose output nobody reads", () => {
  /** A run that prints more than a pipe takes. */
  async function startFlood(word: "completed" | "running"): Promise<{ project: ScratchProject; started: Started }> {
    const project = openProject();
    project.claude(`i=0; while [ $i -lt 4000 ]; do say "${"x".repeat(500)}"; i=$((i + 1)); done; claim`);
    const started = project.start(["run", "-p", "Do it"]);
    started.child.stdout?.pause();
    const check = async (): Promise<void> =>
      expect((await project.run(["status", "--json", "--all"])).stdout).toContain(word);
    await vi.waitFor(check, { timeout: patient(20_000), interval: 50 });
    expect(started.child.exitCode).toBeNull();
    process.kill(started.pid, "SIGINT");
    return { project, started };
  }

  it("that works ends it with 130, and the directory is free (R-84)", async () => {
    const { project, started } = await startFlood("running");
    await new Promise((resolve) => started.child.once("exit", resolve));
    started.child.stdout?.resume();
    expect((await started.ended).code).toBe(130);
    project.claude("claim");
    expect((await project.run(["run", "-p", "Again"])).code).toBe(0);
  });

  it("that closes ends it with 130, and the directory is free (R-84)", async () => {
    const { project, started } = await startFlood("completed");
    await new Promise((resolve) => started.child.once("exit", resolve));
    started.child.stdout?.resume();
    expect((await started.ended).code).toBe(130);
    project.claude("claim");
    expect((await project.run(["run", "-p", "Again"])).code).toBe(0);
  });

  it("that closes lets it finish writing when somebody reads, and ends it with 130 (R-84)", async () => {
    const { started } = await startFlood("completed");
    started.child.stdout?.resume();
    const { code, stderr } = await started.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/completed(, unverified)?: Claim accepted/);
  });
});
