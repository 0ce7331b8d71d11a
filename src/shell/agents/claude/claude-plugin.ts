import { readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { shippedPath } from "../../lib/package-folder.ts";
import type { PluginHost, InstallOptions, PluginPlan } from "../../plugins/plugin-host.ts";

/**
 * The plugin for Claude Code. Its folder is copied beside the program's settings and named there as a local marketplace:
 * the program loads it from there without network and without a command of its own (seen with 2.1.325).
 */
export const claudePlugin: PluginHost = { name: "claude-code", plan };

/** The marketplace and the plugin in it. */
const marketplace = "ralph";
const pluginId = `ralph@${marketplace}`;

function plan(options: InstallOptions): PluginPlan {
  const { scope, projectDir, isGuardAlways } = options;
  const settingsFolder = scope === "user" ? userFolder(options) : join(projectDir, ".claude");
  // One's own settings of a project: the path below is true on this machine only.
  const settings = join(settingsFolder, scope === "user" ? "settings.json" : "settings.local.json");
  const place = join(settingsFolder, "ralph");
  const source = { source: "directory", path: place };
  const list = join(place, ".claude-plugin", "marketplace.json");
  return {
    place,
    files: [{ path: list, content: marketplaceText() }, ...pluginFiles(join(place, "plugin"), isGuardAlways)],
    mark: { path: list, text: marketplaceMark },
    members: [
      { path: settings, keys: ["extraKnownMarketplaces", marketplace], value: { source } },
      { path: settings, keys: ["enabledPlugins", pluginId], value: true },
    ],
    traces: [
      {
        path: join(userFolder(options), "plugins", "known_marketplaces.json"),
        keys: [marketplace],
        isOurs: (value) => value !== undefined && JSON.stringify(value).includes(JSON.stringify(place)),
      },
    ],
    compiler: join(place, "plugin", "dist", "hook-compile.cjs"),
    notes: [
      ...(scope === "project" ? ["Claude Code loads a project's plugins once you trust its folder."] : []),
      'Start a new session of Claude Code, then: /ralph "task"',
    ],
  };
}

function userFolder({ home, env }: InstallOptions): string {
  const own = env["CLAUDE_CONFIG_DIR"] ?? "";
  return isAbsolute(own) ? own : join(home, ".claude");
}

const marketplaceMark = "Loops of ralph, installed by `ralph plugin install`";

function marketplaceText(): string {
  const plugins = [{ name: "ralph", source: "./plugin", description: marketplaceMark }];
  return `${JSON.stringify({ name: marketplace, owner: { name: "ralph" }, plugins }, null, 2)}\n`;
}

function pluginFiles(target: string, isGuardAlways: boolean): { path: string; content: string }[] {
  const shipped = shippedPath("plugins", "claude-code");
  return readdirSync(shipped, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => {
      const name = path.slice(shipped.length + 1);
      const text = readFileSync(path, "utf8");
      return { path: join(target, name), content: isGuardAlways && name === hooksFile ? guardAlways(text) : text };
    });
}

const hooksFile = join("hooks", "hooks.json");

/** The guard of every session, not only of those with a loop. */
function guardAlways(text: string): string {
  return text.replace(/"pre-tool-use"/, '"pre-tool-use", "--guard", "always"');
}
