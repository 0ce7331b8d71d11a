import { lstatSync } from "node:fs";

/** Changes with every write to a file or exchange of it: no program can set the time of a change. */
export function fileStamp(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "none" : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode].join(" ");
}
