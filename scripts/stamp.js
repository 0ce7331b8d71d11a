import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the installation depends on. `package.json` is left out: a changed script needs no new `npm ci`. */
export function installStamp(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** What the bundles depend on, by content: a clone has no useful file times. */
export function buildStamp(root) {
  const hash = createHash("sha256");
  hash.update(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
  for (const file of buildInputs(root)) {
    hash.update("\0" + file + "\0");
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

/** Whether `file` holds exactly this stamp. A missing file is stale. */
export function isFresh(file, stamp) {
  try {
    return readFileSync(file, "utf8").trim() === stamp;
  } catch {
    return false;
  }
}

/** Remembers that what `stamp` describes is in place. */
export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stamp + "\n");
}

/** Where the two stamps are kept, beside what they describe, so that deleting it makes it stale. */
export function stampFiles(root) {
  return { install: join(root, "node_modules", ".ralph-install"), build: join(root, "dist", ".ralph-build") };
}

function buildInputs(root) {
  const configs = readdirSync(root).filter((name) => name.startsWith("tsconfig") && name.endsWith(".json"));
  const fixed = ["package-lock.json", "scripts/build.js"];
  const sources = filesBelow(root, "src").filter((file) => !/\.test\.tsx?$/.test(file));
  return [...fixed, ...configs, ...sources].sort((left, right) => (left < right ? -1 : 1));
}

function filesBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder + "/" + entry.name;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
