import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
  mkdirSync(join(world.project, "ralph"));
});
afterEach(() => world.remove());

it.each(["loop", "native stop"])("a hook that its host ends leaves no check of the %s running", (kind) => {
  // The check ends the hook that started it, and would go on for long.
  const command = "echo $$ > pid; kill -TERM $PPID; exec sleep 600";
  const config = { verification_method: "external", verification_config: { command } };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder: { promise: "DONE", ...config } };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(criteria));
  if (kind === "loop") world.startsLoop();
  const { exitCode } = world.claims(["--timeout", "60"]);
  const pid = Number(readFileSync(join(world.project, "pid"), "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(exitCode).toBe(2);
});
