import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { Disk } from "../ports.ts";

/** A key for receipts. `id` is the hash of its public part, so that both parts have one name. */
export type ReceiptKey = { id: string; publicPem: string; privateKey: KeyObject | null };

/** Where keys of this user are kept: beside the user's settings, out of every project. */
export function keysFolder(env: Readonly<Record<string, string>>): string {
  const config = env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? "", ".config");
  return join(config, "ralph", "keys");
}

/** Makes a new key and keeps it for its owner alone. */
export async function createKey(disk: Disk, folder: string): Promise<ReceiptKey> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = keyOf(publicKey, privateKey);
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  await disk.writeAtomic(join(folder, `${key.id}.pem`), pem, 0o600);
  return key;
}

/** The keys of a folder, in the order of their ids. Rejects with a `RalphError` that names a file which holds none. */
export async function listKeys(disk: Disk, folder: string): Promise<ReceiptKey[]> {
  const names = (disk.list(folder) ?? []).filter(({ name, kind }) => kind === "file" && name.endsWith(".pem"));
  const paths = names.map(({ name }) => join(folder, name)).toSorted();
  return Promise.all(paths.map(async (path) => readKey((await disk.readText(path, pemBytesMax)) ?? "", path)));
}

/** A key in PEM, private or public; `path` is for the message when it is none. */
export function readKey(pem: string, path: string): ReceiptKey {
  try {
    const isPrivate = pem.includes("PRIVATE KEY");
    const privateKey = isPrivate ? createPrivateKey(pem) : null;
    const publicKey = createPublicKey(privateKey ?? pem);
    if (publicKey.asymmetricKeyType === "ed25519") return keyOf(publicKey, privateKey);
  } catch {
    // It is no key at all.
  }
  throw new RalphError("file", `${path} holds no Ed25519 key in PEM.`, "Make one with ralph keys create.");
}

function keyOf(publicKey: KeyObject, privateKey: KeyObject | null): ReceiptKey {
  const id = createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
  return { id, publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(), privateKey };
}

/** A key has 120 bytes. */
const pemBytesMax = 10_000;
