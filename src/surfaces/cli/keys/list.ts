import { ownKeys } from "../../../app/keys/own-keys.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn } from "../input/read-input.ts";

/** `ralph keys list`: the ids of all keys. */
export default async function listKeys({ options }: Input): Promise<number> {
  const keys = (await ownKeys()).map(({ id, publicPem }) => ({ id, publicPem }));
  if (isOn(options, "json")) process.stdout.write(jsonResult({ keys }));
  else process.stdout.write(keys.map(({ id }) => `${id}\n`).join(""));
  if (keys.length === 0) process.stderr.write("No keys. Make one with: ralph keys create\n");
  return 0;
}
