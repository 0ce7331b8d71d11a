import { createDisk } from "../../../shell/lib/disk.ts";
import { uninstallPlugin } from "../../../shell/plugins/uninstall-plugin.ts";
import type { Input } from "../input/command-spec.ts";
import { hostNamed, scopeOption, targetOf } from "./plugin-target.ts";
import { reportChanges } from "./report-changes.ts";

/** `ralph plugin uninstall`: removes an installation completely. */
export default async function uninstall({ arguments: [name], options }: Input): Promise<number> {
  const host = hostNamed(name);
  const scope = scopeOption(options) ?? "user";
  const target = targetOf(host, { scope, options, isGuardAlways: false });
  const changes = await uninstallPlugin(createDisk(), target);
  const kept = changes.filter(({ did }) => did === "kept").map(({ path }) => path);
  const first =
    changes.length === 0
      ? `No plugin for ${host.name} is installed in ${target.plan.place}.`
      : `The plugin for ${host.name} is removed from ${target.plan.place}.`;
  const edited = kept.length === 0 ? [] : [`What you edited is kept: ${kept.join(", ")}`];
  reportChanges(target, { changes, options, sentences: [first, ...edited] });
  return 0;
}
