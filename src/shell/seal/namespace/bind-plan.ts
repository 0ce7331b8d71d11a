/** What of a copy nobody may write during a run, by paths from its top. */
export type BindPlan = {
  /** Files, and folders of which every file is protected. */
  readOnly: string[];
  /** Folders above them, outermost first: each becomes a mount, so that none can be renamed and replaced. */
  pinned: string[];
  /** Folders below read-only ones that a suite fills: they must be there before the mounts are made. */
  filled: string[];
};

/** A file of a copy. */
export type PlannedFile = { path: string; mode: string; isReadOnly: boolean };

/** `writable`: paths that a suite makes during its run; those with wildcards count for files that are there. */
export type BindRules = { writable?: readonly string[]; max?: number };

/** Each mount takes bwrap longer than the one before it: 300 of them take 0.1 s. */
const readOnlyMax = 300;

/**
 * Plans the mounts that make files read-only. A folder of which all files are protected is one mount; nothing new can be put into
 * it then. With too many single files their folders become read-only as a whole, those with most of them first, and never the top.
 */
export function planBinds(
  files: readonly PlannedFile[],
  { writable = [], max = readOnlyMax }: BindRules = {},
): BindPlan {
  const open = new Set<string>();
  const made = writable.filter((path) => path.includes("/") && !/[*?{]/.test(path));
  // A single file is made in its folder.
  for (const path of made) if (!isFolderName(path)) for (const folder of foldersOf(path)) open.add(folder);
  for (const { path, isReadOnly } of files) if (!isReadOnly) for (const folder of foldersOf(path)) open.add(folder);
  const chosen = new Set<string>();
  for (const { path, mode, isReadOnly } of files) {
    if (!isReadOnly) continue;
    const folder = foldersOf(path).find((each) => !open.has(each));
    // A link cannot be mounted on: its target would be.
    if (folder !== undefined) chosen.add(folder);
    else if (mode.startsWith("100")) chosen.add(path);
  }
  const readOnly = withinLimit([...chosen], max);
  const pinned = new Set(readOnly.flatMap(foldersOf));
  for (const path of readOnly) pinned.delete(path);
  const isFile = new Set(files.map(({ path }) => path));
  const filled = made.filter((path) => isFolderName(path) && !isFile.has(path) && readOnly.some(isAbove(path)));
  return { readOnly, pinned: [...pinned].toSorted((one, other) => depthOf(one) - depthOf(other)), filled };
}

/** What is not there yet has no kind; most files have an ending. */
function isFolderName(path: string): boolean {
  return !(path.split("/").at(-1) ?? "").includes(".");
}

function isAbove(path: string): (folder: string) => boolean {
  return (folder) => path.startsWith(`${folder}/`);
}

function withinLimit(paths: string[], max: number): string[] {
  let chosen = paths;
  while (chosen.length > max) {
    const counts = new Map<string, number>();
    for (const path of chosen) {
      const parent = foldersOf(path).at(-1);
      if (parent !== undefined) counts.set(parent, (counts.get(parent) ?? 0) + 1);
    }
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (most === undefined) return chosen;
    chosen = [...chosen.filter((path) => !path.startsWith(`${most[0]}/`)), most[0]];
  }
  return chosen;
}

/** The folders above a path, outermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) folders.push(path.slice(0, end));
  return folders;
}

function depthOf(path: string): number {
  return path.split("/").length;
}
