import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { readSharedText } from "./read-shared-text.ts";
import { createSharedFiles } from "./shared-files.ts";

const files = createSharedFiles();

it("reads a small file whole, and null where there is none (R-99)", () => {
  const path = join(scratchFolder(), "run-info.yaml");
  expect(readSharedText(path, files)).toBeNull();
  writeFileSync(path, "é\n");
  expect(readSharedText(path, files)).toBe("é\n");
});

it("refuses links, folders, pipes nobody writes to, and floods, without waiting for them (R-99)", () => {
  const folder = scratchFolder();
  const at = (name: string): string => join(folder, name);
  symlinkSync("/dev/zero", at("link"));
  mkdirSync(at("folder"));
  execFileSync("mkfifo", [at("pipe")]);
  writeFileSync(at("flood"), Buffer.alloc(1024 * 1024 + 1));
  expect(() => readSharedText(at("link"), files)).toThrow("is a symbolic link, not a regular file");
  expect(() => readSharedText(at("folder"), files)).toThrow("not a regular file");
  expect(() => readSharedText(at("pipe"), files)).toThrow("not a regular file");
  expect(() => readSharedText(at("flood"), files)).toThrow("too large");
});
