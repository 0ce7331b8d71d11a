import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { transform } from "esbuild";

/**
 * Writes the chunks of a split bundle as CommonJS. The bundler can split only ES modules, and V8 hands out what it made of a
 * module only before the module runs; of a script it does so at any time, with the functions that were called.
 */
export async function writeParts(folder, outputFiles, { target }) {
  mkdirSync(folder, { recursive: true });
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(withLazyRequires(text), { format: "cjs", platform: "node", target });
      writeFileSync(join(folder, basename(path)), namedByContent(inAscii(code)));
    }),
  );
}

/** A lazy import of a chunk or of Node's own stays lazy, without Node's loader of ES modules; one of a user's file needs that. */
function withLazyRequires(text) {
  return text
    .replaceAll(/\bimport\("(\.\/[\w.-]+\.cjs)"\)/g, 'Promise.resolve().then(() => require("$1"))')
    .replaceAll(/\bimport\("(node:[\w/]+)"\)/g, 'Promise.resolve(process.getBuiltinModule("$1"))');
}

/** The bundler leaves regular expressions as they are. One letter beyond ASCII doubles what Node and V8 have to read. */
export function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Its first line says what a file holds: what V8 made of it is kept under that name. */
export function namedByContent(text) {
  return `//${createHash("sha256").update(text).digest("hex").slice(0, 32)}\n${text}`;
}
