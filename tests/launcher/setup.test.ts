import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratchCheckout, type ScratchCheckout } from "./scratch-checkout.ts";

const install = "ci --include=dev --prefer-offline --loglevel=error";
let checkout: ScratchCheckout;

beforeEach(() => {
  checkout = createScratchCheckout();
  checkout.scriptNpm(`mkdir -p node_modules/node/bin && ln -sf '${process.execPath}' node_modules/node/bin/node`);
  checkout.write("package.json", `{ "type": "module", "version": "1.0.0" }`);
  checkout.write("package-lock.json", "{}");
  checkout.write("tsconfig.json", "{}");
  checkout.write("src/main.ts", "first");
  // Stands for the bundler: notes that it was called, then does what the real one does at its end.
  checkout.write(
    "scripts/build.js",
    `import { appendFileSync } from "node:fs";
     import { buildStamp, stampFiles, writeStamp } from "./stamp.js";
     appendFileSync("builds", "built ");
     writeStamp(stampFiles(".").build, buildStamp("."));`,
  );
});

afterEach(() => checkout.remove());

describe("setup", () => {
  it("installs and builds in a fresh clone, says so on stderr, and does nothing the second time", async () => {
    const first = await checkout.runScript("setup.js");
    expect(first.code).toBe(0);
    expect(first.lines).toEqual([""]);
    expect(first.stderr).toContain("setup: installing");
    expect(first.stderr).toContain("setup: building");
    expect(checkout.takeNpmCalls()).toEqual([install]);
    expect(takeBuilds()).toBe(1);
    const second = await checkout.runScript("setup.js");
    expect(second).toEqual({ code: 0, lines: [""], stderr: "" });
    expect(checkout.takeNpmCalls()).toEqual([]);
    expect(takeBuilds()).toBe(0);
  });

  it.each([
    ["a changed lock", "package-lock.json", "{ }", { installs: 1, builds: 1 }],
    ["a changed source", "src/main.ts", "second", { installs: 0, builds: 1 }],
    ["a new source", "src/core/new.ts", "", { installs: 0, builds: 1 }],
    ["a new version", "package.json", `{ "type": "module", "version": "1.0.1" }`, { installs: 0, builds: 1 }],
    ["a changed compiler setting", "tsconfig.json", "{ }", { installs: 0, builds: 1 }],
    ["a changed test", "src/main.test.ts", "", { installs: 0, builds: 0 }],
    ["a changed script line", "package.json", `{ "type": "module", "version": "1.0.0", "scripts": {} }`, nothing()],
    ["the same content written again", "src/main.ts", "first", nothing()],
  ])("after %s does what is needed and no more", async (_, path, text, { installs, builds }) => {
    await checkout.runScript("setup.js");
    checkout.takeNpmCalls();
    takeBuilds();
    checkout.write(path, text);
    await checkout.runScript("setup.js");
    expect({ installs: checkout.takeNpmCalls().length, builds: takeBuilds() }).toEqual({ installs, builds });
  });

  it("only installs with --install-only", async () => {
    await checkout.runScript("setup.js", ["--install-only"]);
    expect(checkout.takeNpmCalls()).toEqual([install]);
    expect(takeBuilds()).toBe(0);
  });

  it("fails with the installer's exit code and tries again the next time", async () => {
    checkout.scriptNpm("exit 7");
    const ended = await checkout.runScript("setup.js");
    expect(ended.code).toBe(7);
    expect(ended.stderr).toContain("npm ci");
    expect(existsSync(join(checkout.folder, ".cache/setup.lock"))).toBe(false);
    await checkout.runScript("setup.js");
    expect(checkout.takeNpmCalls()).toHaveLength(2);
  });

  it("installs once when two are started at the same time", async () => {
    const ends = await Promise.all([checkout.runScript("setup.js"), checkout.runScript("setup.js")]);
    expect(ends.map((ended) => ended.code)).toEqual([0, 0]);
    expect(checkout.takeNpmCalls()).toEqual([install]);
    expect(takeBuilds()).toBe(1);
  });

  it("takes over the lock of a setup that died", async () => {
    // No system gives out a pid above 4194304.
    checkout.write(".cache/setup.lock", "9999999");
    const ended = await checkout.runScript("setup.js");
    expect(ended.code).toBe(0);
    expect(takeBuilds()).toBe(1);
  });
});

function nothing(): { installs: number; builds: number } {
  return { installs: 0, builds: 0 };
}

function takeBuilds(): number {
  const file = join(checkout.folder, "builds");
  const count = existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").length : 0;
  rmSync(file, { force: true });
  return count;
}
