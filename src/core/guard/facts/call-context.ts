import type { AllowRule } from "./allow-list.ts";
import { marks, withoutUnknown } from "./marks.ts";

/** Where a call happens: which places belong to the user. All paths are absolute. */
export type CallContext = {
  workTree: string;
  home: string;
  tempFolder: string;
  cwd: string;
  /** The folder of ralph's store, which an agent must not write. */
  store: string;
  allow: readonly AllowRule[];
  /** The text of a script outside the project, by its absolute path; null for none or one too large. Must not throw. */
  readScript?: (path: string) => string | null;
  /** What `git push --force-with-lease` is; a warning unless the project says otherwise. */
  forceWithLease?: "allow" | "warn" | "block";
};

/** An absolute path without `.`, `..`, doubled slashes and the other names of the same folder. */
export function resolvePath(path: string, cwd: string): string {
  const segments: string[] = [];
  for (const segment of `${path.startsWith("/") ? "" : `${cwd}/`}${path}`.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return otherNames.reduce((found, [other, own]) => found.replace(other, own), `/${segments.join("/")}`);
}

/** Whether a path is below a folder; the folder itself is not. */
export function isBelow(path: string, folder: string): boolean {
  const parent = folder.endsWith("/") ? folder : `${folder}/`;
  return path.length > parent.length && path.startsWith(parent);
}

/** Whether a path is a folder or below it. What only a variable names in a folder has that folder's name with a slash. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path === `${folder}/` || isBelow(path, folder);
}

/** Whether a path belongs to the user: in the work tree, or in a named place of a temp folder. */
export function isOwn(path: string, place: CallContext): boolean {
  return isBelow(path, place.workTree) || tempFolders(place).some((folder) => isNamedBelow(path, folder));
}

/** Every folder for temporary files. */
export function tempFolders(place: CallContext): string[] {
  return [place.tempFolder, "/tmp", "/var/tmp"];
}

/** Whether an absolute path is part of the system. */
export function isSystemPath(path: string): boolean {
  return path === "/" || systemFolder.test(path);
}

/**
 * Whether a script lies where downloads and other programs leave their files. The start of a virtual environment is an
 * exception, and so is everything else at home: tools such as nvm are started from there.
 */
export function isForeignScript(path: string, place: CallContext): boolean {
  if (path === "/dev/null" || isWithin(path, place.workTree) || /\/bin\/activate(?:\.\w+)?$/.test(path)) return false;
  const downloads = [`${place.home}/Downloads`, `${place.home}/Desktop`, "/dev", "/mnt", "/media", "/run", "/proc"];
  return [...tempFolders(place), ...downloads].some((folder) => isWithin(path, folder));
}

function isNamedBelow(path: string, folder: string): boolean {
  if (!isBelow(path, folder)) return false;
  const name = path.slice(folder.length + 1).split("/")[0] ?? "";
  return /[\w-]/.test(
    withoutUnknown(name)
      .replaceAll(marks.bracket, "[")
      .replaceAll(/\[.*?\]/g, ""),
  );
}

const otherNames: readonly (readonly [RegExp, string])[] = [
  [/^\/proc\/(?:self|thread-self|\d+)\/root(?=\/|$)/, ""],
  [/^\/private(?=\/(?:etc|tmp|var)(?:\/|$))/, ""],
  [/^$/, "/"],
];
const systemFolder =
  /^\/(?:bin|boot|dev|etc|lib|lib32|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|home|Users|mnt|media)(?:\/|$)/;
