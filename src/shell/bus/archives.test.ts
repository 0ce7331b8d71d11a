import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { archivesBefore, identityAt, listArchives, stampDigits } from "./archives.ts";
import { createDisk } from "../lib/disk.ts";

const disk = createDisk();

const stamped = (path: string, second: number): string => `${path}.20260102-03040${second}000.archived`;

describe("the archives of a bus", () => {
  it("are those with a stamp, oldest first", () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    for (const name of [stamped(path, 2), stamped(path, 1), `${path}.archived`, `${path}.1.archived`, `${path}.lock`])
      writeFileSync(name, "");
    mkdirSync(stamped(path, 3));
    expect(listArchives(path, disk)).toEqual([stamped(path, 1), stamped(path, 2)]);
    expect(listArchives(join(path, "none"), disk)).toEqual([]);
    expect(stampDigits(`${path}.20260102T030405Z.archived`, path)).toBe("20260102030405000");
  });

  it("before an open bus are only the older ones, also when it and others were put aside since (R-93)", () => {
    const path = join(scratchFolder(), "MESSAGE-BUS.md");
    writeFileSync(stamped(path, 1), "");
    writeFileSync(path, "");
    const identity = identityAt(path, disk);
    expect(archivesBefore(path, identity, disk)).toEqual([stamped(path, 1)]);
    renameSync(path, stamped(path, 2));
    writeFileSync(stamped(path, 3), "");
    expect(archivesBefore(path, identity, disk)).toEqual([stamped(path, 1)]);
    expect(archivesBefore(path, null, disk)).toHaveLength(3);
    expect(identityAt(path, disk)).toBeNull();
  });
});
