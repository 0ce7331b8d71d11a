import { describe, expect, it } from "vitest";
import { describeFailure } from "./run-tool.ts";

/** The sentence about a call that failed with this output. */
function said(output: string, exitCode = 128): string {
  return describeFailure("git push", { exitCode, output, stdout: "", isWhole: true, isFound: true, isTimedOut: false });
}

describe("a failed call is told by the line that matters", () => {
  it.each([
    [
      "To origin\nerror: failed to push some refs\nhint: Updates were rejected\nhint: See the note",
      "error: failed to push some refs",
    ],
    [
      "fatal: Unable to create '/p/.git/index.lock': File exists.\n\nremove the file manually to continue.",
      "fatal: Unable to create '/p/.git/index.lock': File exists.",
    ],
    ["first\nlast\n", "last"],
    ["It did not work.\nhint: Try again", "It did not work."],
  ])("row %#", (output, line) => {
    expect(said(output)).toBe(`git push exited with code 128: ${line}`);
  });

  it("and one that said nothing by its exit code", () => {
    expect(said("")).toBe("git push exited with code 128 and said nothing.");
  });

  it("and one that was cut by its time", () => {
    expect(said("", -1)).toBe("git push did not end within its time.");
  });

  it("and one that did not start by why it did not", () => {
    expect(said("git was not found.", -1)).toBe("git push could not run: git was not found.");
  });
});
