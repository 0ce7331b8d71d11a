import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HookWorld, openHookWorld } from "./built-hook.ts";

const root = join(import.meta.dirname, "..", "..");
let world: HookWorld;
let program: string;

beforeEach(() => {
  world = openHookWorld();
  program = join(world.root, "program");
  for (const name of ["bin", "dist"]) mkdirSync(join(program, name), { recursive: true });
  cpSync(join(root, "bin", "ralph.js"), join(program, "bin", "ralph.js"));
  const parts = readdirSync(join(root, "dist")).filter((name) => /^hook.*\.cjs$/.test(name));
  for (const name of parts) cpSync(join(root, "dist", name), join(program, "dist", name));
});
afterEach(() => world.remove());

/** From now on the part of the hook that judges stops fails; or it is whole again. */
function breakHook(text = 'throw new Error("a part of it is broken");'): void {
  writeFileSync(join(program, "dist", "hook-stop.cjs"), text);
}

const repairHook = (): void => cpSync(join(root, "dist", "hook-stop.cjs"), join(program, "dist", "hook-stop.cjs"));

const stops = (fields: Record<string, unknown> = {}, env: Record<string, string> = {}) =>
  world.run("stop", "Stop-first", { fields, env, program: join(program, "bin", "ralph.js") });

function writeCriteria(): void {
  mkdirSync(join(world.project, "ralph"), { recursive: true });
  const coder = { promise: "READY", verification_method: "string_match", verification_config: {} };
  const criteria = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
  writeFileSync(join(world.project, "ralph", "criteria.yaml"), JSON.stringify(criteria));
}

describe("a stop hook that fails inside", () => {
  it("blocks once with the reason where the project has criteria, then allows the stop by name", () => {
    writeCriteria();
    breakHook();
    const first = stops();
    expect(first.exitCode).toBe(2);
    expect(first.stderr).toContain("Ralph's stop hook failed: a part of it is broken. Nobody verified this stop.");
    for (const fields of [{ stop_hook_active: true }, {}]) {
      const next = stops(fields);
      expect(next.exitCode).toBe(0);
      expect(next.json.systemMessage).toContain("a part of it is broken. This stop is NOT verified.");
    }
    expect(world.log()).toContain("stop met a fault of its own");
  });

  it("blocks again after a stop that was judged", () => {
    writeCriteria();
    breakHook();
    expect(stops().exitCode).toBe(2);
    repairHook();
    const said = { last_assistant_message: "<promise>READY</promise>" };
    expect(stops(said).exitCode).toBe(0);
    breakHook();
    expect(stops().exitCode).toBe(2);
  });

  it("blocks once where the session has a loop, though it was sent back before", () => {
    world.startsLoop();
    breakHook();
    expect(stops({ stop_hook_active: true }).exitCode).toBe(2);
    expect(stops({ stop_hook_active: true }).exitCode).toBe(0);
  });

  it("goes by the word of the host where nothing can be remembered", () => {
    writeCriteria();
    breakHook();
    const env = { TMPDIR: join(world.root, "nowhere") };
    expect(stops({}, env).exitCode).toBe(2);
    expect(stops({ stop_hook_active: true }, env).exitCode).toBe(0);
  });

  it("lets the stop pass where there is neither a loop nor a criterion, and inside a run", () => {
    mkdirSync(join(world.state, "sessions"), { recursive: true });
    writeFileSync(join(world.state, "sessions", "session-other.json"), "{}");
    breakHook();
    expect(stops()).toMatchObject({ exitCode: 0, stdout: "" });
    writeCriteria();
    expect(stops({}, { RALPH_RUN_ID: "r1" })).toMatchObject({ exitCode: 0, stdout: "" });
  });
});
