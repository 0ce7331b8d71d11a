import { expect, it } from "vitest";
import { stateFolder } from "./state-folder.ts";

function folder(env: Record<string, string>, platform: NodeJS.Platform = "linux"): string {
  return stateFolder(env, platform, platform === "win32" ? "C:\\Users\\ada" : "/home/ada");
}

it("prefers RALPH_STATE_HOME, then XDG_STATE_HOME, then the home folder", () => {
  expect(folder({ RALPH_STATE_HOME: "/state", XDG_STATE_HOME: "/xdg" })).toBe("/state");
  expect(folder({ XDG_STATE_HOME: "/xdg" })).toBe("/xdg/ralph");
  expect(folder({})).toBe("/home/ada/.local/state/ralph");
  expect(folder({ XDG_STATE_HOME: "/xdg" }, "darwin")).toBe("/xdg/ralph");
});

it("takes an empty variable as unset and ignores a relative XDG_STATE_HOME", () => {
  expect(folder({ RALPH_STATE_HOME: "", XDG_STATE_HOME: "" })).toBe("/home/ada/.local/state/ralph");
  expect(folder({ XDG_STATE_HOME: "state" })).toBe("/home/ada/.local/state/ralph");
});

it("uses the local application data on Windows", () => {
  expect(folder({ LOCALAPPDATA: "D:\\Local" }, "win32")).toBe("D:\\Local\\ralph");
  expect(folder({}, "win32")).toBe("C:\\Users\\ada\\AppData\\Local\\ralph");
  expect(folder({ RALPH_STATE_HOME: "D:\\state" }, "win32")).toBe("D:\\state");
});

it("refuses a relative RALPH_STATE_HOME, which would move with the working directory", () => {
  expect(() => folder({ RALPH_STATE_HOME: "state" })).toThrow(/not an absolute path/);
});
