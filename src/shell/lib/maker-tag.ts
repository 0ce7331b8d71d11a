import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { isPidLiving } from "./is-pid-living.ts";
import { pidNamespaceOf } from "./pid-namespace-of.ts";

/** Names this process in what it makes for a moment, so that others can tell when nobody uses it any more. */
export function makerTag(): string {
  return `${process.pid}.${here()}${startOf(process.pid)}`;
}

/**
 * Whether the process that a tag names is dead. A tag of another machine or container says nothing: false. A pid is soon given
 * out again on a machine with few of them, so the time when its process started decides, where the tag has it.
 */
export function isMakerDead(tag: string): boolean {
  const [pid = "", rest = ""] = tag.split(".");
  if (!/^[1-9]\d*$/.test(pid) || !rest.startsWith(here())) return false;
  if (!isPidLiving(Number(pid))) return true;
  const [began, begins] = [rest.slice(placeLength), startOf(Number(pid))];
  return began !== "" && begins !== "" && began !== begins;
}

const placeLength = 8;

/** When a process started, as Linux counts it; empty where that cannot be read. */
function startOf(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program may hold blanks and brackets; the twentieth field behind it is the time.
    const ticks = Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[19]);
    return Number.isSafeInteger(ticks) ? ticks.toString(16) : "";
  } catch {
    return "";
  }
}

/** Where a pid means something: containers may share a folder, but not their processes. */
function here(): string {
  // FNV-1a: it only has to differ, and loading `node:crypto` for it takes 7 ms.
  const text = `${hostname()} ${pidNamespaceOf("self") ?? ""}`;
  const hash = Array.from(text).reduce((sum, each) => Math.imul(sum ^ each.charCodeAt(0), 16_777_619), 0x811c9dc5);
  return (hash >>> 0).toString(16).padStart(placeLength, "0");
}
