import { readFileSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";

/**
 * Keeps what every command needs in one file. The bundler makes a chunk for each set of lazily loaded modules that
 * share something, a dozen small files for every start to read; so each lazily loaded module is given the whole of
 * `base` to share. At run time that costs nothing: it is already there.
 */
export function oneSharedChunk(base) {
  return {
    name: "one-shared-chunk",
    setup(build) {
      const lazy = new Set();
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const file = resolve(resolveDir, path);
        if (kind === "dynamic-import") lazy.add(file);
        // Resolved here, it has side effects: package.json denies them, and the bundler would drop the import below.
        return file === base ? { path: base } : undefined;
      });
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!lazy.has(path)) return undefined;
        const contents = `${readFileSync(path, "utf8")}\nimport ${JSON.stringify(base)};\n`;
        return { contents, loader: extname(path).slice(1), resolveDir: dirname(path) };
      });
    },
  };
}
