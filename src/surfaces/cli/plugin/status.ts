import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { findPlugins, type FoundPlugin, hostNamed } from "../../../app/plugins/plugin-installs.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";
import { scopeOption } from "./plugin-choice.ts";

/** `ralph plugin status`: what is installed where. */
export default async function status({ arguments: [name], options }: Input): Promise<number> {
  const host = name === undefined ? null : hostNamed(name);
  const plugins = findPlugins({ host, scope: scopeOption(options), projectDir: projectDirOption(options) });
  const lines = plugins.flatMap((plugin) => [
    `${plugin.host.padEnd(12)} ${plugin.scope.padEnd(8)} ${wordsOf(plugin)}  ${plugin.place}`,
    ...plugin.problems.map((problem) => `  ${problem}`),
  ]);
  process.stdout.write(isOn(options, "json") ? jsonResult({ plugins }) : cleanLines(lines));
  const isWorn = plugins.some(({ state }) => state === "damaged" || state === "outdated");
  if (isWorn && !isOn(options, "json")) process.stderr.write("`ralph plugin install` again puts it right.\n");
  return 0;
}

function wordsOf({ state, guard }: FoundPlugin): string {
  return state === "absent" ? "not installed" : `${state}, guard ${guard === "always" ? "always" : "in loops"}`;
}
