import type { Disk, LogFile } from "../../src/shell/ports.ts";
import type { Random } from "./random.ts";
import { type Life, never } from "./world.ts";

/** Files that outlive the program. A disk may be full, and a killed writer leaves half of its last piece. */
export type DiskWorld = { port(life: Life): Disk; files: Map<string, Buffer> };

/** `fullChance`: how often a log finds no room. */
export function createDiskWorld(random: Random, fullChance: number): DiskWorld {
  const files = new Map<string, Buffer>();
  const port = (life: Life): Disk => ({
    readText: (path) => (life.isOver ? never() : Promise.resolve(files.get(path)?.toString("utf8") ?? null)),
    writeAtomic: (path, content) => {
      if (life.isOver) return never();
      files.set(path, Buffer.from(content));
      return Promise.resolve();
    },
    openLog: (path) => openLog(path, life),
    async *readLog(path) {
      const content = files.get(path);
      if (content !== undefined) yield await Promise.resolve(content);
    },
  });
  const openLog = (path: string, life: Life): LogFile => {
    const isFull = random.chance(fullChance);
    let bytes = 0;
    return {
      write(chunk) {
        if (life.isOver || isFull) return undefined;
        bytes += chunk.length;
        const torn = random.chance(0.05) ? chunk.subarray(0, chunk.length >> 1) : chunk;
        files.set(path, Buffer.concat([files.get(path) ?? Buffer.alloc(0), torn]));
        return undefined;
      },
      close: () =>
        life.isOver
          ? never()
          : Promise.resolve({ bytes, droppedBytes: 0, problem: isFull ? "no space left on device" : null }),
    };
  };
  return { port, files };
}
