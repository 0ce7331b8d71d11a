import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createInstallation, type Installation } from "./installation.ts";

let installation: Installation;
let kept = "";
const [first, second] = ["1", "2"].map((digit) => digit.repeat(32));

beforeEach(() => {
  installation = createInstallation();
  kept = join(installation.folder, "dist/.compiled");
  installation.writeProgram(`console.log("one")`, first);
});

afterEach(() => installation.remove());

async function run(env?: Record<string, string>, words = ["status"]): Promise<string> {
  const ended = await installation.run(process.execPath, words, env);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return ended.stdout.trim();
}

/** A file with the hash of another text and of the same length: what it prints tells which of the two was run. */
async function isKeptRun(): Promise<boolean> {
  installation.writeProgram(`console.log("two")`, first);
  return (await run()) === "one";
}

function keptFiles(): string[] {
  return readdirSync(kept, { recursive: true, encoding: "utf8" })
    .map((name) => join(kept, name))
    .filter((path) => statSync(path).isFile());
}

describe.skipIf(process.platform === "win32")("what V8 made of the program", () => {
  it("is kept beside it, closed to other users, and run at the next start", async () => {
    expect(await run()).toBe("one");
    expect([kept, ...keptFiles()].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(await isKeptRun()).toBe(true);
  });

  it("is kept for each command, because each calls other functions", async () => {
    await run({}, ["run"]);
    await run({}, ["../status"]);
    expect(keptFiles().map((path) => path.split("/").at(-1))).toEqual(["other", "run"]);
    expect(await isKeptRun()).toBe(false);
  });

  it("is written by the first starts of a command only", async () => {
    for (let start = 0; start < 9; start += 1) await run();
    const [file = ""] = keptFiles();
    const before = statSync(file).ino;
    await run();
    expect(statSync(file).ino).toBe(before);
  });

  it("is made again when the program has changed", async () => {
    await run();
    installation.writeProgram(`console.log("two")`, second);
    expect(await run()).toBe("two");
  });

  it("is made again when it is torn, empty, damaged or of somebody's making, over which V8 would end the process", async () => {
    await run();
    const [file = ""] = keptFiles();
    const whole = readFileSync(file);
    const half = whole.length / 2;
    const damaged = Buffer.from(whole).fill(0x55, half - 100, half);
    for (const bytes of [whole.subarray(0, half), Buffer.alloc(0), damaged, Buffer.from("no code")]) {
      writeFileSync(file, bytes);
      expect(await run()).toBe("one");
    }
    expect(await isKeptRun()).toBe(true);
  });

  it("is not kept in a folder that other users can enter", async () => {
    mkdirSync(kept);
    chmodSync(kept, 0o755);
    expect(await run()).toBe("one");
    expect(readdirSync(kept)).toEqual([]);
  });

  it("is not kept behind a link", async () => {
    const elsewhere = join(installation.folder, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, kept);
    expect(await run()).toBe("one");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("is not kept where that is switched off, or where the folder cannot be made", async () => {
    expect(await run({ NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("one");
    expect(readdirSync(join(installation.folder, "dist"))).toEqual(["cli"]);
    writeFileSync(kept, "");
    expect(await run()).toBe("one");
  });
});
