import { dirname } from "node:path";
import type { Disk, LogFile } from "../../src/shell/ports.ts";
import { createFakeFiles, type FakeFiles } from "./fake-files.ts";
import type { Random } from "./random.ts";
import { type Life, never, type World } from "./world.ts";

/** Files that outlive the program. A disk may be full, and a killed writer leaves half of its last piece. */
export type DiskWorld = {
  port(life: Life, killer: DiskKiller): Disk;
  files: FakeFiles;
  /** It may be full at times. */
  isSmall: boolean;
};

/** What a change of the disk is called where the program may be killed. */
export type DiskChange = "write" | "append" | "create" | "rename" | "remove";

/** Where in a change of the disk the program was killed. */
export type DiskKill = `${"before" | "after"} ${DiskChange}`;

/** How often a change is the last thing a life does. */
export type DiskKiller = { killChance: number; onKill: (point: DiskKill) => void };

/** `fullChance`: how often there is no room. */
export function createDiskWorld(world: World, random: Random, fullChance: number): DiskWorld {
  const files = createFakeFiles(() => world.now());
  const port = (life: Life, killer: DiskKiller): Disk => {
    const mortal = mortalChange(life, killer, random);
    const write = (path: string, content: string | Uint8Array): void =>
      mortal("write", () => {
        if (random.chance(fullChance)) throw fault("ENOSPC");
        if (files.look(path)?.kind === "folder") throw fault("EISDIR");
        files.put(path, Buffer.from(content));
      });
    return {
      ...sharedFiles(files, life, mortal, () => random.chance(fullChance)),
      readText: async (path) => (life.isOver ? never() : files.text(path)),
      writeAtomic: async (path, content) => (life.isOver ? never() : write(path, content)),
      openLog: (path) => openLog({ path, life, files, random, isFull: random.chance(fullChance) }),
      async *readLog(path) {
        const content = files.bytes(path);
        if (content !== null) yield await Promise.resolve(content);
      },
    };
  };
  return { port, files, isSmall: fullChance > 0 };
}

/** What the system says; programs read the code. */
export function fault(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

type MortalChange = <Result>(change: DiskChange, make: () => Result) => Result;

/** A killed program throws into its own void: every port it could still reach is dead to it. */
function mortalChange(life: Life, { killChance, onKill }: DiskKiller, random: Random): MortalChange {
  return (change, make) => {
    if (life.isOver) throw fault("EDEAD");
    const isStruck = random.chance(killChance);
    const isBefore = isStruck && random.chance(0.5);
    const die = (): never => {
      life.isOver = true;
      onKill(`${isBefore ? "before" : "after"} ${change}`);
      throw fault("EDEAD");
    };
    if (isBefore) return die();
    const result = make();
    return isStruck ? die() : result;
  };
}

function sharedFiles(
  files: FakeFiles,
  life: Life,
  mortal: MortalChange,
  isFull: () => boolean,
): Pick<Disk, "look" | "list" | "open" | "createOnce" | "rename" | "remove"> {
  const alive = <Result>(result: Result): Result => {
    if (life.isOver) throw fault("EDEAD");
    return result;
  };
  return {
    look: (path) => alive(files.look(path)),
    list: (folder) => alive(files.list(folder)),
    open: (path, purpose) => {
      const found = alive(files.look(path));
      if (found !== null && found.kind !== "file") throw fault("EISDIR");
      if (found === null && (purpose === "read" || files.look(dirname(path)) === null)) return null;
      const file = files.open(path);
      return {
        entry: file.entry(),
        size: () => file.bytes().length,
        read: (buffer, position) => file.bytes().copy(buffer, 0, position),
        append: (bytes) =>
          mortal("append", () => {
            const taken = isFull() ? bytes.subarray(0, bytes.length >> 1) : bytes;
            file.append(taken);
            return taken.length;
          }),
        close: () => {},
      };
    },
    createOnce: (path, text) =>
      mortal("create", () => {
        if (files.look(path) !== null) return false;
        const isTorn = isFull();
        files.put(path, Buffer.from(isTorn ? "" : text));
        if (isTorn) throw fault("ENOSPC");
        return true;
      }),
    rename: (from, to) => mortal("rename", () => files.rename(from, to)),
    remove: (path) => mortal("remove", () => files.remove(path)),
  };
}

type LoggedCheck = { path: string; life: Life; files: FakeFiles; random: Random; isFull: boolean };

function openLog({ path, life, files, random, isFull }: LoggedCheck): LogFile {
  let bytes = 0;
  return {
    write(chunk) {
      if (life.isOver || isFull) return undefined;
      bytes += chunk.length;
      const torn = random.chance(0.05) ? chunk.subarray(0, chunk.length >> 1) : chunk;
      files.open(path).append(torn);
      return undefined;
    },
    close: () =>
      life.isOver
        ? never()
        : Promise.resolve({ bytes, droppedBytes: 0, problem: isFull ? "no space left on device" : null }),
  };
}
