// Bundles the program, the library and the hook; types come from `tsc -b`.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundledLicenses } from "./bundled-licenses.js";
import { inAscii, namedByContent, writeParts } from "./common-js-parts.js";
import { lazyBuiltins, lazyPackage, lazyRequires } from "./lazy-builtins.js";
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
  // A package that has both: what the bundler can take apart.
  mainFields: ["module", "main"],
  metafile: true,
  // Unbundled source has no such name and calls itself `dev` (S1-02).
  define: { RALPH_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
};

/** What a CommonJS package still requires at run time. */
const requireBanner = {
  js: 'const require = (name) => process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);',
};

/** Parts of the hook that few events need, each a file of its own beside it: Node reads a small file faster. */
const hookParts = {
  "hook-events": "src/surfaces/hooks/run-hook.ts",
  "hook-criteria": "src/app/session/checks/verify-criteria.ts",
  "hook-guard": "src/app/session/judge-call.ts",
  "hook-end": "src/app/session/session-end.ts",
  "hook-loop": "src/app/session/session-loop.ts",
  "hook-prompt": "src/app/session/user-prompt-submit.ts",
  "hook-start": "src/app/session/session-start.ts",
  "hook-stop": "src/app/session/stop.ts",
};

/** A lazy import of such a part stays lazy, of the built file. */
const apart = (parts) => ({
  name: "apart",
  setup: (setup) =>
    setup.onResolve({ filter: /\.ts$/ }, ({ path, kind }) => {
      const [name] = Object.entries(parts).find(([, part]) => basename(part) === basename(path)) ?? [];
      return kind === "dynamic-import" && name !== undefined ? { path: `./${name}.cjs`, external: true } : undefined;
    }),
});

const stamp = buildStamp(root);
rmSync(stampFiles(root).build, { force: true });
const builds = [buildProgram(), buildLibrary(), buildCore(), buildHook(), buildOpencodePlugin()];
// esbuild has printed what is wrong.
const metafiles = await Promise.all(builds).catch(() => process.exit(1));
writeFileSync(join(dist, "LICENSES.txt"), bundledLicenses(root, metafiles));
writeStamp(stampFiles(root).build, stamp);

async function buildProgram() {
  const next = join(dist, ".next-cli");
  rmSync(next, { recursive: true, force: true });
  const { metafile, outputFiles } = await build({
    ...shared,
    entryPoints: ["src/surfaces/cli/main.ts"],
    outdir: next,
    outExtension: { ".js": ".cjs" },
    write: false,
    // Lazy imports become chunks, so that a command loads only what it uses.
    splitting: true,
    define: { ...shared.define, "import.meta.dirname": "__dirname" },
    external: ["react-devtools-core", "pg-native", "@anthropic-ai/sandbox-runtime"],
    plugins: [lazyBuiltins, lazyPackage("yaml"), oneSharedChunk(join(root, "src/surfaces/cli/build-program.ts"))],
  });
  const yaml = await build({
    ...shared,
    entryPoints: ["yaml"],
    outfile: join(next, "yaml.cjs"),
    format: "cjs",
    write: false,
    plugins: [lazyBuiltins],
  });
  await writeParts(next, [...outputFiles, ...yaml.outputFiles], shared);
  await buildHelp(next);
  // Swapped in at the end: no chunk of a former build stays, and a run never meets half of one.
  mkdirSync(dist, { recursive: true });
  rmSync(join(dist, "cli"), { recursive: true, force: true });
  renameSync(next, join(dist, "cli"));
  // What was kept of the former build; see bin/load-program.js.
  rmSync(join(dist, ".compiled"), { recursive: true, force: true });
  return { inputs: { ...metafile.inputs, ...yaml.metafile.inputs } };
}

/** What `ralph --help` prints where no terminal says another width; see src/surfaces/cli/quick-help.ts. */
async function buildHelp(program) {
  // Inside a turn nobody is told what is new.
  const env = { ...process.env, RALPH_TURN: "build" };
  const { stdout, status } = spawnSync(process.execPath, [join(program, "main.cjs"), "--help"], {
    env,
    encoding: "utf8",
  });
  rmSync(join(dist, "help.cjs"), { force: true });
  // Without this file the launcher asks the program, which says itself what is wrong with it.
  if (status !== 0) return;
  await build({
    ...shared,
    entryPoints: ["src/surfaces/cli/quick-help.ts"],
    outfile: join(dist, "help.cjs"),
    format: "cjs",
    minify: true,
    define: { RALPH_HELP: JSON.stringify(stdout) },
    plugins: [lazyRequires],
    banner: { js: "const loadBuiltin = require;" },
  });
}

/** With everything in it: a package without dependencies is installed without a registry. */
async function buildLibrary() {
  const { metafile } = await build({
    ...shared,
    entryPoints: ["src/index.ts"],
    outfile: join(dist, "index.js"),
    // Node 22 warns as soon as SQLite is loaded: a program that opens no store shall not see that.
    plugins: [lazyBuiltins],
    banner: requireBanner,
  });
  return metafile;
}

async function buildCore() {
  const { metafile } = await build({
    ...shared,
    // The core runs in a browser too.
    platform: "neutral",
    target: "es2023",
    entryPoints: ["src/core/index.ts"],
    outfile: join(dist, "core.js"),
  });
  return metafile;
}

async function buildHook() {
  const starters = { hook: "src/surfaces/hooks/main.ts", "hook-compile": "src/surfaces/hooks/compile-hooks.ts" };
  const entries = { ...starters, ...hookParts };
  const { metafile } = await build({
    ...shared,
    entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    // Hosts start hooks with their own Node, 18 or newer.
    format: "cjs",
    target: "node18",
    inject: ["scripts/fill-in-node-18.js"],
    minify: true,
    // An `import()` starts Node's loader of ES modules, which on Node 20 and 22 takes twice as long as an empty program.
    supported: { "dynamic-import": false },
    define: { ...shared.define, "import.meta.dirname": "__dirname" },
    external: ["react-devtools-core", "pg-native", "@anthropic-ai/sandbox-runtime"],
    plugins: [apart(hookParts), lazyRequires],
    banner: { js: "const loadBuiltin = require;" },
  });
  for (const name of Object.keys(hookParts)) {
    const path = join(dist, `${name}.cjs`);
    writeFileSync(path, namedByContent(inAscii(readFileSync(path, "utf8"))));
  }
  // A host installs a plugin by copying its folder alone.
  const inPlugin = join(root, "plugins", "claude-code", "dist");
  mkdirSync(inPlugin, { recursive: true });
  for (const name of Object.keys(entries)) copyFileSync(join(dist, `${name}.cjs`), join(inPlugin, `${name}.cjs`));
  for (const folder of [dist, inPlugin]) removeFormerParts(folder, new Set(Object.keys(entries)));
  return metafile;
}

/** A part that is no longer built would be packed with the others. */
function removeFormerParts(folder, names) {
  const parts = readdirSync(folder).filter((file) => /^hook(?:-[a-z-]+)?\.cjs$/.test(file));
  for (const file of parts) if (!names.has(basename(file, ".cjs"))) rmSync(join(folder, file));
}

async function buildOpencodePlugin() {
  const { metafile } = await build({
    ...shared,
    entryPoints: ["src/surfaces/hooks/opencode/opencode-plugin.ts"],
    outfile: join(dist, "opencode-plugin.js"),
    // The host runs it on its own engine, which has Node's modules but neither our packages nor SQLite.
    target: "es2022",
    plugins: [apart({ "hook-criteria": hookParts["hook-criteria"] })],
  });
  return metafile;
}
