import { removePlugin } from "../../../app/plugins/plugin-installs.ts";
import type { Input } from "../input/command-spec.ts";
import { pluginChoice } from "./plugin-choice.ts";
import { reportChanges } from "./report-changes.ts";

/** `ralph plugin uninstall`: removes an installation completely. */
export default async function uninstall(input: Input): Promise<number> {
  const plugin = await removePlugin(pluginChoice(input));
  const { changes } = plugin;
  const kept = changes.filter(({ did }) => did === "kept").map(({ path }) => path);
  const first =
    changes.length === 0
      ? `No plugin for ${plugin.host} is installed in ${plugin.place}.`
      : `The plugin for ${plugin.host} is removed from ${plugin.place}.`;
  const edited = kept.length === 0 ? [] : [`What you edited is kept: ${kept.join(", ")}`];
  reportChanges(plugin, { options: input.options, sentences: [first, ...edited] });
  return 0;
}
