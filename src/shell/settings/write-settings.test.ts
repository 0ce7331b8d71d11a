import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ignoreLines } from "../../core/settings/ignore-lines.ts";
import { createDisk } from "../lib/disk.ts";
import { writeSettings } from "./write-settings.ts";

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), "ralph-write-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, read: (path: string): string => readFileSync(join(folder, path), "utf8") };
}

describe("settings are written", () => {
  it("with the schema they name, and nothing half (S1-28)", async () => {
    const { folder, read } = openFolder();
    await writeSettings(createDisk(), folder, { maximumIterations: 3 });
    expect(read(".ralph/settings.json")).toBe(
      '{\n  "$schema": "./settings.schema.json",\n  "maximumIterations": 3\n}\n',
    );
    expect(JSON.parse(read(".ralph/settings.schema.json"))).toMatchObject({ type: "object" });
    expect(readdirSync(join(folder, ".ralph")).toSorted()).toEqual([
      ".gitignore",
      "settings.json",
      "settings.schema.json",
    ]);
  });

  it("with run files kept out of git, once, and what is there kept (CW-1I, CB-03)", async () => {
    const { folder, read } = openFolder();
    writeFileSync(join(folder, ".gitignore"), "node_modules");
    await writeSettings(createDisk(), folder, {});
    await writeSettings(createDisk(), folder, {});
    expect(read(".gitignore")).toBe(`node_modules\n${ignoreLines.join("\n")}\n`);
    expect(read(".ralph/.gitignore")).toBe("*\n!settings.json\n!settings.schema.json\n!.gitignore\n");
  });

  it("or the file that cannot be is named, before anything else is changed (S1-29)", async () => {
    const { folder } = openFolder();
    writeFileSync(join(folder, ".ralph"), "a file");
    await expect(writeSettings(createDisk(), folder, {})).rejects.toThrow(
      ".ralph/settings.json could not be written: ",
    );
    expect(readdirSync(folder)).toEqual([".ralph"]);
    rmSync(join(folder, ".ralph"));
    mkdirSync(join(folder, ".gitignore"));
    await expect(writeSettings(createDisk(), folder, {})).rejects.toThrow(".gitignore could not be written: ");
  });
});
