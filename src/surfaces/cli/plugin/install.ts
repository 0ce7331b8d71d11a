import { createDisk } from "../../../shell/lib/disk.ts";
import { installPlugin } from "../../../shell/plugins/install-plugin.ts";
import type { Input } from "../input/command-spec.ts";
import { hostNamed, isGuardAlwaysAsked, scopeOption, targetOf } from "./plugin-target.ts";
import { reportChanges } from "./report-changes.ts";

/** `ralph plugin install`: puts the plugin where its host finds it. */
export default async function install({ arguments: [name], options }: Input): Promise<number> {
  const host = hostNamed(name);
  const scope = scopeOption(options) ?? "user";
  const isGuardAlways = isGuardAlwaysAsked(options);
  const target = targetOf(host, { scope, options, isGuardAlways });
  const guard = isGuardAlways ? "always" : "in-loops";
  const changes = await installPlugin(createDisk(), { plan: target.plan, record: target.record, guard });
  const isNew = changes.some(({ did }) => did !== "unchanged");
  const first = isNew
    ? `The plugin for ${host.name} is installed in ${target.plan.place}.`
    : `The plugin for ${host.name} was installed already; nothing was changed.`;
  reportChanges(target, { changes, options, sentences: [first, ...target.plan.notes] });
  return 0;
}
