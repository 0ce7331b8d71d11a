// Makes `dist/api`: the types that the entries of the package reach, and nothing else of the program.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./setup-lock.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const types = join(root, "dist", "types");
const api = join(root, "dist", "api");
const settingsFile = join(types, "core", "settings", "settings.d.ts");

withLock(join(root, ".cache", "setup.lock"), makeTypes);

function makeTypes() {
  compile(["-b", join(root, "src")]);
  const next = join(root, "dist", ".next-api");
  rmSync(next, { recursive: true, force: true });
  for (const [file, text] of reachedFrom(publicEntries())) {
    const target = join(next, relative(types, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  rmSync(api, { recursive: true, force: true });
  renameSync(next, api);
}

function compile(args) {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  // `npm pack` prints its result on stdout.
  const { status } = spawnSync(process.execPath, [compiler, ...args], { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) fail("the compiler failed, see above.");
}

/** The declaration file of each entry, as the compiler wrote it. */
function publicEntries() {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.values(exports).map((entry) => join(types, relative(api, join(root, entry.types))));
}

/** Each file that can be reached, with its text. */
function reachedFrom(entries) {
  const texts = new Map();
  const files = new Set(entries);
  for (const file of files) {
    const text = file === settingsFile ? plainSettings() : readFileSync(file, "utf8");
    texts.set(file, text);
    for (const specifier of ownImports(file, text)) files.add(join(dirname(file), specifier.replace(/\.ts$/, ".d.ts")));
  }
  return texts;
}

/** A package among the imports would have to be installed by everybody who installs ours. */
function ownImports(file, text) {
  // The examples in comments import the package itself.
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "");
  const specifiers = [...code.matchAll(/(?:\bfrom |\bimport\()"([^"]+)"/g)].map(([, specifier]) => specifier);
  const packages = specifiers.filter((specifier) => !/^(?:\.|node:)/.test(specifier));
  if (packages.length > 0)
    fail(`${relative(types, file)} imports ${packages.join(", ")}: public types need no package.`);
  return specifiers.filter((specifier) => specifier.startsWith("."));
}

/** The settings as a plain type: they are declared by rules, which nobody has to read to know a setting. */
function plainSettings() {
  const schema = /\/\*\*[^\n]*\*\/\nexport declare const settingsSchema: [^]*?^\}.*>;\n/m;
  const plain = readFileSync(settingsFile, "utf8")
    .replace(/^import \* as z from "\.\/rule\.ts";\n/m, "")
    .replace(schema, "")
    .replace("z.Output<typeof settingsSchema>", settingsShape());
  if (/\bz\.|settingsSchema/.test(plain)) fail(`${relative(types, settingsFile)} still uses the rules.`);
  return plain;
}

/** The compiler writes a type out where it infers the type of an exported value. */
function settingsShape() {
  const folder = join(root, "dist", ".tsbuild", "settings-shape");
  const source = join(root, "src", "core", "settings", "settings.ts");
  const code = `import { settingsSchema } from ${JSON.stringify(source)};\nexport const settings = settingsSchema.parse({});\n`;
  const compilerOptions = { composite: false, noErrorTruncation: true, rootDir: root, outDir: "." };
  const options = { extends: join(root, "tsconfig.base.json"), compilerOptions, files: ["shape.ts"] };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "shape.ts"), code);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  compile(["-p", folder]);
  const emitted = readFileSync(join(folder, relative(root, folder), "shape.d.ts"), "utf8");
  rmSync(folder, { recursive: true });
  return (
    /^export declare const settings: (\{[^]*\});$/m.exec(emitted)?.[1] ?? fail("the settings were not written out.")
  );
}

function fail(sentence) {
  process.stderr.write(`public types: ${sentence}\n`);
  process.exit(1);
}
