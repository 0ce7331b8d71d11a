import { describe, expect, it } from "vitest";
import { isCancelAsked, loopCommandIn, loopCommandUsage, parseLoopCommand } from "./parse-loop-command.ts";

function check(line: string, expected: unknown): void {
  expect(parseLoopCommand(line)).toEqual(expected);
}

describe("parseLoopCommand", () => {
  it("reads the task and both options (S0-40, S0-41)", () =>
    check('/ralph "Fix all TypeScript errors in src/" --max-iterations=25 --completion-promise=ALL_FIXED', {
      prompt: "Fix all TypeScript errors in src/",
      options: { maxIterations: 25, completionPromise: "ALL_FIXED" },
    }));

  it("reads the arguments alone, in any order, with a space or an equals sign (S0-40, R-51)", () => {
    check('--max-iterations 3 "Fix it"', { prompt: "Fix it", options: { maxIterations: 3 } });
    check("'Fix it' --completion-promise 'ALL OK'", { prompt: "Fix it", options: { completionPromise: "ALL OK" } });
    check('"Fix it" --completion-promise="A = B"', { prompt: "Fix it", options: { completionPromise: "A = B" } });
    check("/ralph:ralph x", { prompt: "x", options: {} });
  });

  it("keeps an unquoted task as it was written (R-50)", () => {
    check("/ralph don't stop\n  at 'half' --max-iterations=2", {
      prompt: "don't stop\n  at 'half'",
      options: { maxIterations: 2 },
    });
    check('/ralph "say \\"hi\\" to $(x) `y` --loud"', { prompt: 'say "hi" to $(x) `y` --loud', options: {} });
  });

  it.each(["0", "-1", "x", "1.5", "1e3"])("refuses %s iterations (R-53, CW-0I)", (count) =>
    check(
      `/ralph "x" --max-iterations=${count}`,
      `--max-iterations is "${count}", expected a whole number of at least 1.`,
    ),
  );

  it("names what is missing, open or unknown (R-51)", () => {
    check("/ralph", `No task was given. Usage: ${loopCommandUsage}`);
    check('/ralph "x" --fast', `There is no option --fast. Usage: ${loopCommandUsage}`);
    check('/ralph "x" --completion-promise', `--completion-promise needs a value. Usage: ${loopCommandUsage}`);
    check('/ralph "x" --completion-promise=""', `--completion-promise needs a value. Usage: ${loopCommandUsage}`);
    check('/ralph "open', `A quote is not closed at "open. Usage: ${loopCommandUsage}`);
  });
});

describe("a line that a person typed", () => {
  it("is a command of ralph with and without the name of its plugin", () => {
    expect(["/ralph x", " /ralph:cancel-ralph", "/ralph-status"].map(loopCommandIn)).toEqual([
      "ralph",
      "cancel-ralph",
      "ralph-status",
    ]);
    expect(["/ralphs", "ralph x", "see /ralph"].map(loopCommandIn)).toEqual([null, null, null]);
  });

  it("ends the loop also while it waits behind others for the end of the turn (S0-42)", () => {
    expect(isCancelAsked(["Hello", "/cancel-ralph"])).toBe(true);
    expect(isCancelAsked(["/ralph-status"])).toBe(false);
    expect(isCancelAsked([])).toBe(false);
  });
});
