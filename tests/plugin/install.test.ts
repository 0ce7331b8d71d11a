import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openHome, type ScratchHome } from "./scratch-home.ts";

const homes: ScratchHome[] = [];
afterEach(() => homes.splice(0).forEach((home) => home.remove()));

function opened(environment?: Record<string, string>): ScratchHome {
  const home = openHome(environment);
  homes.push(home);
  // The folder of the store is ralph's own; that of the plugins' records in it is not left behind.
  mkdirSync(join(home.home, ".local", "state", "ralph"), { recursive: true });
  return home;
}

const claudeSettings =
  '{\n    "theme": "dark",\n    "env": {"A": "1"},\n    "permissions": { "allow": [ "Bash(ls)" ] }\n}\n';
const everything = [
  ["claude-code", "--user"],
  ["claude-code", "--project"],
  ["opencode", "--user"],
  ["opencode", "--project"],
] as const;

describe.each(everything)("the plugin of %s with %s", (host, scope) => {
  it("is installed once, and uninstalling leaves every byte and folder as it was (S0-44)", () => {
    const home = opened();
    home.write("home/.claude/settings.json", claudeSettings);
    home.write("project/.claude/settings.local.json", '{"enabledPlugins":{"other@market":true}}');
    home.write("home/.config/opencode/opencode.json", '{ "theme": "x" }');
    const before = home.picture();
    const first = home.ralph("plugin", "install", host, scope);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(first.stderr).toContain("/ralph");
    const installed = home.picture();
    expect(installed).not.toEqual(before);
    const second = home.ralph("plugin", "install", host, scope);
    expect([second.exitCode, second.stdout]).toEqual([0, ""]);
    expect(second.stderr).toContain("installed already");
    expect(home.picture()).toEqual(installed);
    expect(home.ralph("plugin", "uninstall", host, scope)).toMatchObject({ exitCode: 0 });
    expect(home.picture()).toEqual(before);
    const again = home.ralph("plugin", "uninstall", host, scope);
    expect([again.exitCode, again.stdout]).toEqual([0, ""]);
    expect(again.stderr).toContain("No plugin");
  });

  it("is installed where nothing was, and uninstalling leaves nothing (S0-44)", () => {
    const home = opened();
    const before = home.picture();
    expect(home.ralph("plugin", "install", host, scope, "--guard", "always")).toMatchObject({ exitCode: 0 });
    expect(home.ralph("plugin", "uninstall", host, scope)).toMatchObject({ exitCode: 0 });
    expect(home.picture()).toEqual(before);
  });

  it("is shown by its status, whole, damaged and put right again", () => {
    const home = opened();
    const state = () => JSON.parse(home.ralph("plugin", "status", host, scope, "--json").stdout) as unknown;
    expect(state()).toMatchObject({ plugins: [{ host, state: "absent" }] });
    home.ralph("plugin", "install", host, scope, "--guard", "always");
    expect(state()).toMatchObject({ plugins: [{ host, state: "installed", guard: "always", problems: [] }] });
    const shown = JSON.parse(home.ralph("plugin", "install", host, scope, "--json").stdout) as {
      changes: { path: string; did: string }[];
    };
    expect(shown.changes.some(({ did }) => did === "written")).toBe(true);
    expect(state()).toMatchObject({ plugins: [{ state: "installed", guard: "in-loops" }] });
    rmSync(shown.changes[0]?.path ?? "");
    expect(state()).toMatchObject({ plugins: [{ state: "damaged" }] });
    home.ralph("plugin", "install", host, scope);
    expect(state()).toMatchObject({ plugins: [{ state: "installed" }] });
  });
});

