import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oddThings, putThere } from "../run/odd-places.ts";
import { type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
});
afterEach(() => world.remove());

const put = (path: string, thing: (typeof oddThings)[number]): void => putThere(join(world.project, path), thing);

/** A turn of a run on a task list is at work. */
function beginListed(): void {
  const active = { pid: 1, mode: "direct", skipReview: false, reviewCap: 5, iterationMode: "implement", run: "r1" };
  writeFileSync(join(world.project, ".ralph-active"), JSON.stringify({ ...active, preIterationSnapshot: {} }));
}

describe.each(oddThings)("a hook that meets %s in place of a file", (thing) => {
  it("blocks the stop of a run whose task list it is, and says what it found (R-99)", () => {
    beginListed();
    put("ralph/tasks.json", thing);
    const { exitCode, stderr } = world.run("stop", "Stop-first", {
      env: { RALPH_RUN_ID: "r1" },
      words: ["--for", "run"],
    });
    // The list is never read through a link, and the device stands behind one.
    expect(stderr).toContain(`ralph/tasks.json is ${thing === "a device" ? "a symbolic link" : thing}`);
    expect(exitCode).toBe(2);
  });

  it("goes on without the active file that it is", () => {
    put(".ralph-active", thing);
    expect(world.run("stop", "Stop-first").exitCode).toBe(0);
    expect(world.run("pre-tool-use", "PreToolUse-Bash").exitCode).toBe(0);
  });

  it("takes nothing for allowed when it is the allow list, and records it", () => {
    put(".ralph/guard-allow.json", thing);
    const danger = { tool_input: { command: "git push --force origin main" } };
    const { json } = world.run("pre-tool-use", "PreToolUse-Bash", { env: { RALPH_RUN_ID: "r1" }, fields: danger });
    expect(json.hookSpecificOutput?.permissionDecision).toBe("deny");
    expect(world.log()).toContain(`guard-allow.json is ${thing}`);
  });

  it("ends when it is the transcript", () => {
    putThere(world.transcript, thing);
    expect(world.run("post-tool-use", "PostToolUse-Bash").exitCode).toBe(0);
    expect(world.run("stop", "Stop-first").exitCode).toBe(0);
  });

  it("does not take the session for verified when it is the criteria file", () => {
    mkdirSync(join(world.project, "ralph"));
    put("ralph/criteria.yaml", thing);
    const { stderr, json } = world.run("stop", "Stop-first", { fields: { last_assistant_message: "Done." } });
    expect(`${stderr}${json.systemMessage ?? ""}${world.log()}`).toContain(`ralph/criteria.yaml is ${thing}`);
  });
});
