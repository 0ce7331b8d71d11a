import { join } from "node:path";
import { Script } from "node:vm";
import { readBytesFile } from "../../../shell/lib/read-text-file.ts";
import { isOwnFolder, type PartKey, readCompiled } from "./compiled-files.ts";

/** Where the parts of a hook are, and how they are loaded; `Part` is what a part exports. */
export type Parts<Part> = {
  folder: string;
  /** What V8 made of them for this Node; null: there is no such folder. */
  compiled: string | null;
  /** The `require` of the file that loads them. */
  require: (name: string) => Part;
  /** Hears of each part, which then is compiled here; absent: only what is compiled already is loaded this way. */
  onCompiled?: (key: PartKey, script: Script) => void;
};

/**
 * Loads parts of a hook with what V8 made of them before, which halves the start of a hook that needs the engine. Where that is
 * missing, damaged or of another Node, the same file is loaded as usual: the answer of a hook never depends on it.
 */
export function partLoader<Part>(parts: Parts<Part>): (name: string) => Part {
  const loaded = new Map<string, Part>();
  const isUsed = parts.onCompiled !== undefined || (parts.compiled !== null && isOwnFolder(parts.compiled));
  const load = (name: string): Part => {
    const part = loaded.get(name) ?? loadOnce(name);
    loaded.set(name, part);
    return part;
  };
  const loadOnce = (name: string): Part => {
    const script = isUsed ? findScript(parts, name) : null;
    if (script === null) return parts.require(join(parts.folder, name));
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- the head and the tail below make it this function
    const run: Wrapper<Part> = script.runInThisContext();
    const require = (asked: string): Part => (asked.startsWith("./") ? load(asked.slice(2)) : parts.require(asked));
    return run(require, join(parts.folder, name), parts.folder);
  };
  return load;
}

/** A part in a function, much as Node wraps a CommonJS file. */
type Wrapper<Part> = (require: (name: string) => Part, __filename: string, __dirname: string) => Part;

const [head, tail] = [
  "(function (require, __filename, __dirname) { const module = { exports: {} }, exports = module.exports;",
  "\n; return module.exports; })",
];

const partBytesMax = 16 * 1024 * 1024;

function findScript<Part>({ folder, compiled, onCompiled }: Parts<Part>, name: string): Script | null {
  const path = join(folder, name);
  // The build leaves only ASCII in it.
  const text = readBytesFile(path, { bytesMax: partBytesMax, links: "follow" })?.toString("latin1") ?? "";
  const [, hash] = hashLine.exec(text) ?? [];
  if (hash === undefined) return null;
  const key = { name, hash };
  const cachedData = onCompiled === undefined && compiled !== null ? readCompiled(compiled, key) : null;
  if (cachedData === null && onCompiled === undefined) return null;
  const script = new Script(`${head}${text}${tail}`, {
    filename: path,
    ...(cachedData === null ? {} : { cachedData }),
  });
  onCompiled?.(key, script);
  return script;
}

/** The build writes the hash of a part into its first line. */
const hashLine = /^\/\/([0-9a-f]{32})\n/;
