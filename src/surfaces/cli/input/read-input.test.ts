import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { RalphError } from "../../../core/ralph-error.ts";
import { amountOption, countOption, durationOption, isOn, projectDirOption, textOption } from "./read-input.ts";

type Reader = (options: Record<string, unknown>, name: string, flag: string) => number | null;

/** What a reader makes of a text; a refusal is shown by its code and message. */
function check(read: Reader, text: unknown, expected: number | null | string): void {
  expect(attempt(read, text)).toBe(typeof expected === "string" ? `usage: ${expected}` : expected);
}

function attempt(read: Reader, text: unknown): number | null | string {
  try {
    return read({ it: text }, "it", "--it");
  } catch (error) {
    return error instanceof RalphError ? `${error.code}: ${error.message}` : String(error);
  }
}

describe("a count", () => {
  it.each([
    ["1", 1],
    ["250", 250],
    [" 7 ", 7],
  ])("%j is taken", (text, expected) => check(countOption, text, expected));

  it.each(["0", "-1", "x", "1.5", "", "1e3", "0x10", "99999999999999999999"])(
    "%j is refused and shown (R-53)",
    (text) => check(countOption, text, `--it takes a whole number of at least 1, found "${text}".`),
  );

  it("that was not given is nothing (S1-06)", () => check(countOption, undefined, null));
});

describe("an amount", () => {
  it.each([
    ["5", 5],
    ["2.50", 2.5],
    ["$3", 3],
  ])("%j is taken", (text, expected) => check(amountOption, text, expected));

  it.each(["0", "-1", "free", "", "Infinity"])("%j is refused and shown", (text) =>
    check(amountOption, text, `--it takes an amount above zero such as 5 or 2.50, found "${text}".`),
  );
});

describe("a duration", () => {
  it.each([
    ["90s", 90_000],
    ["2h", 7_200_000],
  ])("%j is taken", (text, expected) => check(durationOption, text, expected));

  it.each(["0s", "soon", "-5m", ""])("%j is refused and shown", (text) =>
    check(durationOption, text, `--it takes a duration such as 90s, 30m or 2h, found "${text}".`),
  );

  it("without a unit is refused with the words to type", () =>
    check(
      durationOption,
      "90",
      '--it takes a duration such as 90s, 30m or 2h, found "90". A duration needs a unit: --it 90s for seconds, --it 90m for minutes, --it 90ms for milliseconds.',
    ));
});

describe("other options", () => {
  it("are texts and switches only where they were given (S1-06)", () => {
    expect([textOption({ a: "x" }, "a"), textOption({}, "a"), textOption({ a: true }, "a")]).toEqual(["x", null, null]);
    expect([isOn({ a: true }, "a"), isOn({ a: false }, "a"), isOn({}, "a")]).toEqual([true, false, false]);
  });
});

describe("the project directory", () => {
  const scratch = (): string => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-input-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };

  it("is the current one unless another is given", () => {
    expect(projectDirOption({})).toBe(realpathSync(process.cwd()));
  });

  it("has one name, however it is reached", () => {
    const folder = scratch();
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    expect(projectDirOption({ projectDir: join(folder, "link") })).toBe(join(folder, "real"));
    expect(projectDirOption({ projectDir: join(folder, "real", "..", "real") })).toBe(join(folder, "real"));
  });

  it("must be there and be a directory", () => {
    const folder = scratch();
    writeFileSync(join(folder, "file"), "");
    for (const name of ["file", "missing"])
      expect(() => projectDirOption({ projectDir: join(folder, name) })).toThrow(
        `${join(folder, name)} is not a directory.`,
      );
  });
});
