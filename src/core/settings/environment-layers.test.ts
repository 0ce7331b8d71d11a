import { describe, expect, it } from "vitest";
import { environmentLayers, environmentWarnings } from "./environment-layers.ts";
import { parseSettings } from "./parse-settings.ts";

describe("a variable of the environment sets its setting", () => {
  function check(name: string, text: string, expected: unknown): void {
    expect(environmentLayers({ [name]: text })).toEqual([{ source: `environment ${name}`, value: expected }]);
  }

  it.each<[string, string, unknown]>([
    ["RALPH_MAXIMUM_ITERATIONS", "7", { maximumIterations: 7 }],
    ["RALPH_MAXIMUM_ITERATIONS", "unbounded", { maximumIterations: "unbounded" }],
    ["RALPH_MAX_ITERATIONS", "7", { maximumIterations: 7 }],
    ["RALPH_COMPLETION_RESPONSE", "123 ok", { completionResponse: "123 ok" }],
    ["RALPH_COMPLETION_RESPONSE", "123", { completionResponse: "123" }],
    ["RALPH_STREAM_AGENT_OUTPUT", "off", { streamAgentOutput: false }],
    ["RALPH_STREAM_AGENT_OUTPUT", "1", { streamAgentOutput: true }],
    ["RALPH_AGENT_COMMAND", "claude", { agent: { command: "claude" } }],
    ["RALPH_AGENT_FLAGS", "--model, opus", { agent: { flags: ["--model", "opus"] } }],
    ["RALPH_AGENT_FLAGS", '["--system","a,b"]', { agent: { flags: ["--system", "a,b"] } }],
    ["RALPH_AGENT_IDLE_TIMEOUT", "90s", { agent: { idleTimeout: "90s" } }],
    ["RALPH_AGENT_IDLE_TIMEOUT", "null", { agent: { idleTimeout: null } }],
    ["RALPH_BUDGET_SPEND", "2.50", { budget: { spend: 2.5 } }],
    ["RALPH_STORE_KEEP_DAYS", "3", { store: { keep: { days: 3 } } }],
    ["RALPH_SCM", "null", { scm: null }],
    ["RALPH_SCM_TASKS", "commit,push", { scm: { tasks: ["commit", "push"] } }],
    [
      "RALPH_GUARDRAILS",
      '[{"command":"make","failAction":"APPEND"}]',
      { guardrails: [{ command: "make", failAction: "APPEND" }] },
    ],
  ])("%s=%s", check);

  it("unless it is empty, of the program itself, or unknown", () => {
    const environment = {
      RALPH_AGENT_COMMAND: " ",
      RALPH_STATE_HOME: "/x",
      RALPH_RUN_ID: "a",
      RALPH_TURN: "a.1",
      RALPH_SOMETHING_ELSE: "1",
      PATH: "/bin",
    };
    expect(environmentLayers(environment)).toEqual([]);
    expect(environmentWarnings(environment)).toEqual([]);
  });

  it.each([
    ["RALPH_MAXIMUM_ITERATIONS", "many", "maximumIterations"],
    ["RALPH_STREAM_AGENT_OUTPUT", "maybe", "streamAgentOutput"],
    ["RALPH_GUARDRAILS", "[{]", "guardrails"],
    ["RALPH_SCM", "git", "scm"],
    ["RALPH_BUDGET_SPEND", "-1", "budget.spend"],
  ])("and is named when its value is wrong: %s=%s (S1-13)", (name, text, key) => {
    expect(() => parseSettings(environmentLayers({ [name]: text }))).toThrow(`environment ${name}: ${key}: expected `);
  });

  it("and is stronger than a file, weaker than a flag (S1-07)", () => {
    const file = { source: ".ralph/settings.json", value: { maximumIterations: 1, completionResponse: "FILE" } };
    const variables = environmentLayers({ RALPH_MAXIMUM_ITERATIONS: "2", RALPH_COMPLETION_RESPONSE: "VARIABLE" });
    const flags = { source: "command line", value: { maximumIterations: 3 } };
    expect(parseSettings([file, ...variables, flags])).toMatchObject({
      maximumIterations: 3,
      completionResponse: "VARIABLE",
    });
  });
});

describe("a variable that looks like a setting and is none", () => {
  it.each([
    ["RALPH_MAXIMUM_ITERATION", "Did you mean RALPH_MAXIMUM_ITERATIONS?"],
    ["RALPH_AGENT_COMAND", "Did you mean RALPH_AGENT_COMMAND?"],
  ])("is warned about: %s", (name, expected) =>
    expect(environmentWarnings({ [name]: "x" })).toEqual([`${name} is not a setting. ${expected}`]),
  );
});
