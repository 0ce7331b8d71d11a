import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HookTools } from "../../src/app/session/event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../../src/app/session/event/host-event.ts";
import { openStore } from "../../src/app/session/session-loop.ts";
import { stop } from "../../src/app/session/stop.ts";
import { cancelLoop, userPromptSubmit } from "../../src/app/session/user-prompt-submit.ts";
import { patient } from "../patience.ts";
import { stoppedWith, toolsBelow } from "./stopped-session.ts";

const claim = "All done. <promise>DONE</promise>";
let root: string;
let project: string;
let tools: HookTools;
let event: HostEvent;
let pipe: FileHandle | null;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-overtaken-"));
  project = join(root, "project");
  for (const name of [".ralph", "ralph"]) mkdirSync(join(project, name), { recursive: true });
  execFileSync("mkfifo", [join(root, "pipe")]);
  pipe = null;
  tools = toolsBelow(root);
  event = stoppedWith(claim, project);
});
afterEach(async () => {
  await pipe?.close();
  rmSync(root, { recursive: true, force: true });
});

/** A red check that says that it runs, and ends with the next line in the pipe. */
const command = (): string => `echo x >> ${join(root, "started")}; read line < ${join(root, "pipe")}; false`;

const startLoop = (): Promise<HookAnswer> => userPromptSubmit({ ...event, prompt: '/ralph "Fix it"' }, tools);

/** Waits until so many checks run. */
async function checksRun(count: number): Promise<void> {
  // Also for reading: a later stop ends the checks of an earlier one, and between two readers a write would be refused.
  pipe ??= await open(join(root, "pipe"), "r+");
  const started = (): string => (existsSync(join(root, "started")) ? readFileSync(join(root, "started"), "utf8") : "");
  await vi.waitFor(() => expect(started()).toBe("x\n".repeat(count)), { timeout: patient(20_000) });
}

const letChecksEnd = async (count: number): Promise<void> => void (await pipe?.write("\n".repeat(count)));

describe("a stop that another process overtakes while its checks run", () => {
  it("does not pass: both send the agent back, and the iteration is counted once", async () => {
    writeFileSync(join(project, ".ralph", "settings.json"), guardrail());
    await startLoop();
    const first = stop(event, tools);
    await checksRun(1);
    const second = stop(event, tools);
    await checksRun(2);
    await letChecksEnd(2);
    const answers = await Promise.all([first, second]);
    for (const { block } of answers) expect(block).toMatch(/ITERATION 2\/100|Another process/);
    expect(openStore(event, tools).read("s1")?.loop.iteration).toBe(2);
  });

  it("is judged without the loop when somebody cancelled it: a red criterion blocks it", async () => {
    writeFileSync(join(project, "ralph", "criteria.yaml"), criteria());
    await startLoop();
    const judged = stop(event, tools);
    await checksRun(1);
    expect(cancelLoop(event, tools).notice).toContain("cancelled");
    await letChecksEnd(1);
    await checksRun(2);
    await letChecksEnd(1);
    expect((await judged).block).toContain("The work is not verified");
  });

  it("is judged by its own checks in a session without a loop", async () => {
    writeFileSync(join(project, "ralph", "criteria.yaml"), criteria());
    const first = stop(event, tools);
    await checksRun(1);
    const second = stop(event, tools);
    await checksRun(2);
    await letChecksEnd(2);
    for (const { block } of await Promise.all([first, second])) expect(block).toContain("The work is not verified");
  });
});

function guardrail(): string {
  return JSON.stringify({ guardrails: [{ command: command(), failAction: "APPEND" }] });
}

function criteria(): string {
  const coder = { promise: "READY", verification_method: "external", verification_config: { command: command() } };
  return JSON.stringify({ outcome: "It works.", acceptance_criteria: ["it works"], coder });
}
