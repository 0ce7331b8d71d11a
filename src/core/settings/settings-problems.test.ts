import { describe, expect, it } from "vitest";
import { aliases, withoutAliases, writtenPath } from "./aliases.ts";
import { redacted } from "./redact.ts";
import { holderOf, lineIn, type SettingsLayer } from "./settings-layer.ts";
import { inspectSettings, problemLine, settingsError } from "./settings-problems.ts";

/** A file as it would be read. */
function file(text: string, source = ".ralph/settings.json"): SettingsLayer {
  return { source, value: JSON.parse(text), text };
}

describe("a problem names file, line, setting, value and remedy (S1-13)", () => {
  function check(text: string, ...expected: string[]): void {
    expect(inspectSettings([file(text)]).problems.map(problemLine)).toEqual(expected);
  }

  it.each([
    [
      '{\n  "maximumIterations": "ten"\n}',
      '.ralph/settings.json:2: maximumIterations: expected a whole number of at least 1 or "unbounded", found "ten".',
    ],
    [
      '{\n\n  "outputTruncateChars": 0 }',
      ".ralph/settings.json:3: outputTruncateChars: expected a whole number of at least 1, found 0.",
    ],
    [
      '{"agent": {\n "comand": "x" }}',
      '.ralph/settings.json:2: unknown setting "agent.comand". Did you mean "command"?',
    ],
    [
      '{"guardrails": [\n {"command": "a",\n "failAction": "IGNORE"}]}',
      '.ralph/settings.json:3: guardrails.0.failAction: expected "APPEND", "PREPEND" or "REPLACE", found "IGNORE".',
    ],
    [
      '{"guardrails": [\n {"command": "a"}]}',
      '.ralph/settings.json:2: guardrails.0.failAction: expected "APPEND", "PREPEND" or "REPLACE", found nothing.',
    ],
    [
      '{\n "guardrailTimeout": "soon"}',
      '.ralph/settings.json:2: guardrailTimeout: "soon" is not a duration such as "90s", "30m" or "2h", found "soon".',
    ],
    ["\n[]", ".ralph/settings.json:1: settings must be a JSON object, found []."],
  ])("in %j (S1-14)", check);

  it("under the name the file has for it (CB-02)", () =>
    check(
      '{\n "maxIterations": 0}',
      '.ralph/settings.json:2: maxIterations: expected a whole number of at least 1 or "unbounded", found 0.',
    ));

  it("also when another layer overrides the wrong value (S1-13)", () => {
    const problems = inspectSettings([
      file('{"maximumIterations": "x"}'),
      file('{"maximumIterations": 3}', ".ralph/settings.local.json"),
    ]).problems;
    expect(problems).toMatchObject([{ source: ".ralph/settings.json", line: 1, key: "maximumIterations" }]);
  });

  it("but not when one layer has a part and another one the rest", () => {
    const layers = [file('{"scm": {"stage": "all"}}'), file('{"scm": {"command": "git", "tasks": ["commit"]}}')];
    expect(inspectSettings(layers)).toMatchObject({ settings: { scm: { stage: "all" } }, problems: [] });
  });

  it("for a name every object has", () =>
    check('{"constructor": 1}', '.ralph/settings.json:1: unknown setting "constructor".'));

  it("without showing a secret (S1-83)", () =>
    check(
      '{"agent": {"flags": "--api-key=abc123"}}',
      '.ralph/settings.json:1: agent.flags: expected a list of texts, found "--api-key=[redacted]".',
    ));

  it("as one error with all of them", () => {
    const { problems } = inspectSettings([file('{"a": 1, "streamAgentOutput": 2}')]);
    const { code, message, hint } = settingsError(problems);
    expect(code).toBe("settings");
    expect(message.split("\n")).toHaveLength(2);
    expect(hint).toContain("ralph settings schema");
  });
});

describe("layers", () => {
  const layers = [file('{\n"agent": {\n"command": "a"}}', "base"), { source: "command line", value: { agent: {} } }];

  it("say which of them holds a setting, or what is nearest to it", () => {
    expect(holderOf(["agent", "command"], layers)?.layer.source).toBe("base");
    expect(holderOf(["agent", "model"], layers)).toMatchObject({ layer: { source: "command line" }, path: ["agent"] });
    expect(holderOf(["scm"], [])).toBeNull();
  });

  it("know lines only of files", () => {
    expect(layers.map((layer) => lineIn(layer, ["agent", "command"]))).toEqual([3, null]);
  });

  it("have one name for one thing (CB-02)", () => {
    const nested = (key: string) => key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), 1);
    for (const [alias, name] of aliases) {
      expect(withoutAliases(nested(alias))).toEqual(nested(name));
      expect(writtenPath(nested(alias), name.split("."))).toEqual(alias.split("."));
      expect(withoutAliases({ [alias]: 1 })).toEqual(nested(name));
      expect(writtenPath({ [alias]: 1 }, name.split("."))).toEqual([alias]);
    }
    expect(writtenPath({}, ["agent", "command"])).toEqual(["agent", "command"]);
  });

  it("keep what is beside other names, and a declared name wins (CB-02)", () => {
    const value = {
      ralph: { coder: { max_iterations: 3 }, enabled: false },
      work: { rounds: 1 },
      loop: { enabled: true },
    };
    expect(withoutAliases(value)).toEqual({
      loop: { enabled: true },
      work: { rounds: 1, maxIterations: { coder: 3 } },
    });
  });

  it("name a wrong value and an unknown key by the name in the file (CB-02, S1-13)", () => {
    const lines = (text: string) => inspectSettings([file(text)]).problems.map(problemLine);
    expect(lines('{\n  "ralph": {\n    "qa": { "max_iterations": 0 }\n  }\n}')).toEqual([
      ".ralph/settings.json:3: ralph.qa.max_iterations: expected a whole number of at least 1 or null, found 0.",
    ]);
    expect(lines('{\n  "ralph": {\n    "enabled": true,\n    "default_verificaton": "external"\n  }\n}')).toEqual([
      '.ralph/settings.json:4: unknown setting "ralph.default_verificaton". Did you mean "ralph.default_verification"?',
    ]);
    expect(lines('{ "ralph": { "codr": { "enabled": false } } }')).toEqual([
      '.ralph/settings.json:1: unknown setting "ralph.codr". Did you mean "ralph.coder"?',
    ]);
  });
});

describe("what is printed of settings", () => {
  it.each<[unknown, unknown]>([
    [{ apiKey: "abc" }, { apiKey: "[redacted]" }],
    [
      ["--token", "abc", "--model", "opus"],
      ["--token", "[redacted]", "--model", "opus"],
    ],
    ["--api-key=abc x", "--api-key=[redacted] x"],
    ["https://me:abc@example.org/x", "https://me:[redacted]@example.org/x"],
    ["ghp_abcdefghijklmnop", "[redacted]"],
    [{ budget: { tokens: 5 } }, { budget: { tokens: 5 } }],
  ])("hides secrets in %j", (given, expected) => expect(redacted(given)).toEqual(expected));
});
