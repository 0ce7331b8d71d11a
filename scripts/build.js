// Bundles the program, the library and the hook; types come from `tsc -b`.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { lazyBuiltins, lazyRequires } from "./lazy-builtins.js";
import { oneSharedChunk } from "./one-shared-chunk.js";
import { buildStamp, stampFiles, writeStamp } from "./stamp.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22.18",
  logLevel: "warning",
  // Unbundled source has no such name and calls itself `dev` (S1-02).
  define: { RALPH_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
};

/** What verifies criteria is a file of its own beside the hook. */
const apartFromHook = {
  name: "apart-from-hook",
  setup: (setup) =>
    setup.onResolve({ filter: /\/verify-criteria\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./hook-criteria.cjs", external: true } : undefined,
    ),
};

const stamp = buildStamp(root);
rmSync(stampFiles(root).build, { force: true });
// esbuild has printed what is wrong.
await Promise.all([buildProgram(), buildLibrary(), buildCore(), buildHook(), buildOpencodePlugin()]).catch(() =>
  process.exit(1),
);
writeStamp(stampFiles(root).build, stamp);

async function buildProgram() {
  const next = join(dist, ".next-cli");
  rmSync(next, { recursive: true, force: true });
  await build({
    ...shared,
    entryPoints: ["src/surfaces/cli/main.ts"],
    outdir: next,
    // Lazy imports become chunks, so that a command loads only what it uses.
    splitting: true,
    external: ["react-devtools-core", "pg-native", "@anthropic-ai/sandbox-runtime"],
    plugins: [lazyBuiltins, oneSharedChunk(join(root, "src/surfaces/cli/build-program.ts"))],
    // What a CommonJS package still requires at run time.
    banner: {
      js: 'const require = (name) => process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);',
    },
  });
  // Swapped in at the end: no chunk of a former build stays, and a run never meets half of one.
  mkdirSync(dist, { recursive: true });
  rmSync(join(dist, "cli"), { recursive: true, force: true });
  renameSync(next, join(dist, "cli"));
}

function buildLibrary() {
  return build({ ...shared, entryPoints: ["src/index.ts"], outfile: join(dist, "index.js"), packages: "external" });
}

function buildCore() {
  return build({
    ...shared,
    // The core runs in a browser too.
    platform: "neutral",
    target: "es2023",
    entryPoints: ["src/core/index.ts"],
    outfile: join(dist, "core.js"),
    packages: "external",
  });
}

/** Two bundles: what every event needs, and what verifies criteria, which takes longer to load than most hooks run. */
async function buildHook() {
  const common = {
    ...shared,
    // Hosts start hooks with their own Node, 18 or newer.
    format: "cjs",
    target: "node18",
    minify: true,
    define: { ...shared.define, "import.meta.dirname": "__dirname" },
  };
  await Promise.all([
    build({
      ...common,
      entryPoints: ["src/surfaces/hooks/main.ts"],
      outfile: join(dist, "hook.cjs"),
      plugins: [apartFromHook, lazyRequires],
      banner: { js: "const loadBuiltin = require;" },
    }),
    build({
      ...common,
      entryPoints: ["src/surfaces/hooks/criteria/verify-criteria.ts"],
      outfile: join(dist, "hook-criteria.cjs"),
      plugins: [lazyRequires],
      external: ["react-devtools-core", "pg-native", "@anthropic-ai/sandbox-runtime"],
      // Node 18 has no `toSorted`.
      banner: {
        js: "const loadBuiltin = require; Array.prototype.toSorted ??= function (by) { return [...this].sort(by); };",
      },
    }),
  ]);
  // A host installs a plugin by copying its folder alone.
  const inPlugin = join(root, "plugins", "claude-code", "dist");
  mkdirSync(inPlugin, { recursive: true });
  for (const name of ["hook.cjs", "hook-criteria.cjs"]) copyFileSync(join(dist, name), join(inPlugin, name));
}

function buildOpencodePlugin() {
  return build({
    ...shared,
    entryPoints: ["src/surfaces/hooks/opencode/opencode-plugin.ts"],
    outfile: join(dist, "opencode-plugin.js"),
    // The host runs it on its own engine, which has Node's modules but neither our packages nor SQLite.
    target: "es2022",
  });
}
