import { makeKey } from "../../../app/keys/own-keys.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn } from "../input/read-input.ts";

/** `ralph keys create`: makes a key and prints its id. */
export default async function createKey({ options }: Input): Promise<number> {
  const key = await makeKey();
  process.stdout.write(isOn(options, "json") ? jsonResult(key) : `${key.id}\n`);
  process.stderr.write(`Kept in ${key.path}. Give others its public part: ralph keys export > ralph.pub\n`);
  return 0;
}
