import { isForeignScript } from "./call-context.ts";
import { hasPattern, hasUnknown, withoutMarks } from "./marks.ts";
import { resolveIn, type Scope } from "./scope.ts";

/** The text of a file that this line wrote or downloaded, or that lies outside the project; null when nobody knows it. */
export function textOfFile(scope: Scope, path: string): string | null {
  const resolved = resolveIn(scope, path);
  return scope.files.get(resolved) ?? textBelow(scope, resolved) ?? foreignText(scope, resolved);
}

/** Everything below this folder has this origin: a clone is a download. */
export function fillFolder(scope: Scope, path: string, origin: string): void {
  scope.files.set(`${resolveIn(scope, path)}/`, origin);
}

/** Whether a text is that of a file outside the project, as it was read. */
export function isReadText(scope: Scope, text: string): boolean {
  const plain = text.trim();
  return plain !== "" && [...scope.walk.readTexts.values()].some((read) => read?.trim() === plain);
}

function textBelow({ files }: Scope, path: string): string | undefined {
  const folders = path.split("/").map((_, at, all) => `${all.slice(0, at + 1).join("/")}/`);
  const folder = files.size === 0 ? undefined : folders.find((name) => files.has(name));
  return folder === undefined ? undefined : files.get(folder);
}

/** A file where anybody could have written it is judged by what it says; a program is not. */
function foreignText(scope: Scope, path: string): string | null {
  const { place, readTexts } = scope.walk;
  const isFile = !hasUnknown(path) && !hasPattern(path) && !/^\/(?:proc|dev(?!\/shm\/))(?:\/|$)/.test(path);
  if (!isFile || place.readScript === undefined || !isForeignScript(path, place)) return null;
  const before = readTexts.get(path);
  if (before !== undefined) return before;
  const read = readTexts.size < filesMax ? (place.readScript(path) ?? "") : "";
  const text = read === "" || read.includes("\0") ? null : withoutMarks(read);
  readTexts.set(path, text);
  return text;
}

/** A line that names more files than this is not written by hand; each may cost a read. */
const filesMax = 50;
