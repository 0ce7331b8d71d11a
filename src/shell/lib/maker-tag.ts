import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isPidLiving } from "./is-pid-living.ts";

/** Names this process in what it makes for a moment, so that others can tell when nobody uses it any more. */
export function makerTag(): string {
  return `${process.pid}.${here()}`;
}

/** Whether the process that a tag names is dead. A tag of another machine or container says nothing: false. */
export function isMakerDead(tag: string): boolean {
  const [pid = "", place] = tag.split(".");
  return /^[1-9]\d*$/.test(pid) && place === here() && !isPidLiving(Number(pid));
}

/** Where a pid means something: containers may share a folder, but not their processes. */
function here(): string {
  // FNV-1a: it only has to differ, and loading `node:crypto` for it takes 7 ms.
  const text = `${hostname()} ${pidNamespace()}`;
  const hash = Array.from(text).reduce((sum, each) => Math.imul(sum ^ each.charCodeAt(0), 16_777_619), 0x811c9dc5);
  return (hash >>> 0).toString(16);
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Only Linux has them.
    return "";
  }
}
