import { describe, expect, it } from "vitest";
import { loadFrozenSettings } from "./load-frozen-settings.ts";
import { loadSettings, reportSettings } from "./load-settings.ts";
import type { SettingsContext } from "./settings-files.ts";

const user = "/home/me/.config/ralph/settings.json";
const base = "/project/.ralph/settings.json";
const local = "/project/.ralph/settings.local.json";

function place(files: Record<string, object | string>, env: Record<string, string> = {}): SettingsContext {
  const textOf = (content: object | string | undefined): string | null =>
    typeof content === "object" ? JSON.stringify(content) : (content ?? null);
  return {
    disk: { readText: (path) => Promise.resolve(textOf(files[path])) },
    projectDir: "/project",
    env: { HOME: "/home/me", ...env },
  };
}

describe("the layers of settings", () => {
  it("win in this order: defaults, user, project, local, environment, flags (S1-07)", async () => {
    const layers: [Record<string, object>, Record<string, string>, object | null, number][] = [
      [{}, {}, null, 10],
      [{ [user]: { maximumIterations: 1 } }, {}, null, 1],
      [{ [user]: { maximumIterations: 1 }, [base]: { maximumIterations: 2 } }, {}, null, 2],
      [{ [base]: { maximumIterations: 2 }, [local]: { maximumIterations: 3 } }, {}, null, 3],
      [{ [local]: { maximumIterations: 3 } }, { RALPH_MAXIMUM_ITERATIONS: "4" }, null, 4],
      [{ [local]: { maximumIterations: 3 } }, { RALPH_MAXIMUM_ITERATIONS: "4" }, { maximumIterations: 5 }, 5],
    ];
    for (const [files, env, value, expected] of layers) {
      const flags = value === null ? null : { source: "command line", value };
      expect((await loadSettings(place(files, env), flags)).settings.maximumIterations).toBe(expected);
    }
  });

  it("are each told before they are checked, and only when they are there (S1-82)", async () => {
    const told: string[] = [];
    const onLayer = (source: string): void => void told.push(source);
    await loadSettings({ ...place({ [base]: {}, [local]: {} }, { RALPH_AGENT_MODEL: "m" }), onLayer }, null);
    await loadSettings({ ...place({ [base]: {} }), onLayer }, null);
    expect(told).toEqual([
      ".ralph/settings.json",
      ".ralph/settings.local.json",
      "environment RALPH_AGENT_MODEL",
      ".ralph/settings.json",
    ]);
  });

  it("tell what the files held, so that an edit can be found", async () => {
    const { files } = await loadSettings(place({ [base]: { maximumIterations: 2 } }), null);
    expect(files).toEqual({ ".ralph/settings.json": { maximumIterations: 2 } });
  });

  it("are refused with everything that is wrong in all of them (S1-13)", async () => {
    const wrong = place({ [user]: { colour: 1 }, [base]: "{", [local]: { maximumIterations: 0 } });
    const report = await reportSettings(wrong, null);
    expect(report.settings).toBeNull();
    expect(report.problems.map(({ source }) => source)).toEqual([
      ".ralph/settings.json",
      user,
      ".ralph/settings.local.json",
    ]);
    await expect(loadSettings(wrong, null)).rejects.toThrow(/settings\.json:1: not valid JSON[^]*colour[^]*found 0/);
  });

  it("survive variables that are no settings, with a warning for what looks like one", async () => {
    const { warnings } = await loadSettings(place({}, { RALPH_FOO: "1", RALPH_AGENT_COMAND: "x" }), null);
    expect(warnings).toEqual(["RALPH_AGENT_COMAND is not a setting. Did you mean RALPH_AGENT_COMMAND?"]);
  });

  it("name a file that cannot be read", async () => {
    const disk = { readText: () => Promise.reject(new Error("EACCES")) };
    await expect(loadSettings({ disk, projectDir: "/project", env: {} }, null)).rejects.toThrow(
      ".ralph/settings.json cannot be read: Error: EACCES.",
    );
  });
});

describe("settings that a session froze", () => {
  it("count instead of those that are there now, also with durations of an earlier version, without a unit", async () => {
    const now = place({ [base]: { guardrailTimeout: "1s", maximumIterations: 9 } });
    const frozen = { [base]: JSON.stringify({ guardrailTimeout: 90_000 }), [local]: null };
    const { settings } = await loadFrozenSettings(now, frozen);
    expect([settings.guardrailTimeout, settings.maximumIterations]).toEqual([90_000, 10]);
  });

  it("are refused when they do not hold in any version", async () => {
    const frozen = { [base]: JSON.stringify({ guardrailTimeout: "soon" }) };
    await expect(loadFrozenSettings(place({}), frozen)).rejects.toThrow("settings.json:1: guardrailTimeout");
  });
});
