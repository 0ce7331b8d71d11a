import { RalphError } from "../../core/ralph-error.ts";
import type { Disk } from "../ports.ts";
import { keysFolder, listKeys, type ReceiptKey } from "./keys.ts";

/** Where keys are looked for. */
export type KeySource = { disk: Disk; env: Readonly<Record<string, string>> };

/**
 * The key that signs: the one whose id begins with `id`, else the only key of this user; null without any. Rejects with a
 * `RalphError` when several could be meant, because nobody can tell which of them readers trust.
 */
export async function chooseKey({ disk, env }: KeySource, id: string | null): Promise<ReceiptKey | null> {
  const keys = (await listKeys(disk, keysFolder(env))).filter(({ privateKey }) => privateKey !== null);
  const meant = id === null ? keys : keys.filter((key) => key.id.startsWith(id));
  if (id !== null && (id === "" || meant.length === 0))
    throw new RalphError("not-found", `There is no key "${id}".`, "List the keys with ralph keys list.");
  if (meant.length <= 1) return meant[0] ?? null;
  const names = meant.map((key) => key.id.slice(0, shownDigits)).join(", ");
  throw new RalphError("usage", `Several keys could sign: ${names}.`, "Say which one: --sign-with ID");
}

/** As many digits of an id as people read. */
const shownDigits = 12;
