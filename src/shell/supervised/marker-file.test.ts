import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { readMarker, removeMarker } from "./marker-file.ts";

describe("a marker file", () => {
  it("counts by being there, empty or not, with its time (S3-14)", async () => {
    const path = join(scratchFolder(), "DONE");
    writeFileSync(path, "");
    utimesSync(path, 5, 5);
    expect(await readMarker(path)).toEqual({ at: 5000 });
    await removeMarker(path);
    await removeMarker(path);
    expect(await readMarker(path)).toBeNull();
  });

  it("that is a directory is an error that says so (S3-15)", async () => {
    const path = join(scratchFolder(), "DONE");
    mkdirSync(path);
    await expect(readMarker(path)).rejects.toMatchObject({ code: "supervised", message: "DONE is a directory" });
  });

  it("that is missing is no error, any other failure is one, with its name (S3-16)", async () => {
    const folder = scratchFolder();
    expect(await readMarker(join(folder, "DONE"))).toBeNull();
    expect(await readMarker(join(folder, "no", "folder", "DONE"))).toBeNull();
    writeFileSync(join(folder, "file"), "");
    await expect(readMarker(join(folder, "file", "WAIT_WITHOUT_RESTART"))).rejects.toMatchObject({
      message: expect.stringMatching(/^stat WAIT_WITHOUT_RESTART: /),
    });
  });
});
