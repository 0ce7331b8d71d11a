import { pathToFileURL } from "node:url";
import { readMember, setMember } from "../../plugins/edit-json.ts";
import { shippedPath } from "../../lib/package-folder.ts";
import type { PluginEnvOptions } from "../adapter.ts";
import { hasFlag } from "../command-line.ts";

/**
 * Configuration of one process that loads our plugin from where it was shipped: the guard and the context monitor.
 * A configuration that is given the same way is kept and added to. Null: it cannot be, or plugins are switched off.
 */
export function opencodePluginEnv({ flags, env }: PluginEnvOptions): Record<string, string> | null {
  if (hasFlag(flags, ["--pure"])) return null;
  const given = env[variable] ?? "";
  const text = given.trim() === "" ? "{}" : given;
  const listed = readMember(text, ["plugin"]) ?? [];
  const plugin = findPlugin();
  if (plugin === null || !Array.isArray(listed)) return null;
  const others: readonly unknown[] = listed;
  const content = setMember(text, ["plugin"], [...others.filter((each) => each !== plugin), plugin]);
  return content === null ? null : { [variable]: content };
}

const variable = "OPENCODE_CONFIG_CONTENT";

function findPlugin(): string | null {
  try {
    return pathToFileURL(shippedPath("dist", "opencode-plugin.js")).href;
  } catch {
    // Without it the agent is not guarded, which the run says before it starts.
    return null;
  }
}
