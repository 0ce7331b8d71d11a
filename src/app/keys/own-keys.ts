import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { createKey, keysFolder, listKeys, type ReceiptKey } from "../../shell/receipts/keys.ts";
import { wireProgram } from "../../shell/wire.ts";

/** The keys of this user, in the order of their ids. */
export function ownKeys(): Promise<ReceiptKey[]> {
  const { disk, env } = wireProgram();
  return listKeys(disk, keysFolder(env));
}

/** Makes a key; returns it with its file. */
export async function makeKey(): Promise<{ id: string; path: string }> {
  const { disk, env } = wireProgram();
  const { id } = await createKey(disk, keysFolder(env));
  return { id, path: join(keysFolder(env), `${id}.pem`) };
}

/** The key whose id begins with `id`, or the only one. Rejects with a `RalphError` when there is none, or several could be meant. */
export async function ownKey(id: string | null): Promise<ReceiptKey> {
  const keys = await ownKeys();
  const [first, ...others] = keys.filter((key) => key.id.startsWith(id ?? ""));
  if (first === undefined || id === "")
    throw new RalphError("not-found", id === null ? "There is no key." : `There is no key "${id}".`, makeHint);
  if (others.length === 0) return first;
  const names = [first, ...others].map((key) => key.id.slice(0, shownDigits)).join(", ");
  throw new RalphError("usage", `Several keys could be meant: ${names}.`, "Give more of the id.");
}

/** Removes a key for good; returns its id. */
export async function removeKey(id: string): Promise<string> {
  const { disk, env } = wireProgram();
  const key = await ownKey(id);
  disk.remove(join(keysFolder(env), `${key.id}.pem`));
  return key.id;
}

const makeHint = "Make one with ralph keys create, or list them with ralph keys list.";
const shownDigits = 12;
