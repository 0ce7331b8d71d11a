import { removeKey } from "../../../app/keys/own-keys.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn } from "../input/read-input.ts";

/** `ralph keys remove`: removes a key for good. */
export default async function removeOwnKey({ arguments: [id = ""], options }: Input): Promise<number> {
  const removed = await removeKey(id);
  process.stdout.write(isOn(options, "json") ? jsonResult({ id: removed }) : `${removed}\n`);
  return 0;
}
