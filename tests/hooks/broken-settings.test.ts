import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HookWorld, openHookWorld } from "./built-hook.ts";

/** A project with green criteria and these settings. */
function openProject(settings: string): HookWorld {
  const world = openHookWorld();
  onTestFinished(() => world.remove());
  for (const name of [".ralph", "ralph"]) mkdirSync(join(world.project, name));
  writeFileSync(join(world.project, ".ralph", "settings.json"), settings);
  const coder = {
    promise: "DONE",
    description: "It works",
    verification_method: "external",
    verification_config: { command: "true" },
  };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(criteria));
  return world;
}

const remedy = "Correct these settings before the next session; `ralph settings schema` says what each may be.";

describe.each([
  [
    "are not JSON",
    "{ no json",
    ".ralph/settings.json:1: not valid JSON, column 3: a key stands in double quotes, found no.",
  ],
  [
    "name what there is not",
    '{"guardrail": []}',
    '.ralph/settings.json:1: unknown setting "guardrail". Did you mean "guardrails"?',
  ],
  [
    "have a wrong value",
    '{"maximumIterations": "many"}',
    '.ralph/settings.json:1: maximumIterations: expected a whole number of at least 1 or "unbounded", found "many".',
  ],
])("settings that %s", (_, settings, problem) => {
  const stop = (world: HookWorld, fields: Record<string, unknown> = {}) =>
    world.run("stop", "Stop-first", { fields: { last_assistant_message: "Done.", ...fields } });

  it("hold one stop back with file, problem and remedy, and let the next one pass with the same", () => {
    const world = openProject(settings);
    const blocked = `The work cannot be verified: ${problem} ${remedy} Tell the user so.`;
    expect(stop(world)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(blocked) as string });
    const passed = stop(world);
    expect(passed.exitCode).toBe(0);
    expect(passed.json.systemMessage).toBe(`${problem} This stop is NOT verified. ${remedy}`);
  });

  it("count again in the next session when they are corrected", () => {
    const world = openProject(settings);
    stop(world);
    writeFileSync(join(world.project, ".ralph", "settings.json"), "{}");
    const next = { session_id: "next" };
    world.run("session-start", "SessionStart-startup", { fields: next });
    expect(stop(world, next).json.systemMessage).toBe("Verified by ralph/criteria.yaml.");
  });

  it("start no loop, and say why", () => {
    const world = openProject(settings);
    const { json } = world.run("user-prompt-submit", "UserPromptSubmit-ralph");
    expect(json.systemMessage).toBe(`The Ralph loop was not started: ${problem} ${remedy}`);
  });
});
