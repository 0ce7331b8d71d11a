import { homedir } from "node:os";
import { RalphError } from "../../../core/ralph-error.ts";
import { recordPath } from "../../../shell/plugins/install-record.ts";
import type { PluginHost, InstallOptions, PluginPlan, PluginScope } from "../../../shell/plugins/plugin-host.ts";
import { stateFolder } from "../../../shell/stores/state-folder.ts";
import { pluginHosts } from "../../../shell/wire.ts";
import { isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** One installation that a command is about. */
export type PluginTarget = { host: PluginHost; scope: PluginScope; plan: PluginPlan; record: string };

/** The host of that name; any other is a usage error. */
export function hostNamed(name: string | undefined): PluginHost {
  const host = pluginHosts.find((each) => each.name === name);
  if (host !== undefined) return host;
  const known = pluginHosts.map((each) => each.name).join(" or ");
  throw new RalphError("usage", `There is no plugin for "${name ?? ""}".`, `Give ${known}.`);
}

/** The scope that was asked for; null: none was named. */
export function scopeOption(options: Options): PluginScope | null {
  const [isUser, isProject] = [isOn(options, "user"), isOn(options, "project")];
  if (isUser && isProject) throw new RalphError("usage", "--user and --project exclude each other.", "Give one.");
  if (isProject) return "project";
  return isUser ? "user" : null;
}

/** What an installation consists of. */
export function targetOf(
  host: PluginHost,
  { scope, options, isGuardAlways }: { scope: PluginScope; options: Options; isGuardAlways: boolean },
): PluginTarget {
  const { env } = process;
  const home = homedir();
  const order: InstallOptions = { scope, projectDir: projectDirOption(options), home, env, isGuardAlways };
  const record = recordPath(stateFolder(env, process.platform, home), host.name, order);
  return { host, scope, plan: host.plan(order), record };
}

/** Whether the guard checks every session; `always` is the only value. */
export function isGuardAlwaysAsked(options: Options): boolean {
  const when = textOption(options, "guard");
  if (when === null || when === "always") return when !== null;
  throw new RalphError("usage", `--guard takes always, found "${when}".`, "Without it the guard is on in loops.");
}
