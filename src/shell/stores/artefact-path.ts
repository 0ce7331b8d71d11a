import { join } from "node:path";
import { assert } from "../../core/assert.ts";
import type { Artefact, ArtefactKind } from "../ports.ts";

/** Where artefacts of a kind lie below the folders of their run, and what stands around their names. */
type Place = { folder: "streams" | "checks"; prefix: string; suffix: string };

/** People and their scripts know these names. */
const places: Record<ArtefactKind, Place> = {
  stream: { folder: "streams", prefix: "turn-", suffix: ".log" },
  usage: { folder: "streams", prefix: "turn-", suffix: ".log.usage" },
  "turn-text": { folder: "streams", prefix: "text-", suffix: ".txt" },
  answer: { folder: "streams", prefix: "answer-", suffix: ".txt" },
  delivery: { folder: "streams", prefix: "delivery-", suffix: ".json" },
  receipt: { folder: "streams", prefix: "receipt-", suffix: ".json" },
  check: { folder: "checks", prefix: "", suffix: ".log" },
};

/** The path of an artefact, relative to the state folder. Verdicts name their evidence by it. */
export function artefactPath({ runId, kind, name }: Artefact): string {
  const words = name.split("/");
  const isNested = places[kind].folder === "checks";
  assert(words.length === (isNested ? 2 : 1) && words.every(isFileName), `"${name}" can be the name of a ${kind}`);
  const { prefix, suffix } = places[kind];
  return join(kindFolder(runId, kind), `${prefix}${name}${suffix}`);
}

/** The folder of all artefacts of one kind, relative to the state folder; those of `check` lie in one folder per role. */
export function kindFolder(runId: string, kind: ArtefactKind): string {
  return places[kind].folder === "streams" ? runFolders(runId).streams : join(runFolders(runId).kept, "checks");
}

/** The name of an artefact, by its path below the folder of its kind; null when it is another file. */
export function artefactName(kind: ArtefactKind, path: string): string | null {
  const { prefix, suffix } = places[kind];
  if (!path.startsWith(prefix) || !path.endsWith(suffix)) return null;
  const name = path.slice(prefix.length, path.length - suffix.length);
  return name.split("/").every(isFileName) ? name : null;
}

/** The two folders of a run, relative to the state folder: raw streams with what lies beside them, and evidence. */
export function runFolders(runId: string): { streams: string; kept: string } {
  assert(/^[\w-]+$/.test(runId), `"${runId}" can be the name of a folder`);
  return { streams: join(streamsFolder, runId), kept: join(keptFolder, runId) };
}

/** One folder per run in each. */
export const streamsFolder = "streams";
export const keptFolder = "runs";

/** A word that stays in its folder. 255 bytes is what disks allow, less what stands around it. */
function isFileName(word: string): boolean {
  return /^[\w.-]{1,200}$/.test(word) && !/^\.+$/.test(word);
}
