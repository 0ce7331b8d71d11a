import { describe, expect, it } from "vitest";
import { effectiveSettings, explainSettings } from "./explain-settings.ts";
import { parseSettings } from "./parse-settings.ts";
import type { SettingsLayer } from "./settings-layer.ts";

function file(source: string, value: unknown): SettingsLayer {
  return { source, value, text: JSON.stringify(value, null, 2) };
}

const layers = [
  file("base", { agent: { command: "a", flags: ["x"] }, scm: { command: "git", tasks: ["commit"] } }),
  file("local", { agent: { flags: ["y"] }, maxIterations: 4 }),
  { source: "environment RALPH_BUDGET_SPEND", value: { budget: { spend: 2 } } },
];

describe("every setting", () => {
  function check(given: readonly SettingsLayer[], key: string, expected: object | undefined): void {
    expect(explainSettings(given).find((each) => each.key === key)).toEqual(expected);
  }

  it("is told with its value, its layer and its line (S1-07)", () => {
    check(layers, "agent.command", { key: "agent.command", value: "a", source: "base", line: 3 });
    check(layers, "agent.flags", { key: "agent.flags", value: ["y"], source: "local", line: 3 });
    check(layers, "maximumIterations", { key: "maximumIterations", value: 4, source: "local", line: 7 });
    const source = "environment RALPH_BUDGET_SPEND";
    check(layers, "budget.spend", { key: "budget.spend", value: 2, source, line: null });
  });

  it("is a default, as a file would write it, when no layer has it (S1-10)", () =>
    check(layers, "agent.idleTimeout", { key: "agent.idleTimeout", value: "30m", source: "default", line: null }));

  it("of an object that is null is left out, and the null is told", () => {
    check(layers, "scm", undefined);
    check(layers, "scm.stage", { key: "scm.stage", value: "run", source: "default", line: null });
    const off = [...layers, file("off", { scm: null })];
    check(off, "scm", { key: "scm", value: null, source: "off", line: 2 });
    check(off, "scm.command", undefined);
    check([], "scm", { key: "scm", value: null, source: "default", line: null });
    check([], "scm.stage", undefined);
  });
});

describe("the settings that count", () => {
  it.each([[layers], [[]]])("are a settings file that says the same, row %#", (given) => {
    const effective = effectiveSettings(explainSettings(given));
    expect(parseSettings([{ source: "effective", value: effective }])).toEqual(parseSettings(given));
  });
});
