import { join } from "node:path";
import type { Git } from "../../git/git.ts";
import { objectFormatOf, type OwnStore } from "../../git/own-store.ts";
import type { StoreContext } from "../../git/run-git.ts";
import { describeFailure, type ToolEnd } from "../../git/run-tool.ts";
import type { Disk } from "../../ports.ts";

/**
 * The objects of a seal: base, its history and the candidates, in a bare repository of our own without alternates. An agent can
 * rewrite every object of the project's repository in place; here each is stored under the name that its content has.
 */
export type SealStore = {
  folder: string;
  /** Whether objects are named by sha256; copies have to say so. */
  isSha256: boolean;
  /** Calls git on this store; `index` and `workTree` are for calls that need one. */
  call(words: readonly string[], place?: StoreCall): Promise<ToolEnd>;
  /** Lets one caller of this program after the other write what all of them share: the roles of a work run have one store. */
  inTurn<Result>(write: () => Promise<Result>): Promise<Result>;
};

/** Which files a call works on. `index` is a name inside of the store. */
export type StoreCall = { index?: string; workTree?: string; stdin?: string };

/** Where the objects of a seal are kept, and with which git. */
export type SealStoreOptions = { disk: Disk; git: Git; folder: string; own: Pick<OwnStore, "start"> };

/** Opens the store in `folder` and creates it if necessary. Rejects when it cannot be written. */
export async function openSealStore({ disk, git, folder, own }: SealStoreOptions): Promise<SealStore> {
  const isSha256 = objectFormatOf(own.start) === "sha256";
  if (disk.look(join(folder, "info/attributes")) === null) {
    for (const [name, text] of [
      ["HEAD", "ref: refs/heads/none\n"],
      ["config", repositoryConfig({ isBare: true, isSha256 })],
      ["refs/README", "No reference is kept here.\n"],
      ["objects/pack/README", "Objects of a seal.\n"],
      ["incoming/README", "Objects on their way, not yet looked at.\n"],
      ["info/attributes", plainAttributes],
    ] as const)
      await disk.writeAtomic(join(folder, name), text, 0o600);
  }
  return {
    folder,
    isSha256,
    inTurn: (write) => inTurn(folder, write),
    call: async (words, { index = "index", workTree = folder, stdin } = {}) => {
      const env = {
        GIT_DIR: folder,
        GIT_WORK_TREE: workTree,
        GIT_INDEX_FILE: join(folder, index),
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_COUNT: "0",
        ...stampVariables,
      };
      // Whether a file was put back is seen by its change time: no user can set it.
      const careful = ["-c", "core.trustctime=true", "-c", "core.checkStat=default", "-c", "core.bare=false"];
      const end = await git([...careful, ...words], { env, directory: workTree, stdin: stdin ?? null });
      if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure(`git ${words[0] ?? ""}`, end));
      return end;
    },
  };
}

/** The last writer of each store that this program has open. */
const writers = new Map<string, Promise<unknown>>();

function inTurn<Result>(folder: string, write: () => Promise<Result>): Promise<Result> {
  const own = (writers.get(folder) ?? Promise.resolve()).then(write);
  const last = own
    .catch(() => {})
    .finally(() => {
      if (writers.get(folder) === last) writers.delete(folder);
    });
  writers.set(folder, last);
  return own;
}

/** The configuration of a repository of ours. */
export function repositoryConfig({ isBare, isSha256 }: { isBare: boolean; isSha256: boolean }): string {
  const format = isSha256 ? "[extensions]\n\tobjectFormat = sha256\n" : "";
  return `[core]\n\trepositoryFormatVersion = ${isSha256 ? 1 : 0}\n\tbare = ${isBare}\n${format}`;
}

/** Files are written as their objects are: no filter, no change of line ends. */
export const plainAttributes = "* -text -filter -ident -eol -working-tree-encoding\n";

/** A commit of the same tree is the same commit. */
const stampVariables = {
  GIT_AUTHOR_NAME: "ralph",
  GIT_AUTHOR_EMAIL: "ralph@localhost",
  GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "ralph",
  GIT_COMMITTER_EMAIL: "ralph@localhost",
  GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
};

/** What is taken over: trees and commits, without what `known` ones reach. */
export type Import = { wanted: readonly string[]; known?: readonly string[]; isShallow?: boolean };

/**
 * Takes trees and commits over from the store of a run. Each object gets the name of its content, so that one which was exchanged
 * in the project's repository is missing here, and every use of its tree fails. Rejects when git cannot.
 */
export function importObjects(seal: SealStore, context: StoreContext, order: Import): Promise<void> {
  return seal.inTurn(() => importPack(seal, context, order));
}

async function importPack(
  seal: SealStore,
  { git, store, disk }: StoreContext,
  { wanted, known = [], isShallow = false }: Import,
): Promise<void> {
  const incoming = join(seal.folder, "incoming", "pack");
  const shallow = isShallow ? wanted.map((each) => `--shallow ${each}`) : [];
  const stdin = [...shallow, ...wanted, ...known.map((each) => `^${each}`), ""].join("\n");
  const env = { ...store.env, GIT_WORK_TREE: store.start.repository.top };
  const words = ["pack-objects", "--revs", "--quiet", "--non-empty", "--delta-base-offset", incoming];
  const end = await git(words, { env, stdin });
  if (end.exitCode !== 0) throw new Error(describeFailure("git pack-objects", end));
  const names = end.stdout.split("\n").filter((name) => /^[0-9a-f]{40,64}$/.test(name));
  for (const name of names) {
    // Its index names objects as they were asked for. Ours is made of their contents.
    for (const ending of ["idx", "rev"]) disk.remove(`${incoming}-${name}.${ending}`);
    await seal.call(["index-pack", `${incoming}-${name}.pack`]);
    for (const ending of ["pack", "idx"]) {
      disk.rename(`${incoming}-${name}.${ending}`, join(seal.folder, "objects/pack", `pack-${name}.${ending}`));
    }
  }
}
