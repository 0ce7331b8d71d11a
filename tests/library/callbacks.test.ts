import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quietListener } from "../../src/app/functions/quiet-listener.ts";
import {
  createRalphLoopHook,
  runTasks,
  superviseLoop,
  type SuperviseEvent,
  type SuperviseLoopOptions,
} from "../../src/index.ts";
import { openFolder } from "./open-folder.ts";

/** A program in JavaScript returns anything. */
type AnyRoot = (attempt: number, done: () => void) => unknown;

function errorsOf(event: SuperviseEvent): string[] {
  return event.type === "run-ended" ? [event.error === null ? "none" : event.error.message] : [];
}

describe("runRoot", () => {
  it.each<[string, AnyRoot, string[]]>([
    ["returns null without a promise", (_, done) => (done(), null), ["none"]],
    ["returns an error without a promise", (attempt, done) => (attempt === 0 ? new Error("x") : done()), ["x", "none"]],
    ["returns nothing at all", (_, done) => done(), ["none"]],
    ["throws before there is a promise", (attempt, done) => throwFirst(attempt, done, new Error("x")), ["x", "none"]],
    ["throws what is no error", (attempt, done) => throwFirst(attempt, done, { toString: null }), [noText, "none"]],
    ["returns what is no error", (attempt, done) => (attempt === 0 ? "failed" : done()), ["failed", "none"]],
  ])("that %s counts as if it had returned a promise", async (_, root, expected) => {
    const taskDir = openFolder();
    const errors: string[] = [];
    const runRoot = (attempt: number) => root(attempt, () => writeFileSync(join(taskDir, "DONE"), ""));
    const { outcome, error } = await superviseLoop({
      taskDir,
      projectDir: openFolder(),
      stateFolder: openFolder(),
      restartDelayMs: 1,
      maxRestarts: 3,
      runRoot: runRoot as SuperviseLoopOptions["runRoot"],
      onEvent: (event) => errors.push(...errorsOf(event)),
    });
    expect({ name: outcome.name, error, errors }).toEqual({ name: "completed", error: null, errors: expected });
  });
});

const noText = "something that has no text";

function throwFirst(attempt: number, done: () => void, thrown: unknown): void {
  if (attempt === 0) throw thrown;
  done();
}

describe("a listener", () => {
  const trouble: [string, () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("no listener of yours");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no listener of yours"))],
  ];

  it.each(trouble)("of superviseLoop that %s breaks nothing", async (_, onEvent) => {
    const taskDir = openFolder({ DONE: "" });
    const places = { taskDir, projectDir: openFolder(), stateFolder: openFolder() };
    expect(await superviseLoop({ ...places, runRoot: () => null, onEvent })).toMatchObject({ error: null });
  });

  it.each(trouble)("of any function that %s is not heard", (_, listener) => {
    expect(() => quietListener(listener)("a note")).not.toThrow();
  });

  it.each(trouble)("of createRalphLoopHook that %s breaks nothing", (_, log) => {
    const hook = createRalphLoopHook({
      workdir: openFolder(),
      config: { stateDir: openFolder() },
      criteria: null,
      log,
    });
    expect(hook.startLoop("session-1", "Fix it.")).toBe(true);
    expect(hook.cancelLoop("session-1")).toBe(true);
    hook.dispose();
  });

  it.each(trouble)("of runTasks that %s breaks nothing", async (_, onTaskEnd) => {
    const work = runTasks({
      projectDir: openFolder(),
      stateFolder: openFolder(),
      roles: ["coder"],
      onTaskEnd,
      tasks: [{ id: "one", title: "One" }],
      settings: { verifyCommand: "true" },
      agent: () => "<promise>IMPLEMENTATION_COMPLETE</promise>",
    });
    expect(await work.outcome).toMatchObject({ name: "completed" });
  });
});
