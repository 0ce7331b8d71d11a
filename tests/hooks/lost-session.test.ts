import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookTools } from "../../src/app/session/event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../../src/app/session/event/host-event.ts";
import { sessionEnd } from "../../src/app/session/session-end.ts";
import { stop } from "../../src/app/session/stop.ts";
import { cancelLoop, userPromptSubmit } from "../../src/app/session/user-prompt-submit.ts";
import { stoppedWith, toolsBelow } from "./stopped-session.ts";

const claim = "All done. <promise>DONE</promise>";
let root: string;
let tools: HookTools;
let event: HostEvent;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-lost-"));
  const projectDir = join(root, "project");
  mkdirSync(join(projectDir, "ralph"), { recursive: true });
  tools = toolsBelow(root);
  event = stoppedWith("Working.", projectDir);
  folder = join(tools.sessionsFolder, "claude-code-s1");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const startLoop = (): Promise<HookAnswer> => userPromptSubmit({ ...event, prompt: '/ralph "Fix it"' }, tools);
const marks = (): string[] => readdirSync(`${tools.sessionsFolder}-marks`);

const losses: Record<string, () => void> = {
  "is gone": () => rmSync(folder, { recursive: true }),
  "is gone with all others": () => rmSync(tools.sessionsFolder, { recursive: true }),
  "is empty": () => readdirSync(folder).forEach((name) => rmSync(join(folder, name))),
};

describe("a loop without criteria whose session folder was destroyed", () => {
  it.each(Object.keys(losses))("blocks one stop with the reason, then allows it by name, when it %s", async (what) => {
    await startLoop();
    losses[what]?.();
    const first = await stop(event, tools);
    expect(first.block).toContain(`The state of this session's Ralph loop is gone from ${folder}.`);
    expect(first.block).toContain("type /ralph with the task");
    const second = await stop(event, tools);
    expect(second.block).toBeUndefined();
    expect(second.notice).toContain("The loop ended without verification.");
    expect(await stop(event, tools)).toEqual({});
    expect(marks()).toEqual([]);
  });

  it("is named after red criteria that block its first stops, though these stops are stored", async () => {
    await startLoop();
    rmSync(folder, { recursive: true });
    rmSync(join(tools.sessionsFolder, "criteria-s1.json"));
    const ready = join(event.projectDir, "ready.txt");
    const config = { command: `test -f ${ready}` };
    const coder = { promise: "READY", verification_method: "external", verification_config: config };
    const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
    writeFileSync(join(event.projectDir, "ralph", "criteria.yaml"), JSON.stringify(criteria));
    expect((await stop(event, tools)).block).toContain("The work is not verified");
    writeFileSync(ready, "");
    expect((await stop(event, tools)).block).toContain("is gone from");
    expect((await stop(event, tools)).notice).toContain("ended without verification");
  });

  it("is nothing to speak of after a cancel, and when the session is over", async () => {
    for (const end of [() => cancelLoop(event, tools), () => sessionEnd({ ...event, isOver: true }, tools)]) {
      await startLoop();
      rmSync(folder, { recursive: true });
      await end();
      expect(await stop(event, tools)).toEqual({});
      expect(marks()).toEqual([]);
    }
  });
});

describe("a loop that ended", () => {
  it("leaves no mark behind, and its session stops freely", async () => {
    await startLoop();
    expect(marks()).toEqual(["loop.claude-code-s1"]);
    const answer = await stop({ ...event, lastMessage: claim }, tools);
    expect(answer.notice).toContain("Ralph Loop");
    expect(marks()).toEqual([]);
    expect(await stop(event, tools)).toEqual({});
  });
});
