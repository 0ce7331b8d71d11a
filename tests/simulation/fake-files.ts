import { basename, dirname } from "node:path";
import type { DiskEntry } from "../../src/shell/ports.ts";

/** The files of the simulated machine, as everybody on it sees them. */
export type FakeFiles = {
  look(path: string): DiskEntry | null;
  list(folder: string): { name: string; kind: DiskEntry["kind"] }[] | null;
  text(path: string): string | null;
  bytes(path: string): Buffer | null;
  put(path: string, content: Buffer): void;
  makeFolder(path: string): void;
  /** Makes it when it is not there. */
  open(path: string): { entry(): DiskEntry; bytes(): Buffer; append(bytes: Uint8Array): void };
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Of an empty folder. */
  removeFolder(path: string): void;
};

type FakeFile = { chunks: Buffer[]; changedAt: number; identity: string };

/** Empty at first. Folders are there with what is in them. */
export function createFakeFiles(now: () => number): FakeFiles {
  const files = new Map<string, FakeFile>();
  const folders = new Map<string, Map<string, DiskEntry["kind"]>>();
  let count = 0;
  const addTo = (path: string, kind: DiskEntry["kind"]): void => {
    const folder = dirname(path);
    if (folder === path) return;
    const known = folders.get(folder);
    if (known !== undefined) return void known.set(basename(path), kind);
    folders.set(folder, new Map([[basename(path), kind]]));
    addTo(folder, "folder");
  };
  const make = (path: string, chunks: Buffer[]): FakeFile => {
    const file = { chunks, changedAt: now(), identity: `fake:${count++}` };
    files.set(path, file);
    addTo(path, "file");
    return file;
  };
  const drop = (path: string): void => {
    if (files.delete(path)) folders.get(dirname(path))?.delete(basename(path));
  };
  const whole = (file: FakeFile): Buffer => {
    const [first] = file.chunks;
    if (first !== undefined && file.chunks.length === 1) return first;
    const joined = Buffer.concat(file.chunks);
    file.chunks = [joined];
    return joined;
  };
  const entryOf = (file: FakeFile): DiskEntry => ({
    kind: "file",
    bytes: whole(file).length,
    changedAt: file.changedAt,
    identity: file.identity,
  });
  const bytes = (path: string): Buffer | null => {
    const file = files.get(path);
    return file === undefined ? null : whole(file);
  };
  return {
    look: (path) => {
      const file = files.get(path);
      if (file !== undefined) return entryOf(file);
      return folders.has(path) ? { kind: "folder", bytes: 0, changedAt: 0, identity: `fake:${path}` } : null;
    },
    list: (folder) => {
      const known = folders.get(folder);
      return known === undefined ? null : [...known].map(([name, kind]) => ({ name, kind }));
    },
    text: (path) => bytes(path)?.toString("utf8") ?? null,
    bytes,
    put: (path, content) => void make(path, [content]),
    makeFolder: (path) => {
      if (!folders.has(path)) folders.set(path, new Map());
      addTo(path, "folder");
    },
    open: (path) => {
      const file = files.get(path) ?? make(path, []);
      return {
        entry: () => entryOf(file),
        bytes: () => whole(file),
        append: (more) => {
          file.chunks.push(Buffer.from(more));
          file.changedAt = now();
        },
      };
    },
    rename: (from, to) => {
      const file = files.get(from);
      if (file === undefined) return;
      drop(from);
      files.set(to, file);
      addTo(to, "file");
    },
    remove: drop,
    removeFolder: (path) => {
      folders.delete(path);
      folders.get(dirname(path))?.delete(basename(path));
    },
  };
}
