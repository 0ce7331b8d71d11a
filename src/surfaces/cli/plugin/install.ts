import { addPlugin } from "../../../app/plugins/plugin-installs.ts";
import type { Input } from "../input/command-spec.ts";
import { isGuardAlwaysAsked, pluginChoice } from "./plugin-choice.ts";
import { reportChanges } from "./report-changes.ts";

/** `ralph plugin install`: puts the plugin where its host finds it. */
export default async function install(input: Input): Promise<number> {
  const { options } = input;
  const plugin = await addPlugin(pluginChoice(input), isGuardAlwaysAsked(options));
  const isNew = plugin.changes.some(({ did }) => did !== "unchanged");
  const first = isNew
    ? `The plugin for ${plugin.host} is installed in ${plugin.place}.`
    : `The plugin for ${plugin.host} was installed already; nothing was changed.`;
  reportChanges(plugin, { options, sentences: [first, ...plugin.notes] });
  return 0;
}
