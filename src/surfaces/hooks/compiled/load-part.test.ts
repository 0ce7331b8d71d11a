import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Script } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compiledFolder, writeCompiled } from "./compiled-files.ts";
import { partLoader } from "./load-part.ts";

let folder: string;
let compiled: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ralph-parts-"));
  compiled = compiledFolder({ RALPH_STATE_HOME: join(folder, "state") }) ?? "";
  writePart("one.cjs", 'exports.words = () => "one and " + require("./two.cjs").words();');
  writePart("two.cjs", 'exports.words = () => "two";');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hash = "0123456789abcdef0123456789abcdef";

function writePart(name: string, text: string): void {
  writeFileSync(join(folder, name), `//${hash}\n${text}`);
}

type Part = { words: () => string };

function notRequired(name: string): Part {
  throw new Error(`${name} is not to be loaded as usual`);
}

/** Compiles both parts as `ralph plugin install` does. */
function compile(): void {
  const scripts: [string, Script][] = [];
  const load = partLoader({
    folder,
    compiled: null,
    require: notRequired,
    onCompiled: ({ name }, script) => void scripts.push([name, script]),
  });
  load("one.cjs").words();
  for (const [name, script] of scripts) writeCompiled(compiled, { name, hash }, script.createCachedData());
}

/** What is loaded, and which files were left to Node's own `require`. */
function loadWords(): { said: string; required: string[] } {
  const required: string[] = [];
  const require = (name: string): Part => {
    required.push(name.slice(folder.length + 1));
    return { words: () => "as usual" };
  };
  const { words } = partLoader({ folder, compiled, require })("one.cjs");
  return { said: words(), required };
}

const asUsual = { said: "as usual", required: ["one.cjs"] };

describe("a part of a hook", () => {
  it("is loaded from what was compiled, with the parts it needs", () => {
    compile();
    expect(loadWords()).toEqual({ said: "one and two", required: [] });
  });

  it("is loaded as usual where nothing was compiled", () => {
    expect(loadWords()).toEqual(asUsual);
  });

  it("is loaded as usual when what was compiled is of another build", () => {
    compile();
    writeFileSync(join(folder, "one.cjs"), `//${hash.replace("0", "f")}\nexports.words = () => "another";`);
    expect(loadWords()).toEqual(asUsual);
  });

  it("is loaded as usual when what was compiled is damaged, cut short or empty, over which V8 would end the process", () => {
    for (const damage of [flip, (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), () => Buffer.alloc(0)]) {
      compile();
      for (const name of readdirSync(compiled))
        writeFileSync(join(compiled, name), damage(readFileSync(join(compiled, name))));
      expect(loadWords()).toEqual(asUsual);
    }
  });

  it("is loaded as usual when others could have put it there", () => {
    compile();
    for (const mode of [0o720, 0o702]) {
      chmodSync(compiled, mode);
      expect(loadWords()).toEqual(asUsual);
    }
    expect(() => compile()).toThrow("can be written by others");
  });

  it("is kept once, also after many builds", () => {
    compile();
    writeCompiled(compiled, { name: "one.cjs", hash: "another" }, Buffer.from("a"));
    expect(readdirSync(compiled).toSorted()).toEqual(["one.cjs.another", `two.cjs.${hash}`]);
  });
});

function flip(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(bytes.length / 3);
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}
