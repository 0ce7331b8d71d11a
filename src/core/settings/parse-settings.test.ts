import { describe, expect, it } from "vitest";
import { RalphError } from "../ralph-error.ts";
import { parseSettings } from "./parse-settings.ts";
import type { SettingsLayer } from "./settings-layer.ts";

const base = ".ralph/settings.json";
const local = ".ralph/settings.local.json";

/** Layers as the files and the command line would give them, in this order. */
function layers(...values: unknown[]): SettingsLayer[] {
  return values.map((value, index) => ({ source: [base, local, "command line"][index] ?? "settings", value }));
}

describe("settings that hold", () => {
  function check(given: SettingsLayer[], expected: object): void {
    expect(parseSettings(given)).toMatchObject(expected);
  }

  it("are the defaults when nothing is given (S1-08, S1-10, CB-02)", () =>
    check([], {
      maximumIterations: 10,
      completionResponse: "DONE",
      outputTruncateChars: 5000,
      outputTruncate: "head",
      streamAgentOutput: true,
      includeIterationCountInPrompt: false,
      guardrails: [],
      scm: null,
      agent: { command: null, flags: [], model: null, context: "reset", timeout: null, idleTimeout: 30 * 60_000 },
      guardrailTimeout: 30 * 60_000,
      breaker: { failures: 5 },
      budget: { spend: null, tokens: null, time: null },
      completion: {
        placement: "own-sentence",
        instruction: true,
        signals: ["promise", "response"],
        requireProgress: null,
        requireChecks: false,
      },
      store: { keep: { days: 30, bytes: 5 * 1024 ** 3 } },
    }));

  it("come from base, then local, then the command line (S1-07)", () =>
    check(
      layers({ maximumIterations: 2, completionResponse: "A" }, { maximumIterations: 3 }, { maximumIterations: 4 }),
      {
        maximumIterations: 4,
        completionResponse: "A",
      },
    ));

  it("merge objects and replace lists (S1-11, S1-12)", () => {
    const given = layers(
      { agent: { command: "claude", flags: ["--model opus"] } },
      { agent: { flags: ["--verbose"] } },
    );
    expect(parseSettings(given).agent).toMatchObject({ command: "claude", flags: ["--verbose"] });
  });

  it("know every key of the document (S1-09)", () =>
    check(
      layers({
        maximumIterations: 7,
        completionResponse: "OK",
        outputTruncateChars: 100,
        streamAgentOutput: false,
        includeIterationCountInPrompt: true,
        agent: { command: "codex", flags: ["-x"] },
        guardrails: [{ command: "make test", failAction: "APPEND", hint: "Look." }],
        scm: { command: "git", tasks: ["commit", "push"] },
      }),
      {
        maximumIterations: 7,
        guardrails: [{ command: "make test", failAction: "APPEND", hint: "Look." }],
        scm: { command: "git", tasks: ["commit", "push"], stage: "run" },
      },
    ));

  it("read a fail action in any case (S1-14)", () =>
    check(layers({ guardrails: [{ command: "x", failAction: " prepend " }] }), {
      guardrails: [{ failAction: "PREPEND" }],
    }));

  it.each(["maxIterations", "max_iterations", "maxRestarts", "default_max_iterations", "maximumIterations"])(
    "know the limit as %s too (CB-02)",
    (name) => check(layers({ maximumIterations: 2 }, { [name]: 8 }), { maximumIterations: 8 }),
  );

  it("take durations with a unit, and null to switch a limit off (CB-15)", () =>
    check(layers({ agent: { timeout: "1h30m", idleTimeout: null, retryDelay: 0 }, guardrailTimeout: "90s" }), {
      agent: { timeout: 5_400_000, idleTimeout: null, retryDelay: 0 },
      guardrailTimeout: 90_000,
    }));

  it.each([
    [90_000, '"90000s" for seconds, "90000m" for minutes, "90s" for milliseconds'],
    ["90000", '"90000s" for seconds, "90000m" for minutes, "90s" for milliseconds'],
    [3600, '"3600s" for seconds, "3600m" for minutes, "3600ms" for milliseconds'],
    [90, '"90s" for seconds, "90m" for minutes, "90ms" for milliseconds'],
  ])("refuse the duration %j, which has no unit, with each text that it may mean (CB-15)", (found, remedy) =>
    expect(() => parseSettings(layers({ guardrailTimeout: found }))).toThrow(
      `guardrailTimeout: a duration needs a unit: ${remedy}, found ${JSON.stringify(found)}.`,
    ),
  );

  it("allow $schema, and no limit of iterations together with a budget (CB-02)", () =>
    check(layers({ $schema: "x", maximumIterations: "unbounded", budget: { time: "2h" } }), {
      maximumIterations: "unbounded",
      budget: { time: 7_200_000 },
    }));

  it("hold no credentials: those stay with the agents and the environment (S1-83)", () => {
    const names = JSON.stringify(parseSettings([])).match(/"(\w+)":/g) ?? [];
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => /credential|password|secret|apikey|"token"|auth/i.test(name))).toEqual([]);
  });
});

