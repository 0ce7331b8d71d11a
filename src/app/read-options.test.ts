import { describe, expect, it } from "vitest";
import { RalphError } from "../core/ralph-error.ts";
import {
  abortSignal,
  aFunction,
  anyText,
  directory,
  flag,
  listOf,
  milliseconds,
  oneOf,
  readOptions,
  requireOption,
  required,
  text,
  wholeNumber,
} from "./read-options.ts";

type Given = {
  path: string;
  count?: number;
  delayMs?: number;
  mode?: string;
  isDry?: boolean;
  names?: string[];
  note?: string;
  onEvent?: unknown;
  signal?: AbortSignal;
  folder?: string;
};

const rules = {
  path: required(text),
  count: wholeNumber(1),
  delayMs: milliseconds(0),
  mode: oneOf(["fast", "slow"]),
  isDry: flag,
  names: listOf(text),
  note: anyText,
  onEvent: aFunction,
  signal: abortSignal,
  folder: directory,
};

/** What is wrong with the options, null when they are taken as they are. */
function check(options: unknown, expected: string | null): void {
  const problem = problemOf(() => readOptions<Given>("doIt", options as Given, rules));
  expect(problem).toEqual(expected === null ? null : { code: "usage", message: `doIt: ${expected}` });
}

function problemOf(read: () => unknown): { code: string; message: string } | null {
  try {
    read();
    return null;
  } catch (error) {
    return error instanceof RalphError ? { code: error.code, message: error.message } : { code: "", message: "" };
  }
}

describe("the options of a function of the library", () => {
  it("are taken as they are when each of them is as expected", () => {
    check({ path: "a" }, null);
    check({ path: "a", count: 1, delayMs: 0.5, mode: "slow", isDry: false, names: [], note: "" }, null);
    check({ path: "a", onEvent: () => {}, signal: new AbortController().signal, count: undefined, folder: "." }, null);
  });

  it("are refused with the option, the value found and what is expected", () => {
    check({}, "option path is missing, expected a text that is not empty.");
    check({ path: " " }, 'option path is " ", expected a text that is not empty.');
    check({ path: null }, "option path is null, expected a text that is not empty.");
    check({ path: "a", count: 1.5 }, "option count is 1.5, expected a whole number of at least 1.");
    check({ path: "a", count: "3" }, 'option count is "3", expected a whole number of at least 1.');
    check({ path: "a", delayMs: Number.NaN }, "option delayMs is NaN, expected milliseconds, at least 0.");
    check({ path: "a", mode: "quick" }, 'option mode is "quick", expected "fast" or "slow".');
    check({ path: "a", isDry: 1 }, "option isDry is 1, expected true or false.");
    check({ path: "a", names: ["b", 2] }, "option names[1] is 2, expected a text that is not empty.");
    check({ path: "a", note: {} }, "option note is an object, expected a text.");
    check({ path: "a", onEvent: "log" }, 'option onEvent is "log", expected a function.');
    check({ path: "a", signal: {} }, "option signal is an object, expected an AbortSignal.");
    check({ path: "a", folder: "nowhere" }, 'option folder is "nowhere", expected a directory that exists.');
    check(
      { path: "a", folder: import.meta.filename },
      `option folder is "${import.meta.filename}", expected a directory that exists.`,
    );
    check({ path: "a", mode: () => {} }, 'option mode is a function, expected "fast" or "slow".');
  });

  it("are refused when they are no object, or have a name that nobody knows", () => {
    check("a", 'options are "a", expected an object.');
    check(undefined, "options are missing, expected an object.");
    check(["a"], "options are a list of 1, expected an object.");
    check({ path: "a", cuont: 1 }, "there is no option cuont; did you mean count?");
    check({ path: "a", zzzzzzzz: 1 }, `there is no option zzzzzzzz; expected only ${Object.keys(rules).join(", ")}.`);
  });

  it("show a long value by its beginning", () => {
    check({ path: "a", mode: "x".repeat(200) }, `option mode is "${"x".repeat(76)}..., expected "fast" or "slow".`);
  });

  it("may be one value that stands alone", () => {
    const rule = required(text);
    expect(requireOption("doIt", "agent", { value: "a", rule })).toBe("a");
    expect(() => requireOption("doIt", "agent", { value: 3, rule })).toThrow(
      "doIt: agent is 3, expected a text that is not empty.",
    );
  });
});
