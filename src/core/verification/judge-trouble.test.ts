import { describe, expect, it } from "vitest";
import { type JudgeCall, judgeTrouble } from "./judge-trouble.ts";

const call: JudgeCall = {
  answer: null,
  startError: null,
  isTimedOut: false,
  exitCode: 1,
  output: "",
  errorOutput: "",
};

/** Whether a call is worth repeating, and what is told of it. */
function check(given: Partial<JudgeCall>, isLasting: boolean, words?: string): void {
  const told = words === undefined ? {} : { words };
  expect(judgeTrouble({ ...call, ...given })).toMatchObject({ isLasting, ...told });
}

describe("trouble of a judge", () => {
  it.each([
    "Invalid API key · Please run /login",
    "Not logged in · Please run /login",
    'Failed to authenticate. API Error: 401 {"type":"error"}',
    "ERROR: unexpected status 401 Unauthorized: Missing bearer",
    "API key not valid. Please pass a valid API key.",
    "No authentication information found.",
    "sim: Scripted failure: the key was refused",
    "There's an issue with the selected model (none). It may not exist or you may not have access to it.",
    "Error: Model not found: nobody/none.",
    "models/none is not found for API version v1beta",
    "The 'none' model is not supported when using a ChatGPT account.",
    'Error: Model "none" from --model flag is not available.',
    "sim: Scripted failure: there is no such model",
  ])("lasts when a program that failed says last: %j", (line) => {
    check({ errorOutput: `Reading the prompt\n${line}\n` }, true);
    check({ output: `${line}\n` }, true, line);
  });

  it.each([
    "API Error: 529 Overloaded",
    "Claude usage limit reached. Run /login for another account.",
    "429 Too Many Requests: check your API key's quota",
    "connect ECONNREFUSED 127.0.0.1:443",
    "The model call failed: the network is down",
    "sim: Scripted failure: the usage limit is reached",
    "Segmentation fault",
  ])("may pass when it says last: %j", (line) => check({ errorOutput: `${line}\n` }, false, line));

  it("lasts when the program is not there, and may pass for want of resources", () => {
    check({ startError: { kind: "not-found", message: "judge was not found" } }, true, "judge was not found");
    check({ startError: { kind: "resources", message: "no process left" } }, false, "no process left");
  });

  it("is not looked for in an answer, in early lines, or after a timeout", () => {
    check({ exitCode: 0, answer: "The API key is invalid, says the test." }, false);
    check({ errorOutput: `Not logged in\n${"at work\n".repeat(3)}` }, false);
    check(
      { isTimedOut: true, errorOutput: "Not logged in" },
      false,
      "it did not answer in time (verification.timeout)",
    );
  });

  it("is told in one clean, bounded line", () => {
    check({ errorOutput: "\u001B[31mbroken\u001B[0m\npipe" }, false, "broken pipe");
    check({}, false, "it ended with exit code 1");
    check({ exitCode: null }, false, "it was ended by a signal");
    check({ exitCode: 0, answer: " \n" }, false, "nothing");
    expect(judgeTrouble({ ...call, errorOutput: "x".repeat(5000) }).words.length).toBeLessThan(350);
  });
});
