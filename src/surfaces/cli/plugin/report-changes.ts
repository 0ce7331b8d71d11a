import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { ChangedPlugin } from "../../../app/plugins/plugin-installs.ts";
import { isOn, type Options } from "../input/read-input.ts";

/** Reports the changes: paths on standard output, sentences for people on standard error. */
export function reportChanges(
  { host, scope, place, changes }: ChangedPlugin,
  { options, sentences }: { options: Options; sentences: readonly string[] },
): void {
  if (isOn(options, "json")) {
    process.stdout.write(jsonResult({ host, scope, place, changes, notes: sentences }));
    return;
  }
  const done = changes.filter(({ did }) => did !== "unchanged");
  process.stdout.write(cleanLines(done.map(({ path, did }) => `${did.padEnd(8)} ${path}`)));
  process.stderr.write(cleanLines(sentences));
}
