import { describe, expect, it } from "vitest";
import { parseSettings } from "../../../core/settings/parse-settings.ts";
import { type Offers, settingsWithoutQuestions } from "../../../app/setup/first-settings.ts";
import { askSettings, isYes } from "./ask-settings.ts";
import type { Dialogue } from "../input/dialogue.ts";

/** A person who gives these answers and then none; what was said and asked is kept. */
function person(...answers: string[]) {
  const heard: string[] = [];
  const offered: Record<string, readonly string[]> = {};
  const dialogue: Dialogue = {
    ask(prompt, offers = []) {
      heard.push(prompt);
      offered[prompt] = offers;
      const answer = answers.shift();
      return answer === undefined ? Promise.reject(new Error("no more answers")) : Promise.resolve(answer);
    },
    say: (line) => void heard.push(line),
    close: () => {},
  };
  return { dialogue, heard, offered };
}

const nothing: Offers = { agents: [], checks: [] };
const prompts = {
  command: "Agent command (e.g., claude, codex, amp, or other LLM CLI): ",
  flags: "Agent flags (comma-separated, optional): ",
  iterations: "Maximum iterations [10]:",
  completion: "Completion response [DONE]:",
  guardrail: "Add guardrail command (leave blank to finish): ",
  action: "  Fail action (APPEND|PREPEND|REPLACE): ",
  hint: "  Hint (optional, guidance for agent on failure): ",
  scm: "Configure SCM? (y/N):",
  scmCommand: "  SCM command (e.g., git): ",
  scmTasks: "  SCM tasks (comma-separated, e.g., commit,push): ",
};

/** Resolves with what was asked. */
async function check(answers: string[], expected: object): Promise<string[]> {
  const { dialogue, heard } = person(...answers);
  const settings = await askSettings(dialogue, nothing);
  expect(settings).toMatchObject(expected);
  expect(() => parseSettings([{ source: "init", value: settings }])).not.toThrow();
  return heard;
}

describe("the questions of init", () => {
  it("are those of the document, in its order and words (S1-21..28)", async () => {
    const answers = ["codex", "-a, -b", "7", "READY", "make test", "append", "Look.", "", "y", "git", "commit,push"];
    const asked = await check(answers, {
      agent: { command: "codex", flags: ["-a", "-b"] },
      maximumIterations: 7,
      completionResponse: "READY",
      guardrails: [{ command: "make test", failAction: "APPEND", hint: "Look." }],
      scm: { command: "git", tasks: ["commit", "push"] },
    });
    expect(asked).toEqual([
      prompts.command,
      prompts.flags,
      prompts.iterations,
      prompts.completion,
      prompts.guardrail,
      prompts.action,
      prompts.hint,
      prompts.guardrail,
      prompts.scm,
      prompts.scmCommand,
      prompts.scmTasks,
    ]);
  });

  it("may be left blank but for the agent: defaults, no guardrail, no delivery (S1-22..25, S1-27, S1-28)", async () => {
    const { dialogue } = person("x", "", "", "", "", "");
    expect(await askSettings(dialogue, nothing)).toEqual({
      maximumIterations: 10,
      completionResponse: "DONE",
      outputTruncateChars: 5000,
      streamAgentOutput: true,
      agent: { command: "x", flags: [] },
      guardrails: [],
    });
  });

  it("ask again for a blank agent (S1-21)", async () => {
    const asked = await check(["", "", "x", "", "", "", "", ""], { agent: { command: "x" } });
    expect(asked.slice(0, 4)).toEqual([prompts.command, prompts.command, prompts.command, prompts.flags]);
  });

  it.each<[string, string[]]>([
    ["--model,opus", ["--model", "opus"]],
    [" -a ,, -b c ,", ["-a", "-b c"]],
    [",", []],
  ])("split flags at commas: %j (S1-22, CW-1D)", async (answer, flags) => {
    await check(["x", answer, "", "", "", ""], { agent: { flags } });
  });

  it.each(["0", "-1", "1.5", "many", "1e3", "99999999999999999999"])(
    "ask again for %j iterations (S1-23)",
    async (answer) => {
      await check(["x", "", answer, "12", "", "", ""], { maximumIterations: 12 });
    },
  );

  it.each([
    ["append", "APPEND"],
    ["Prepend", "PREPEND"],
    ["REPLACE", "REPLACE"],
  ])("take the action %s as %s and ask again for anything else (S1-26, S1-14)", async (answer, failAction) => {
    await check(["x", "", "", "", "make", "", "IGNORE", answer, "", "", ""], {
      guardrails: [{ command: "make", failAction }],
    });
  });

  it("take several guardrails, and no hint for a blank one (S1-25, S1-26)", async () => {
    const { dialogue } = person("x", "", "", "", "a", "APPEND", "", "b", "REPLACE", "h", "", "");
    expect((await askSettings(dialogue, nothing)).guardrails).toEqual([
      { command: "a", failAction: "APPEND" },
      { command: "b", failAction: "REPLACE", hint: "h" },
    ]);
  });

  it("ask again for a delivery without program or tasks (S1-27)", async () => {
    const answers = ["x", "", "", "", "", "yes", "", "git", " , ", "commit"];
    await check(answers, { scm: { command: "git", tasks: ["commit"] } });
  });

  it("tell the agents and checks that were found, and offer them", async () => {
    const { dialogue, heard, offered } = person("x", "", "", "", "", "");
    await askSettings(dialogue, { agents: ["first", "second"], checks: ["make test", "make lint"] });
    expect(heard[0]).toBe("Agents found on this machine: first, second");
    expect(heard).toContain("Checks found in this repository: make test, make lint");
    expect(offered[prompts.command]).toEqual(["first", "second"]);
    expect(offered[prompts.guardrail]).toEqual(["make test", "make lint"]);
  });
});

describe("a question with a default of no", () => {
  it.each([
    ["y", true],
    ["Yes", true],
    ["", false],
    ["n", false],
    ["yellow", false],
  ])("takes %j for %s (S1-20, S1-27)", async (answer, expected) =>
    expect(await isYes(person(answer).dialogue, "Overwrite? (y/N): ")).toBe(expected),
  );
});

describe("settings without questions", () => {
  it("have the found checks as guardrails and no delivery (S1-28)", () => {
    const settings = settingsWithoutQuestions("x", ["make test"]);
    expect(settings).toMatchObject({
      agent: { command: "x", flags: [] },
      guardrails: [{ command: "make test", failAction: "APPEND" }],
      outputTruncateChars: 5000,
    });
    expect(settings).not.toHaveProperty("scm");
  });
});
