import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratchCheckout, type ScratchCheckout } from "./scratch-checkout.ts";

let checkout: ScratchCheckout;

beforeEach(() => {
  checkout = createScratchCheckout();
  checkout.write("package.json", `{ "type": "module" }`);
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(checkout.folder, "node_modules"));
  checkout.write("src/green.test.ts", testFile("it('is green', () => {}); it.skipIf(true)('is left out', () => {});"));
});

afterEach(() => checkout.remove());

describe("npm test", () => {
  it("checks first, runs everything, lists what was skipped and ends with the counts", async () => {
    const ended = await checkout.runScript("test.js");
    expect(checkout.takeNpmCalls()).toEqual(["run --silent check"]);
    expect(ended.lines.slice(-2)).toEqual([
      "skipped: src/green.test.ts > is left out",
      "1 passed, 0 failed, 1 skipped",
    ]);
    expect(ended.code).toBe(0);
  });

  it("counts a red check as one failure and still runs the tests", async () => {
    checkout.scriptNpm("exit 1");
    const ended = await checkout.runScript("test.js");
    expect(ended.lines.at(-1)).toBe("1 passed, 1 failed, 1 skipped");
    expect(ended.code).toBe(1);
  });

  it("counts failed tests", async () => {
    checkout.write("src/red.test.ts", testFile("it('is red', () => { throw new Error('red'); });"));
    const ended = await checkout.runScript("test.js");
    expect(ended.lines.at(-1)).toBe("1 passed, 1 failed, 1 skipped");
    expect(ended.code).toBe(1);
  });

  it("counts a file that does not load as a failure, also beside failed tests", async () => {
    checkout.write("src/broken.test.ts", "throw new Error('broken');");
    checkout.write("src/red.test.ts", testFile("it('is red', () => { throw new Error('red'); });"));
    const ended = await checkout.runScript("test.js");
    expect(ended.lines.at(-1)).toBe("1 passed, 2 failed, 1 skipped");
    expect(ended.code).toBe(1);
  });

  it("runs only what its arguments choose, without the check", async () => {
    checkout.write("src/red.test.ts", testFile("it('is red', () => { throw new Error('red'); });"));
    const ended = await checkout.runScript("test.js", ["src/green"]);
    expect(checkout.takeNpmCalls()).toEqual([]);
    expect(ended.lines.at(-1)).toBe("1 passed, 0 failed, 1 skipped");
    expect(ended.code).toBe(0);
  });

  it("fails when its arguments choose nothing", async () => {
    const ended = await checkout.runScript("test.js", ["src/nowhere"]);
    expect(ended.lines.at(-1)).toBe("0 passed, 1 failed, 0 skipped");
    expect(ended.code).toBe(1);
  });
});

function testFile(body: string): string {
  return `import { it } from "vitest";\n${body}\n`;
}
