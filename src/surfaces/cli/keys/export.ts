import { ownKey } from "../../../app/keys/own-keys.ts";
import type { Input } from "../input/command-spec.ts";

/** `ralph keys export`: prints the public part of a key. */
export default async function exportKey({ arguments: [id] }: Input): Promise<number> {
  process.stdout.write((await ownKey(id ?? null)).publicPem);
  return 0;
}