describe("an installation", () => {
  it("keeps what others wrote into the settings since, in their order", () => {
    const home = opened();
    home.write("home/.claude/settings.json", claudeSettings);
    home.ralph("plugin", "install", "claude-code");
    const text = home.read("home/.claude/settings.json");
    expect(text.startsWith(claudeSettings.trimEnd().slice(0, -2))).toBe(true);
    home.write(
      "home/.claude/settings.json",
      text.replace('"enabledPlugins": {', '"enabledPlugins": {\n        "x@y": true,'),
    );
    home.ralph("plugin", "uninstall", "claude-code");
    expect(JSON.parse(home.read("home/.claude/settings.json"))).toEqual({
      ...(JSON.parse(claudeSettings) as object),
      enabledPlugins: { "x@y": true },
    });
  });

  it("removes what the host noted of it", () => {
    const home = opened();
    home.ralph("plugin", "install", "claude-code");
    const path = join(home.home, ".claude", "ralph");
    const noted = { other: { installLocation: "/x" }, ralph: { source: { source: "directory", path } } };
    home.write("home/.claude/plugins/known_marketplaces.json", JSON.stringify(noted, null, 2));
    home.ralph("plugin", "uninstall", "claude-code");
    expect(JSON.parse(home.read("home/.claude/plugins/known_marketplaces.json"))).toEqual({ other: noted.other });
  });

  it.each(["{ // mine\n}", "", "[]"])(
    "refuses settings that are no JSON object, %j, and touches nothing (exit 2)",
    (text) => {
      const home = opened();
      home.write("home/.claude/settings.json", text);
      const before = home.picture();
      const { exitCode, stderr } = home.ralph("plugin", "install", "claude-code");
      expect(exitCode).toBe(2);
      expect(stderr).toContain("settings.json");
      expect(home.picture()).toEqual(before);
    },
  );

  it("refuses to replace a file that is not its own, and touches nothing (exit 2)", () => {
    const home = opened();
    home.write("project/.opencode/plugins/ralph.js", "export const Mine = async () => ({});\n");
    const before = home.picture();
    const { exitCode, stderr } = home.ralph("plugin", "install", "opencode", "--project");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("plugins/ralph.js");
    expect(home.picture()).toEqual(before);
  });

  it("keeps a file of ours that somebody edited, when it is installed again and when it goes", () => {
    const home = opened();
    home.ralph("plugin", "install", "opencode", "--project");
    home.write("project/.opencode/plugins/ralph.js", "// ralph plugin install, and mine\n");
    expect(home.ralph("plugin", "install", "opencode", "--project").stdout).toContain("ralph.js.old");
    expect(home.read("project/.opencode/plugins/ralph.js.old")).toBe("// ralph plugin install, and mine\n");
    home.write("project/.opencode/ralph/plugin.js", "// mine too\n");
    expect(home.ralph("plugin", "uninstall", "opencode", "--project").stderr).toContain("plugin.js.old");
    expect(home.read("project/.opencode/ralph/plugin.js.old")).toBe("// mine too\n");
  });

  it("without its record is known by its mark and removed all the same", () => {
    const home = opened();
    home.write("home/.claude/settings.json", claudeSettings);
    home.ralph("plugin", "install", "claude-code");
    home.ralph("plugin", "install", "opencode", "--project");
    rmSync(join(home.home, ".local", "state", "ralph", "plugins"), { recursive: true });
    home.ralph("plugin", "uninstall", "claude-code");
    home.ralph("plugin", "uninstall", "opencode", "--project");
    expect(home.read("home/.claude/settings.json")).toBe(claudeSettings);
    expect(
      Object.keys(home.picture()).filter((path) => /ralph(\/|\.js)/.test(path.replace("state/ralph", ""))),
    ).toEqual([]);
  });

  it("writes through a link and keeps the mode of the settings", () => {
    const home = opened();
    home.write("home/dotfiles/claude.json", claudeSettings);
    chmodSync(join(home.home, "dotfiles/claude.json"), 0o600);
    mkdirSync(join(home.home, ".claude"));
    symlinkSync(join(home.home, "dotfiles/claude.json"), join(home.home, ".claude/settings.json"));
    home.ralph("plugin", "install", "claude-code");
    expect(lstatSync(join(home.home, ".claude/settings.json")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(home.home, "dotfiles/claude.json")).mode & 0o777).toBe(0o600);
    expect(home.read("home/dotfiles/claude.json")).toContain("ralph@ralph");
    home.ralph("plugin", "uninstall", "claude-code");
    expect(home.read("home/dotfiles/claude.json")).toBe(claudeSettings);
    unlinkSync(join(home.home, ".claude/settings.json"));
  });

  it("follows the variables by which its hosts find their settings", () => {
    const home = opened({ CLAUDE_CONFIG_DIR: "/nonexistent/claude", XDG_CONFIG_HOME: "/nonexistent/config" });
    const { plugins } = JSON.parse(home.ralph("plugin", "status", "--user", "--json").stdout) as {
      plugins: { place: string }[];
    };
    expect(plugins.map(({ place }) => place)).toEqual(["/nonexistent/claude/ralph", "/nonexistent/config/opencode"]);
  });

  it.each([
    [["install", "cursor"], "claude-code or opencode"],
    [["install", "opencode", "--user", "--project"], "exclude each other"],
    [["install", "opencode", "--guard", "never"], "--guard takes always"],
  ])("is refused for %j (exit 2)", (words, reason) => {
    const home = opened();
    const before = home.picture();
    const { exitCode, stderr } = home.ralph("plugin", ...words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(home.picture()).toEqual(before);
  });
});
