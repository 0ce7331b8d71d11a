import { expect, it } from "vitest";
import { findFailedHook } from "./failed-hook.ts";

const lines = (...events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const started = (sid: string, id: number, hook?: string): object => ({
  event: "child_start",
  sid,
  child_id: id,
  ...(hook === undefined ? {} : { child_class: "hook", hook_name: hook }),
});
const ended = (sid: string, id: number, code: number): object => ({ event: "child_exit", sid, child_id: id, code });

it.each<[string, string, ReturnType<typeof findFailedHook>]>([
  ["nothing", "", null],
  ["half a line", '{"event":"child_st', null],
  ["a hook that passed", lines(started("a", 0, "pre-commit"), ended("a", 0, 0)), null],
  ["a program that is not a hook", lines(started("a", 0), ended("a", 0, 2)), null],
  [
    "the one of several that failed",
    lines(started("a", 0, "pre-commit"), ended("a", 0, 0), started("a", 1, "commit-msg"), ended("a", 1, 3)),
    { name: "commit-msg", exitCode: 3 },
  ],
  [
    "a hook that passed, of whose own hooks one failed",
    lines(started("a", 0, "pre-commit"), started("a/b", 0, "post-checkout"), ended("a/b", 0, 9), ended("a", 0, 0)),
    null,
  ],
  [
    "no hook of a git that a hook started",
    lines(started("a", 0, "pre-commit"), started("a/b", 0, "post-checkout"), ended("a/b", 0, 9), ended("a", 0, 1)),
    { name: "pre-commit", exitCode: 1 },
  ],
])("finds the hook that failed in what git tells of its processes: %s", (_, text, found) =>
  expect(findFailedHook(text)).toEqual(found),
);
