import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepUnusable, listEnded, moveEnded } from "./ended-sessions.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-ended-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startedAt = "2026-11-15T12:00:00.000Z";

/** A folder of a living session. */
function living(): string {
  const path = join(folder, "some-host-s1");
  mkdirSync(path);
  return path;
}

describe("ended session runs", () => {
  it("are all kept until a command imports them, however many there are", () => {
    for (let at = 0; at < 1010; at += 1) mkdirSync(join(folder, "ended", `some-host-s1.${at}`), { recursive: true });
    moveEnded(folder, living(), startedAt);
    expect(listEnded(folder)).toHaveLength(1011);
  });

  it("are moved to a name of their own, also two of one moment", () => {
    for (let at = 0; at < 2; at += 1) moveEnded(folder, living(), startedAt);
    expect(readdirSync(join(folder, "ended"))).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(["ended"]);
  });

  it("that could not be imported whole are kept aside", () => {
    moveEnded(folder, living(), startedAt);
    const [path = ""] = listEnded(folder);
    expect(readdirSync(join(keepUnusable(folder, path), ".."))).toEqual(["some-host-s1.20261115120000000"]);
    expect(listEnded(folder)).toEqual([]);
  });
});
