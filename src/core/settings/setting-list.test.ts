import { describe, expect, it } from "vitest";
import { describeValues, schemaAt, settingsJsonSchema } from "./setting-schema.ts";
import { settingList, variableOf } from "./setting-list.ts";
import { parseSettings } from "./parse-settings.ts";

const settings = settingList();

describe("the declaration of the settings", () => {
  it("says a sentence about every setting and its groups", () => {
    expect(settings.length).toBeGreaterThan(30);
    expect(settings.filter(({ sentence }) => !/^[A-Z].*[.…]$/.test(sentence)).map(({ key }) => key)).toEqual([]);
    const groups = Object.entries(settingsJsonSchema().properties ?? {});
    expect(groups.filter(([, { description = "" }]) => description === "").map(([name]) => name)).toEqual([]);
  });

  it("gives every setting a variable of its own", () => {
    const variables = settings.map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variableOf("agent.idleTimeout")).toBe("RALPH_AGENT_IDLE_TIMEOUT");
    expect(variables).toEqual(expect.arrayContaining(["RALPH_AGENT_COMMAND", "RALPH_MAXIMUM_ITERATIONS"]));
  });

  it("has every key of the document with its default (S1-09, S1-10)", () => {
    const defaults = Object.fromEntries(settings.map((setting) => [setting.key, setting.default]));
    expect(defaults).toMatchObject({
      maximumIterations: 10,
      completionResponse: "DONE",
      outputTruncateChars: 5000,
      streamAgentOutput: true,
      includeIterationCountInPrompt: false,
      "agent.flags": [],
      guardrails: [],
      scm: null,
    });
    expect(Object.keys(defaults)).toEqual(expect.arrayContaining(["agent.command", "scm.command", "scm.tasks"]));
  });

  it("tells defaults that the program has, too", () => {
    const stated = settings.filter(({ key, default: value }) => value !== undefined && !key.startsWith("scm."));
    for (const { path, default: value } of stated) {
      const layer = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      expect(parseSettings([{ source: "defaults", value: layer }])).toEqual(parseSettings([]));
    }
  });
});

describe("the schema for editors", () => {
  const schema = settingsJsonSchema();

  it("knows the fail actions, forbids unknown keys and allows $schema (S1-14)", () => {
    expect(schemaAt(["guardrails", 0, "failAction"])?.enum).toEqual(["APPEND", "PREPEND", "REPLACE"]);
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    expect(schema.properties).toHaveProperty("$schema");
    expect(schema.required ?? []).toEqual([]);
  });

  it("holds no limit that is only one of the language", () => {
    expect(JSON.stringify(schema)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });
});

describe("what a setting may be", () => {
  it.each<[string, string]>([
    ["maximumIterations", 'a whole number of at least 1 or "unbounded"'],
    ["agent.promptVia", '"stdin", "argument" or null'],
    ["agent.timeout", 'a duration such as "90s", "30m", "2h" or null'],
    ["agent.flags", "a list of texts"],
    ["completion.signals", 'a list of "promise" or "response"'],
    ["guardrails", "a list of objects with command, failAction and hint"],
    ["guardrails.0.failAction", '"APPEND", "PREPEND" or "REPLACE"'],
    ["scm", "an object with command, tasks, stage and hooks or null"],
    ["budget.spend", "a number above 0 or null"],
    ["streamAgentOutput", "true or false"],
    ["completion.requireProgress", "true, false or null"],
    ["completionResponse", "a text that is not blank"],
  ])("is said in words: %s", (key, expected) => {
    expect(describeValues(schemaAt(key.split(".")) ?? {})).toBe(expected);
  });

  it("is nothing for a setting that does not exist", () => {
    expect(schemaAt(["agent", "comand"])).toBeNull();
    expect(schemaAt(["agent", "command", "x"])).toBeNull();
  });
});
