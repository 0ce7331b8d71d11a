import { describe, expect, it } from "vitest";
import { settingList } from "../../../core/settings/setting-list.ts";
import { parseSettings } from "../../../core/settings/parse-settings.ts";
import { commandTree } from "../tree/command-tree.ts";
import { readSettingFlags, settingFlags } from "./setting-flags.ts";

describe("flags that set settings", () => {
  it("name settings that exist", () => {
    const keys = settingList().map(({ key }) => key);
    expect(settingFlags.length).toBeGreaterThan(8);
    expect(settingFlags.filter(({ key }) => !keys.includes(key))).toEqual([]);
  });

  it("are all flags of run (S1-03)", () => {
    const run = commandTree.find(({ name }) => name === "run");
    expect(settingFlags.filter((flag) => run?.options.includes(flag) !== true)).toEqual([]);
  });

  it("set their setting and nothing else when given (S1-03, S1-06)", () => {
    const given = {
      maximumIterations: "3",
      completionResponse: "OK",
      agent: "x",
      model: "m",
      maxCost: "$2.50",
      maxTokens: "100",
      maxTime: "90s",
      streamAgentOutput: false,
      prompt: "not a setting",
    };
    const layer = readSettingFlags(given);
    expect(layer).toEqual({
      source: "command line",
      value: {
        maximumIterations: 3,
        completionResponse: "OK",
        agent: { command: "x", model: "m" },
        budget: { spend: 2.5, tokens: 100, time: "90s" },
        streamAgentOutput: false,
      },
    });
    expect(() => parseSettings([layer])).not.toThrow();
  });

  it("override nothing when absent (S1-06)", () => {
    expect(readSettingFlags({}).value).toEqual({});
    expect(readSettingFlags({ maxCost: "1" }).value).toEqual({ budget: { spend: 1 } });
    expect(readSettingFlags({ streamAgentOutput: true }).value).toEqual({ streamAgentOutput: true });
    expect(readSettingFlags({ maximumIterations: "unbounded" }).value).toEqual({ maximumIterations: "unbounded" });
  });

  it("are named with a wrong value (R-53)", () => {
    expect(() => readSettingFlags({ maximumIterations: "0" })).toThrow(
      '--maximum-iterations takes a whole number of at least 1, found "0"',
    );
    expect(() => readSettingFlags({ maxTime: "soon" })).toThrow("--max-time");
  });
});