describe("settings that do not hold name file, field and value (S1-13)", () => {
  function check(given: SettingsLayer[], ...parts: string[]): void {
    let found: unknown = null;
    try {
      parseSettings(given);
    } catch (error) {
      found = error;
    }
    if (!(found instanceof RalphError)) throw new Error(`expected a RalphError, found ${String(found)}`);
    const { code, message, hint } = found;
    expect(code).toBe("settings");
    for (const part of parts) expect(`${message}\n${hint}`).toContain(part);
  }

  it.each<[string, unknown, string]>([
    ["maximumIterations", 0, "found 0"],
    ["maximumIterations", -1, "found -1"],
    ["maximumIterations", 1.5, "found 1.5"],
    ["maximumIterations", "many", 'found "many"'],
    ["outputTruncateChars", "5000", 'found "5000"'],
    ["streamAgentOutput", "yes", 'found "yes"'],
    ["completionResponse", "  ", 'found "  "'],
    ["agent", "claude", 'found "claude"'],
    ["guardrails", {}, "found {}"],
  ])("%s: %j (R-53)", (name, value, found) => check(layers({ [name]: value }), `${base}: ${name}: `, found));

  it("inside a list", () => {
    const bad = {
      guardrails: [
        { command: "a", failAction: "APPEND" },
        { command: "b", failAction: "IGNORE" },
      ],
    };
    check(layers(bad), `${base}: guardrails.1.failAction: `, 'found "IGNORE"');
  });

  it("and the one file of several that holds it", () => {
    check(layers({ maximumIterations: 3 }, { maximumIterations: "x" }, {}), `${local}: maximumIterations: `);
    check(layers({ agent: { flags: "x" } }, { agent: { command: "claude" } }), `${base}: agent.flags: `);
    check(layers({}, {}, { budget: { spend: -1 } }), "command line: budget.spend: ");
  });

  it("and a setting that is missing, with the file where it is missing", () =>
    check(layers({ guardrails: [{ command: "make" }] }, {}), `${base}: guardrails.0.failAction: `, "found nothing"));

  it("and what was meant by an unknown one", () => {
    check(
      layers({ maximumIteration: 3 }),
      `${base}: unknown setting "maximumIteration". Did you mean "maximumIterations"?`,
    );
    check(layers({ maxIteration: 3 }), `${base}: unknown setting "maxIteration". Did you mean "maximumIterations"?`);
    check(layers({}, { agent: { comand: "x" } }), `${local}: unknown setting "agent.comand". Did you mean "command"?`);
    check(
      layers({ guardrails: [{ command: "a", failAction: "APPEND", hnt: "x" }] }),
      'unknown setting "guardrails.0.hnt". Did you mean "hint"?',
    );
    check(layers({ scm: { command: "git", tasks: ["commit"], stagee: "all" } }), 'Did you mean "stage"?');
  });

  it("and does not guess when nothing is near", () => {
    expect(() => parseSettings(layers({ colour: "red" }))).toThrow(
      /^\.ralph\/settings\.json: unknown setting "colour"\.$/m,
    );
  });

  it("and every mistake at once", () =>
    check(layers({ maximumIterations: 0, streamAgentOutput: 1 }), "maximumIterations", "streamAgentOutput"));

  it("and a duration, with an example", () =>
    check(
      layers({ agent: { timeout: "soon" } }),
      `${base}: agent.timeout: `,
      '"soon" is not a duration such as "90s"',
    ));

  it("and a limit of zero, which would end everything at once", () =>
    check(layers({ agent: { idleTimeout: "0s" } }), `${base}: agent.idleTimeout: `, "null switches it off"));

  it("and a blank completion text, which an empty tag would match (R-09)", () => {
    check(layers({ completionResponse: "" }), "a blank completion text would match an empty tag");
    check(layers({}, {}, { completionResponse: "\n" }), "command line: completionResponse: ");
  });

  it.each([[[]], ["text"], [null], [3]])("and a file that is no object: %j", (value) =>
    check(layers({}, value), `${local}: settings must be a JSON object, found ${JSON.stringify(value)}.`),
  );

  it("and no limit at all without a budget (CB-02)", () =>
    check(
      layers({ maximumIterations: "unbounded" }),
      'maximumIterations is "unbounded", but no budget is set.',
      "--max-time",
    ));

  it("with a long value cut short", () => check(layers({ agent: "x".repeat(500) }), `found "${"x".repeat(76)}...`));
});
