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

  it("explain the delivery tasks and ask again for one that is none of them; the same answer again is meant (S1-28)", async () => {
    const begin = ["x", "", "", "", "", "y", ""];
    const heard = await check([...begin, "comit, push", "commit,push"], {
      scm: { command: "git", tasks: ["commit", "push"] },
    });
    expect(heard.slice(-5)).toEqual([
      prompts.scmTasks,
      '  Unknown task "comit"; did you mean "commit"?',
      "  commit, push: after green guardrails; pr: a pull request, once, at the end.",
      '  Others run as "git comit": give the same answer again if you mean that.',
      prompts.scmTasks,
    ]);
    await check([...begin, "foo", "foo"], { scm: { command: "git", tasks: ["foo"] } });
    await check([...begin, "foo", ""], { scm: { command: "git", tasks: ["commit"] } });
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

  it("explain and ask again for a blank agent when none was found (S1-21)", async () => {
    const asked = await check(["", "x", "", "", "", "", ""], { agent: { command: "x" } });
    expect(asked.slice(0, 4)).toEqual([
      prompts.command,
      "An agent is needed: its program's name, or a path to it. None was found on this machine.",
      prompts.command,
      prompts.flags,
    ]);
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
    const asked = await check(["x", "", "", "", "make", "IGNORE", answer, "", "", ""], {
      guardrails: [{ command: "make", failAction }],
    });
    expect(asked.find((line) => line.includes('"IGNORE" is not one of them'))).toBeDefined();
  });

  it("take APPEND for a blank action (S1-26)", async () => {
    await check(["x", "", "", "", "make", "", "", "", ""], { guardrails: [{ command: "make", failAction: "APPEND" }] });
  });

  it("take several guardrails, and no hint for a blank one (S1-25, S1-26)", async () => {
    const { dialogue } = person("x", "", "", "", "a", "APPEND", "", "b", "REPLACE", "h", "", "");
    expect((await askSettings(dialogue, nothing)).guardrails).toEqual([
      { command: "a", failAction: "APPEND" },
      { command: "b", failAction: "REPLACE", hint: "h" },
    ]);
  });

  it("take git and commit for a delivery without program or tasks (S1-27)", async () => {
    await check(["x", "", "", "", "", "yes", "", " , "], { scm: { command: "git", tasks: ["commit"] } });
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

it("tells which found checks a blank answer leaves out, and nothing where one was taken", async () => {
  const said = "Left out, though found here: make test. To choose again: ralph init --force";
  const offers: Offers = { agents: [], checks: ["make test"] };
  const none = person("x", "", "", "", "", "");
  await askSettings(none.dialogue, offers);
  expect(none.heard).toContain(said);
  const one = person("x", "", "", "", "make test", "", "", "", "");
  await askSettings(one.dialogue, offers);
  expect(one.heard).not.toContain(said);
});

describe("the short way", () => {
  const offers: Offers = { agents: ["claude", "codex"], checks: ["npm test"] };
  const permissions = "Permissions (edits|all|own) [edits]: ";

  it("takes agent, checks and defaults with one Enter, and asks for the permissions only", async () => {
    const { dialogue, heard } = person("", "");
    expect(await askSettings(dialogue, offers)).toMatchObject({
      maximumIterations: 10,
      agent: { command: "claude", flags: ["--permission-mode", "acceptEdits"] },
      guardrails: [{ command: "npm test", failAction: "APPEND" }],
    });
    expect(heard).toContain("Enter takes claude, these checks and the defaults; an answer asks for all.");
    expect(heard.filter((line) => line === prompts.command || line === permissions)).toHaveLength(2);
    expect(heard.join("\n")).toMatch(/ {2}edits {3}may edit files.*\n {2}all {5}may do all/);
  });

  it("takes another found agent by its number, with everything else as it was found", async () => {
    const { dialogue, heard } = person("2", "");
    expect(await askSettings(dialogue, offers)).toMatchObject({
      agent: { command: "codex", flags: [] },
      guardrails: [{ command: "npm test", failAction: "APPEND" }],
    });
    expect(heard).toContain("A number takes another agent in the same way: 2 codex");
  });

  it("explains a number that no agent has, and asks again", async () => {
    const { dialogue, heard } = person("3", "2", "");
    expect((await askSettings(dialogue, offers)).agent.command).toBe("codex");
    expect(heard).toContain("There is no agent 3: 2 found on this machine.");
  });

  it("explains a wrong permission and asks again", async () => {
    const { dialogue, heard } = person("", "plan", "ALL");
    const { agent } = await askSettings(dialogue, offers);
    expect(agent.flags).toEqual(["--dangerously-skip-permissions"]);
    expect(heard).toContain('"plan" is not one of them: edits, all, own.');
  });

  it("asks nothing more where there is nothing to choose", async () => {
    const { dialogue } = person("");
    expect(await askSettings(dialogue, { agents: ["amp"], checks: [] })).toMatchObject({ agent: { flags: [] } });
  });
});

describe("the flags of the long way", () => {
  it.each<[string, string, string[]]>([
    ["claude", "", ["--permission-mode", "acceptEdits"]],
    ["claude", "--model,opus", ["--model", "opus", "--permission-mode", "acceptEdits"]],
    ["claude", "--permission-mode=plan", ["--permission-mode=plan"]],
    ["claude", "--model opus,--permission-mode plan", ["--model opus", "--permission-mode plan"]],
    ["claude", "--dangerously-skip-permissions", ["--dangerously-skip-permissions"]],
    ["gemini", "-m,x", ["-m", "x", "--approval-mode", "auto_edit"]],
    ["codex", "", []],
    ["codex", "-m,x", ["-m", "x"]],
  ])("are of %s for the answer %j: %j (S1-22, CB-12)", async (command, answer, flags) => {
    await check([command, answer, "", "", "", ""], { agent: { command, flags } });
  });

  it("are completed by permissions that the answer leaves open, and the person is told what those mean (S1-22, CB-12)", async () => {
    const said =
      "Added --permission-mode acceptEdits: claude may edit files; commands need a rule in its own settings.";
    expect(await check(["claude", "--model,opus", "", "", "", ""], {})).toContain(said);
    expect(await check(["claude", "", "", "", "", ""], {})).toContain(said);
    expect((await check(["claude", "--permission-mode=plan", "", "", "", ""], {})).join()).not.toContain("Added");
  });
});

describe("a question with a default of no", () => {
  it.each([
    ["y", true],
    ["Yes", true],
    ["", false],
    ["n", false],
  ])("takes %j for %s (S1-20, S1-27)", async (answer, expected) =>
    expect(await isYes(person(answer).dialogue, "Overwrite? (y/N): ")).toBe(expected),
  );

  it("explains another answer and asks again (S1-27)", async () => {
    const { dialogue, heard } = person("maybe", "yes");
    expect(await isYes(dialogue, "Configure SCM? (y/N):")).toBe(true);
    expect(heard).toContain('"maybe" is neither yes nor no.');
  });
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
