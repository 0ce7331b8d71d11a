import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createInstallation, type Installation } from "./installation.ts";

let installation: Installation;
let kept = "";

beforeEach(() => {
  installation = createInstallation();
  kept = join(installation.folder, "dist/.compiled");
  // Says where Node keeps what it compiles.
  installation.writeProgram(`import { getCompileCacheDir } from "node:module"; console.log(getCompileCacheDir());`);
});

afterEach(() => installation.remove());

async function run(env?: Record<string, string>): Promise<string> {
  const ended = await installation.run(process.execPath, [], env);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return ended.stdout.trim();
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

describe.skipIf(process.platform === "win32")("the compiled program", () => {
  it("is kept beside the program, closed to other users, and used by the next start", async () => {
    expect(await run()).toContain(kept);
    expect(statSync(kept).mode & 0o777).toBe(0o700);
    const written = filesBelow(kept);
    expect(written).not.toEqual([]);
    const times = written.map((name) => statSync(join(kept, name)).mtimeMs);
    expect(await run()).toContain(kept);
    expect(filesBelow(kept).map((name) => statSync(join(kept, name)).mtimeMs)).toEqual(times);
  });

  it("is compiled again when the program has changed", async () => {
    await run();
    installation.writeProgram(`console.log("other")`);
    expect(await run()).toBe("other");
  });

  it("is compiled again when what was kept is torn or of somebody's making", async () => {
    const before = await run();
    for (const name of filesBelow(kept)) writeFileSync(join(kept, name), "no code");
    expect(await run()).toBe(before);
  });

  it("is not kept in a folder that other users can enter", async () => {
    mkdirSync(kept);
    chmodSync(kept, 0o755);
    expect(await run()).toBe("undefined");
    expect(readdirSync(kept)).toEqual([]);
  });

  it("is not kept behind a link", async () => {
    const elsewhere = join(installation.folder, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, kept);
    expect(await run()).toBe("undefined");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("is not kept where that is switched off, or where the folder cannot be made", async () => {
    expect(await run({ NODE_DISABLE_COMPILE_CACHE: "1" })).toBe("undefined");
    expect(readdirSync(join(installation.folder, "dist"))).toEqual(["cli"]);
    writeFileSync(kept, "");
    expect(await run()).toBe("undefined");
  });
});
