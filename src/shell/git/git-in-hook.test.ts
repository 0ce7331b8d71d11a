import { expect, it, onTestFinished } from "vitest";
import { openRepository } from "../../../tests/git/scratch-repository.ts";
import { askGitInHook, endGitInHook } from "./git-in-hook.ts";

it("a hook whose time is over asks git nothing any more, and hears it before", () => {
  onTestFinished(() => endGitInHook(Number.POSITIVE_INFINITY));
  const { project } = openRepository();
  const words = ["rev-parse", "--show-prefix"];
  endGitInHook(process.uptime() * 1000 + 60_000);
  expect(askGitInHook(project, words)).toBe("\n");
  endGitInHook(process.uptime() * 1000);
  expect(askGitInHook(project, words)).toBeNull();
});
