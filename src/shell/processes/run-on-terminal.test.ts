import { expect, it } from "vitest";
import { runOnTerminal } from "./run-on-terminal.ts";

const run = (...argv: string[]) =>
  runOnTerminal({ purpose: "tool", argv, cwd: "/", env: { PATH: process.env["PATH"] ?? "", WORD: "given" } });

it("tells how a program on the terminal ended, and what the system says when it cannot be started", async () => {
  expect(await run("sh", "-c", '[ "$WORD$PWD" = given/ ] && exit 3')).toEqual({
    isStarted: true,
    exitCode: 3,
    signal: null,
  });
  expect(await run("sh", "-c", "kill -9 $$")).toEqual({ isStarted: true, exitCode: null, signal: "SIGKILL" });
  expect(await run("/nowhere/editor")).toEqual({ isStarted: false, message: "spawn /nowhere/editor ENOENT" });
  expect(await run("a\0b")).toMatchObject({ isStarted: false });
});

it("leaves Ctrl-C to the program on the terminal, and takes it back when that has ended", async () => {
  const before = process.listenerCount("SIGINT");
  const running = run("true");
  expect(process.listenerCount("SIGINT")).toBe(before + 1);
  await running;
  expect(process.listenerCount("SIGINT")).toBe(before);
});
