import { homedir, hostname } from "node:os";
import { createDisk } from "./lib/disk.ts";
import type { Machine } from "./machine.ts";
import { createIdentities } from "./processes/identities.ts";
import { realClock } from "./lib/real-clock.ts";
import { openSqliteStore } from "./stores/sqlite/sqlite-store.ts";
import { stateFolder } from "./stores/state-folder.ts";

/** The part of a machine that commands need which look at runs and ask them, but start nothing. */
export type Records = Pick<Machine, "clock" | "store" | "folder" | "host" | "env" | "isOwnerAlive">;

/** Opens the store without what starts programs and reads agents: `ralph status` shall start fast. */
export async function wireStore(fakes: Partial<Records> = {}): Promise<Records> {
  const env = fakes.env ?? ownEnvironment();
  const folder = fakes.folder ?? ownStateFolder(env);
  // The name this machine goes by in locks: a pid means nothing on another one.
  const host = fakes.host ?? hostname();
  const identities = createIdentities();
  return {
    clock: realClock,
    store: fakes.store ?? (await openSqliteStore({ folder })),
    folder,
    host,
    env,
    isOwnerAlive: async (owner) => identities.isAlive(owner),
    ...fakes,
  };
}

/** The part of a machine that commands need which only read and write files. */
export function wireFiles(): Pick<Machine, "disk" | "env"> {
  return { disk: createDisk(), env: ownEnvironment() };
}

/** The folder of the store on this machine. */
export function ownStateFolder(env: Readonly<Record<string, string>>): string {
  return stateFolder(env, process.platform, homedir());
}

/** The environment this process was started with. */
export function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
