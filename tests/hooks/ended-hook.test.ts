import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isThere } from "../process/start-program.ts";
import { type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
  mkdirSync(join(world.project, "ralph"));
});
afterEach(() => world.remove());

function ask(command: string): void {
  const config = { verification_method: "external", verification_config: { command } };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder: { promise: "DONE", ...config } };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(criteria));
}

const pidOf = (file: string): number => Number(readFileSync(join(world.project, file), "utf8"));

it.each(["loop", "native stop"])("a hook that its host ends leaves no check of the %s running", (kind) => {
  // The check ends the hook that started it, and would go on for long.
  ask("echo $$ > pid; kill -TERM $PPID; exec sleep 600");
  if (kind === "loop") world.startsLoop();
  const { isBlocked } = world.claims(["--timeout", "60"]);
  expect(() => process.kill(pidOf("pid"), 0)).toThrow("ESRCH");
  expect(isBlocked).toBe(true);
});

describe("the check of a hook that is killed", () => {
  // It is killed only once: the second pass finds the file.
  const killsOnce = "test -e pid && exit 1; echo $$ > pid; kill -KILL $PPID; exec sleep 600";
  const isAlive = (): boolean => isThere(pidOf("pid"));
  const killed = (kind: string): void => {
    ask(killsOnce);
    if (kind === "loop") world.startsLoop();
    world.claims(["--timeout", "60"]);
    expect(isAlive()).toBe(true);
  };

  it.each(["loop", "native stop"])("ends with the next stop of its session: %s", (kind) => {
    killed(kind);
    const { isBlocked } = world.claims(["--timeout", "60"]);
    expect([isBlocked, isAlive()]).toEqual([true, false]);
  });

  it.each(["loop", "native stop"])("ends with its session: %s", (kind) => {
    killed(kind);
    world.run("session-end", "SessionEnd");
    expect(isAlive()).toBe(false);
  });

  it("ends with a cancel from outside", () => {
    killed("loop");
    const env = { ...process.env, RALPH_STATE_HOME: world.state, RALPH_KILL_GRACE_MS: "200" };
    const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");
    const { status } = spawnSync(process.execPath, [launcher, "cancel", "-C", world.project], { env });
    expect(status).toBe(0);
    expect(isAlive()).toBe(false);
  });
});
