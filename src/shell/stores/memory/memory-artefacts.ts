import { RalphError } from "../../../core/ralph-error.ts";
import type { Artefact, Artefacts, LogFile } from "../../ports.ts";
import { artefactName, artefactPath, kindFolder, runFolders } from "../artefact-path.ts";

/** An artefact in memory. */
type Kept = { runId: string; bytes: Uint8Array };

/** What a disk would hold, by path; it outlives whoever reads it. */
export type MemoryFiles = Map<string, Kept>;

/** Artefacts for tests, with the semantics of the real ones. Their paths name no file. */
export function createMemoryArtefacts(files: MemoryFiles = new Map()): Artefacts {
  const read = (artefact: Artefact): Uint8Array | null => files.get(artefactPath(artefact))?.bytes ?? null;
  return {
    put: async (artefact, content) =>
      void files.set(artefactPath(artefact), { runId: artefact.runId, bytes: Buffer.from(content) }),
    append(artefact, keepBytesMax, taken) {
      let opened = artefact;
      for (let count = 1; taken === "number" && read(opened) !== null; count += 1)
        opened = { ...artefact, name: `${artefact.name}_${count}` };
      const kept: Kept = { runId: artefact.runId, bytes: new Uint8Array() };
      files.set(artefactPath(opened), kept);
      return { ...appendTo(kept, keepBytesMax), artefact: opened };
    },
    async read(artefact, bytesMax = textBytesMax) {
      const bytes = read(artefact);
      if (bytes !== null && bytes.length > bytesMax)
        throw new RalphError("file", `${artefactPath(artefact)} is larger than ${bytesMax} bytes.`);
      return bytes === null ? null : Buffer.from(bytes).toString();
    },
    readLog(artefact) {
      const bytes = read(artefact);
      return (async function* () {
        if (bytes !== null) yield await Promise.resolve(bytes);
      })();
    },
    async list(runId, kind) {
      const folder = `${kindFolder(runId, kind)}/`;
      const paths = Array.from(files.keys()).filter((path) => path.startsWith(folder));
      return paths.flatMap((path) => artefactName(kind, path.slice(folder.length)) ?? []).toSorted();
    },
    async sizes() {
      const runIds = new Set(Array.from(files.values(), ({ runId }) => runId));
      return Array.from(runIds, (runId) => ({ runId, bytes: bytesOf(files, runId), changedAt: 0 }));
    },
    async remove(runId) {
      runFolders(runId);
      for (const [path, kept] of Array.from(files)) if (kept.runId === runId) files.delete(path);
    },
    localPath: artefactPath,
  };
}

const textBytesMax = 16 * 1024 * 1024;

/** Keeps the first half of `keepBytesMax` and the last one. */
function appendTo(kept: Kept, keepBytesMax: number): LogFile {
  const half = Math.floor(keepBytesMax / 2);
  const total = { bytes: 0, dropped: 0 };
  return {
    write(chunk) {
      total.bytes += chunk.length;
      const all = Buffer.concat([kept.bytes, chunk]);
      const isKept = all.length <= keepBytesMax;
      kept.bytes = isKept ? all : Buffer.concat([all.subarray(0, half), all.subarray(all.length - half)]);
      total.dropped = total.bytes - kept.bytes.length;
      return undefined;
    },
    close: () => Promise.resolve({ bytes: total.bytes, droppedBytes: total.dropped, problem: null }),
  };
}

function bytesOf(files: MemoryFiles, runId: string): number {
  return Array.from(files.values())
    .filter((kept) => kept.runId === runId)
    .reduce((sum, { bytes }) => sum + bytes.length, 0);
}
