import { execFileSync } from "node:child_process";
import { closeSync, linkSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scratchFolder } from "../../../tests/bus/scratch-bus.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { readTextFile, type ReadRules } from "./read-text-file.ts";

const rules: ReadRules = { bytesMax: 100, links: "follow" };

function check(path: string, given: Partial<ReadRules>, sentence: string): void {
  const refused = refusalOf(path, { ...rules, ...given });
  expect(refused).toMatchObject({ code: "file", message: `${path} ${sentence}` });
  expect(refused?.hint).not.toBeNull();
}

function refusalOf(path: string, given: ReadRules): RalphError | null {
  try {
    readTextFile(path, given);
    return null;
  } catch (error) {
    if (error instanceof RalphError) return error;
    throw error;
  }
}

describe("a file that somebody else can write", () => {
  const at = (name: string): string => join(scratchFolder(), name);

  it("is read whole up to its limit, and is null where there is none (R-99)", () => {
    const path = at("prompt.md");
    expect(readTextFile(path, rules)).toBeNull();
    writeFileSync(path, "é".repeat(50));
    expect(readTextFile(path, rules)).toBe("é".repeat(50));
    expect(readTextFile(join(path, "below-a-file"), rules)).toBeNull();
  });

  it.skipIf(process.platform !== "linux")("is read whole where the file system reports no size", () =>
    expect(readTextFile("/proc/self/status", { ...rules, bytesMax: 1024 * 1024 })).toContain("Pid:"),
  );

  it("is followed through a link where people keep such files elsewhere, and only there (R-99)", () => {
    const [target, link] = [at("target"), at("link")];
    writeFileSync(target, "text");
    symlinkSync(target, link);
    expect(readTextFile(link, rules)).toBe("text");
    check(link, { links: "refuse" }, "is a symbolic link, not a regular file.");
    linkSync(target, at("second-name"));
    expect(readTextFile(target, { ...rules, links: "refuse" })).toBe("text");
  });

  it("is refused when it is a pipe, also through a link, without waiting for a writer (R-99)", () => {
    const [pipe, link] = [at("pipe"), at("link")];
    execFileSync("mkfifo", [pipe]);
    symlinkSync(pipe, link);
    check(pipe, {}, "is a pipe, not a regular file.");
    check(link, {}, "is a pipe, not a regular file.");
    // With a writer that says nothing, a read would wait as well.
    const writer = openSync(pipe, "r+");
    onTestFinished(() => closeSync(writer));
    check(pipe, {}, "is a pipe, not a regular file.");
  });

  it("is refused when it is a device, a folder or a socket (R-99)", async () => {
    const [endless, folder, socket] = [at("endless"), at("folder"), at("socket")];
    symlinkSync("/dev/zero", endless);
    mkdirSync(folder);
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    check(endless, {}, "is a device, not a regular file.");
    check(folder, {}, "is a folder, not a regular file.");
    check(socket, {}, "is a socket, a pipe or a device, not a regular file.");
  });

  it("is refused above its limit before it is read, with the value and the limit (R-99)", () => {
    const path = at("flood");
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
    check(path, {}, `is too large: ${2 ** 40} bytes, at most 100 are read.`);
  });

  it.skipIf(process.platform !== "linux")("is refused above its limit where no size is reported (R-99)", () =>
    expect(() => readTextFile("/proc/self/status", rules)).toThrow("/proc/self/status is too large:"),
  );
});
