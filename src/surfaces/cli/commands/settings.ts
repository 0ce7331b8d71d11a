import { projectSettings, settingsReport } from "../../../app/query/project-settings.ts";
import { contractLines } from "../../../core/contract/contract-lines.ts";
import { type ExplainedSetting, effectiveSettings } from "../../../core/settings/explain-settings.ts";
import { settingsJsonSchema } from "../../../core/settings/setting-schema.ts";
import { settingsError } from "../../../core/settings/settings-problems.ts";
import { cleanLine, cleanLines, cleanMessage } from "../../../core/text/clean-text.ts";
import { jsonResult, jsonText } from "../../../core/text/json-text.ts";
import { wireFiles } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";

/** `ralph settings show`: the effective settings of this directory, without secrets, and on request where each value comes from. */
export async function showSettings({ options }: Input): Promise<number> {
  const { explained, warnings, policy } = await projectSettings(wireFiles(), projectDirOption(options));
  const settings = effectiveSettings(explained);
  const { contract, gates } = policy;
  if (isOn(options, "json"))
    process.stdout.write(jsonResult({ settings, explained, warnings, contract: { ...contract, gates } }));
  else if (isOn(options, "explain")) print(explainedLines(explained));
  else print(jsonText(settings, 2));
  if (isOn(options, "json")) return 0;
  warn(warnings);
  process.stderr.write(cleanLines(contractLines(policy)));
  return 0;
}

/** `ralph settings schema`: the JSON Schema of a settings file, for editors. */
export async function printSettingsSchema(_input: Input): Promise<number> {
  print(jsonText(settingsJsonSchema(), 2));
  return 0;
}

/** `ralph settings check`: every problem, in the words of `ralph run`. */
export async function checkSettings({ options }: Input): Promise<number> {
  const { problems, warnings, layers } = await settingsReport(wireFiles(), projectDirOption(options));
  const sources = layers.map(({ source }) => source);
  if (isOn(options, "json")) {
    process.stdout.write(jsonResult({ isValid: problems.length === 0, sources, problems, warnings }));
    return problems.length === 0 ? 0 : 2;
  }
  warn(warnings);
  if (problems.length > 0) throw settingsError(problems);
  print(
    sources.length === 0
      ? "No settings are given; the defaults apply."
      : cleanLine(`Settings are valid: ${sources.join(", ")}.`),
  );
  return 0;
}

function explainedLines(explained: readonly ExplainedSetting[]): string {
  const rows = explained.map(({ key, value, source, line }) => ({
    key,
    value: JSON.stringify(value),
    source: line === null ? source : `${source}:${line}`,
  }));
  const keyWidth = Math.max(...rows.map(({ key }) => key.length));
  // One long value must not hide the sources of all others.
  const valueWidth = Math.min(40, Math.max(...rows.map(({ value }) => value.length)));
  return rows
    .map(({ key, value, source }) => cleanLine(`${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${source}`))
    .join("\n");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function warn(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`ralph: ${cleanMessage(warning)}\n`);
}
