import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { expect, it, onTestFinished } from "vitest";

const script = join(import.meta.dirname, "../../scripts/one-shared-chunk.js");
const { oneSharedChunk } = (await import(script)) as { oneSharedChunk: (base: string) => Plugin };

/** A program with two lazy parts, which share less than all of `base`, in a package as this one. */
const files = {
  "package.json": '{ "type": "module", "sideEffects": false }',
  "main.ts": 'import { base } from "./base.ts";\nprocess.exitCode = await base();\n',
  "base.ts": [
    'import { common } from "./common.ts";',
    'import { name } from "./name.ts";',
    'const parts = () => Promise.all([import("./first.ts"), import("./second.ts")]);',
    "export const base = async () => (await parts()).reduce((sum, part) => sum + part.run(), common(name));",
  ].join("\n"),
  "common.ts": "export const common = (text: string) => text.length;",
  "name.ts": 'export const name = "base";',
  "first.ts": 'import { common } from "./common.ts";\nexport const run = () => common("first");',
  "second.ts": 'import { name } from "./name.ts";\nexport const run = () => name.length;',
};

it("what every command needs is one file, and the bundler finds nothing to warn of", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ralph-chunk-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { warnings, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ["main.ts"],
    outdir: join(folder, "dist"),
    bundle: true,
    format: "esm",
    platform: "node",
    splitting: true,
    metafile: true,
    logLevel: "silent",
    plugins: [oneSharedChunk(join(folder, "base.ts"))],
  });
  expect(warnings).toEqual([]);
  const inputs = Object.values(metafile.outputs).map((output) => Object.keys(output.inputs).toSorted());
  expect(inputs).toContainEqual(["base.ts", "common.ts", "name.ts"]);
});
