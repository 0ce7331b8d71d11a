import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { createSharedFiles } from "../lib/shared-files.ts";
import { taskFileIfClear, readTaskFile } from "./task-file.ts";

const files = createSharedFiles();

describe("a marker file", () => {
  it("counts by being there, empty or not, with its time (S3-14)", () => {
    const path = join(scratchFolder(), "DONE");
    writeFileSync(path, "");
    utimesSync(path, 5, 5);
    expect(readTaskFile(path, files)).toEqual({ at: 5000 });
    files.remove(path);
    files.remove(path);
    expect(readTaskFile(path, files)).toBeNull();
  });

  it("that is a directory is an error that says so (S3-15)", () => {
    const path = join(scratchFolder(), "DONE");
    mkdirSync(path);
    expect(() => readTaskFile(path, files)).toThrow(
      expect.objectContaining({ code: "supervised", message: "DONE is a directory" }),
    );
  });

  it("that is a link is an error, wherever it leads: nobody follows it (S3-16)", () => {
    const path = join(scratchFolder(), "DONE");
    symlinkSync("nowhere", path);
    expect(() => readTaskFile(path, files)).toThrow("DONE is a link or special file");
    expect(taskFileIfClear(path, files)).toBeNull();
  });

  it("that is missing is no error, any other failure is one, with its name (S3-16)", () => {
    const folder = scratchFolder();
    expect(readTaskFile(join(folder, "DONE"), files)).toBeNull();
    expect(readTaskFile(join(folder, "no", "folder", "DONE"), files)).toBeNull();
    writeFileSync(join(folder, "file"), "");
    expect(() => readTaskFile(join(folder, "file", "WAIT_WITHOUT_RESTART"), files)).toThrow(
      /^stat WAIT_WITHOUT_RESTART: /,
    );
  });
});
