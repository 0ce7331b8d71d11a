import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { PluginChange } from "../../../shell/plugins/install-plugin.ts";
import { isOn, type Options } from "../input/read-input.ts";
import type { PluginTarget } from "./plugin-target.ts";

/** Reports the changes: paths on standard output, sentences for people on standard error. */
export function reportChanges(
  { host, scope, plan }: PluginTarget,
  { changes, options, sentences }: { changes: readonly PluginChange[]; options: Options; sentences: readonly string[] },
): void {
  if (isOn(options, "json")) {
    const shown = { host: host.name, scope, place: plan.place, changes, notes: sentences };
    process.stdout.write(jsonLine(shown));
    return;
  }
  const done = changes.filter(({ did }) => did !== "unchanged");
  process.stdout.write(cleanLines(done.map(({ path, did }) => `${did.padEnd(8)} ${path}`)));
  process.stderr.write(cleanLines(sentences));
}
