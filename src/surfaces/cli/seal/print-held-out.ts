import { cleanLines } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { HeldOutList } from "../../../app/seal/held-out.ts";
import { isOn, type Options } from "../input/read-input.ts";

/** Names on standard output, a sentence for people on standard error. */
export function printHeldOut(
  { path, names }: HeldOutList,
  { options, sentence }: { options: Options; sentence: string },
): void {
  const isJson = isOn(options, "json");
  process.stdout.write(isJson ? jsonResult({ path, names }) : cleanLines(names));
  if (!isJson) process.stderr.write(cleanLines([sentence]));
}
