import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newSession } from "../../src/core/session/session-record.ts";
import type { HookTools } from "../../src/app/session/event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../../src/app/session/event/host-event.ts";
import { stop } from "../../src/app/session/stop.ts";
import { cancelLoop } from "../../src/app/session/user-prompt-submit.ts";
import { stoppedWith, toolsBelow } from "./stopped-session.ts";

let root: string;
let tools: HookTools;
let event: HostEvent;
let folder: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-unwritable-"));
  const projectDir = join(root, "project");
  mkdirSync(join(projectDir, ".ralph"), { recursive: true });
  const guardrails = [{ command: "false", failAction: "APPEND" }];
  writeFileSync(join(projectDir, ".ralph", "settings.json"), JSON.stringify({ guardrails }));
  tools = toolsBelow(root);
  const claim = "All done. <promise>DONE</promise>";
  event = stoppedWith(claim, projectDir);
  folder = join(tools.sessionsFolder, "claude-code-s1");
  file = join(folder, "state.json");
  storeLoop();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A loop in its first iteration, of a project with one red guardrail. */
function storeLoop(): void {
  const startedAt = new Date(Date.now() - 1000).toISOString();
  const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", startedAt };
  const given = { directory: event.projectDir, continuationDelay: 0, criterionCount: 1, at: 7 };
  const record = newSession({ ...loop, prompt: "Fix it", sessionId: "s1" }, given);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ ...record, journal: { seq: 0, bytes: 0 } }));
}

const things: Record<string, (path: string) => void> = {
  "a folder": (path) => mkdirSync(path),
  "a dangling link": (path) => symlinkSync(join(root, "nowhere"), path),
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
};

const stops = (isContinued = false): Promise<HookAnswer> => stop({ ...event, isContinued }, tools);

describe("the stop of a loop whose record cannot be stored", () => {
  it.each(Object.keys(things))(
    "is blocked once with the path while the lock is %s, then allowed by name",
    async (thing) => {
      things[thing]?.(`${folder}.lock`);
      const { block } = await stops();
      expect(block).toContain(`${folder}.lock`);
      expect(block).toContain("Remove ");
      const second = await stops(true);
      expect(second.block).toBeUndefined();
      expect(second.notice).toContain(`${folder}.lock`);
      expect(second.notice).toContain("without verification");
      rmSync(`${folder}.lock`, { recursive: true });
      expect((await stops()).block).toContain("[RALPH LOOP - ITERATION 2/5]");
    },
  );

  it.each(["a folder", "a pipe"])("is blocked once with the path while the record itself is %s", async (thing) => {
    rmSync(file);
    things[thing]?.(file);
    expect((await stops()).block).toContain(file);
    expect(await stops(true)).toMatchObject({ notice: expect.stringContaining(file) as string });
  });

  it("is still blocked by red criteria of the project", async () => {
    mkdirSync(join(event.projectDir, "ralph"));
    const coder = { promise: "DONE", verification_method: "external", verification_config: { command: "false" } };
    const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
    writeFileSync(join(event.projectDir, "ralph", "criteria.yaml"), JSON.stringify(criteria));
    mkdirSync(`${folder}.lock`);
    for (let time = 0; time < 3; time += 1) expect((await stops(time > 0)).block).toContain("is not verified");
  });

  it("does not hold a host for ever where nothing at all can be written", async () => {
    rmSync(join(root, "tmp"), { recursive: true, force: true });
    writeFileSync(join(root, "tmp"), "");
    mkdirSync(`${folder}.lock`);
    mkdirSync(join(tools.sessionsFolder, `unwritten-s1.json.${process.pid}.tmp`));
    expect((await stops()).block).toBeDefined();
    expect((await stops(true)).block).toBeUndefined();
  });

  it.each(["", "junk", "{}"])("goes on at once when the lock holds %j and names nobody", async (text) => {
    writeFileSync(`${folder}.lock`, text);
    expect((await stops()).block).toContain("[RALPH LOOP - ITERATION 2/5]");
    expect(existsSync(`${folder}.lock`)).toBe(false);
  });

  it("says that the loop could not be cancelled, not that there is none", () => {
    mkdirSync(`${folder}.lock`);
    expect(cancelLoop(event, tools).notice).toContain(`${folder}.lock`);
  });
});
