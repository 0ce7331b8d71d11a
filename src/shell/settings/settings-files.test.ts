import { describe, expect, it } from "vitest";
import { RalphError } from "../../core/ralph-error.ts";
import type { Disk } from "../ports.ts";
import { readEverySettingsFile, readSettingsFiles, type SettingsContext, userSettingsPath } from "./settings-files.ts";

/** A place with these files in `/project/.ralph`, or elsewhere by their whole path. */
function place(files: Record<string, string>, env: Record<string, string> = {}): SettingsContext {
  const readText: Disk["readText"] = (path) => Promise.resolve(files[path.replace("/project/.ralph/", "")] ?? null);
  return { disk: { readText }, projectDir: "/project", env };
}

async function check(files: Record<string, string>, expected: object[], env?: Record<string, string>): Promise<void> {
  expect(await readSettingsFiles(place(files, env))).toMatchObject(expected);
}

const base = { source: ".ralph/settings.json", value: { maximumIterations: 1 } };
const local = { source: ".ralph/settings.local.json", value: { maximumIterations: 2 } };

describe("the settings files of a project", () => {
  it("are two fixed ones, the local one later and so the stronger (S1-05, S1-07)", () =>
    check(
      {
        "settings.local.json": JSON.stringify(local.value),
        "settings.json": JSON.stringify(base.value),
        "other.json": "{}",
      },
      [base, local],
    ));

  it("may both be missing (S1-08, S1-82)", async () => {
    expect(await readSettingsFiles(place({}))).toEqual([]);
    await check({ "settings.json": JSON.stringify(base.value) }, [base]);
    await check({ "settings.local.json": JSON.stringify(local.value) }, [local]);
  });

  it.each(["settings.json", "settings.local.json"])(
    "are named with the line when %s is no JSON (S1-13)",
    async (name) => {
      const reading = readSettingsFiles(place({ [name]: '{\n  "a": }' }));
      await expect(reading).rejects.toThrow(`.ralph/${name}:2: not valid JSON, column 8: expected a value, found }`);
      await expect(reading).rejects.toBeInstanceOf(RalphError);
    },
  );

  it("are all named when several are no JSON, and the others are still read (S1-13)", async () => {
    const { layers, unreadable } = await readEverySettingsFile(
      place({ "settings.json": "{", "settings.local.json": "{}" }),
    );
    expect(unreadable.map(({ source }) => source)).toEqual([".ralph/settings.json"]);
    expect(layers.map(({ source }) => source)).toEqual([".ralph/settings.local.json"]);
  });

  it("may begin with a byte order mark", () =>
    check({ "settings.json": `\uFEFF${JSON.stringify(base.value)}` }, [base]));
});

describe("the settings of a user", () => {
  it("come before those of the project", () =>
    check(
      { "/home/me/.config/ralph/settings.json": '{"maximumIterations":9}', "settings.json": '{"maximumIterations":1}' },
      [{ source: "/home/me/.config/ralph/settings.json", value: { maximumIterations: 9 } }, base],
      { HOME: "/home/me" },
    ));

  it.each<[string, Record<string, string>, NodeJS.Platform, string | null]>([
    ["below XDG_CONFIG_HOME", { XDG_CONFIG_HOME: "/x", HOME: "/h" }, "linux", "/x/ralph/settings.json"],
    ["below the home", { HOME: "/h" }, "darwin", "/h/.config/ralph/settings.json"],
    ["not below a relative folder", { XDG_CONFIG_HOME: "x", HOME: "/h" }, "linux", "/h/.config/ralph/settings.json"],
    ["below APPDATA on Windows", { APPDATA: "C:\\A" }, "win32", "C:\\A\\ralph\\settings.json"],
    ["nowhere without a home", {}, "linux", null],
  ])("lie %s", (_, env, platform, expected) => expect(userSettingsPath(env, platform)).toBe(expected));
});
