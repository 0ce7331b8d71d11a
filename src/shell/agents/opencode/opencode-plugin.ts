import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { shippedPath } from "../../lib/package-folder.ts";
import type { PluginHost, InstallOptions, PluginPlan } from "../../plugins/plugin-host.ts";

/** The plugin for OpenCode: a short file that it loads, and the program beside it. Its commands come with it. */
export const opencodePlugin: PluginHost = { name: "opencode", plan };

function plan(options: InstallOptions): PluginPlan {
  const { scope, projectDir, isGuardAlways } = options;
  const place = scope === "user" ? userFolder(options) : join(projectDir, ".opencode");
  const entry = join(place, "plugins", "ralph.js");
  const text = readFileSync(shippedPath("plugins", "opencode", "ralph.js"), "utf8");
  return {
    place,
    files: [
      // Beside the folder, not in it: everything in there is taken for a plugin.
      { path: join(place, "ralph", "plugin.js"), content: built("opencode-plugin.js") },
      // Loaded only where a project has criteria.
      { path: join(place, "ralph", "hook-criteria.cjs"), content: built("hook-criteria.cjs") },
      { path: entry, content: isGuardAlways ? text.replace('guard: "in-loops"', 'guard: "always"') : text },
    ],
    mark: { path: entry, text: "ralph plugin install" },
    members: [],
    traces: [],
    compiler: null,
    notes: ['Restart OpenCode, then: /ralph "task"'],
  };
}

function built(name: string): string {
  return readFileSync(shippedPath("dist", name), "utf8");
}

function userFolder({ home, env }: InstallOptions): string {
  const own = env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(own) ? own : join(home, ".config"), "opencode");
}
