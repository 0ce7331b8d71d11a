import { RalphError } from "../../../core/ralph-error.ts";
import { hostNamed, type PluginChoice } from "../../../app/plugins/plugin-installs.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** The installation that a command is about; the user's unless said. */
export function pluginChoice({ arguments: [name], options }: Input): PluginChoice {
  const host = hostNamed(name);
  return { host, scope: scopeOption(options) ?? "user", projectDir: projectDirOption(options) };
}

/** The scope that was asked for; null: none was named. */
export function scopeOption(options: Options): PluginChoice["scope"] | null {
  const [isUser, isProject] = [isOn(options, "user"), isOn(options, "project")];
  if (isUser && isProject) throw new RalphError("usage", "--user and --project exclude each other.", "Give one.");
  if (isProject) return "project";
  return isUser ? "user" : null;
}

/** Whether the guard checks every session; `always` is the only value. */
export function isGuardAlwaysAsked(options: Options): boolean {
  const when = textOption(options, "guard");
  if (when === null || when === "always") return when !== null;
  throw new RalphError("usage", `--guard takes always, found "${when}".`, "Without it the guard is on in loops.");
}
