import { createHash } from "node:crypto";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type ConversionAttributes,
  type ConversionSettings,
  type ConvertedFile,
  isSameInCheckout,
  isSpecified,
} from "../../../core/policies/candidate-content.ts";
import { objectFormatOf, type RepositoryStart } from "../own-store.ts";
import type { StoreContext } from "../run-git.ts";
import { describeFailure, type ToolEnd } from "../run-tool.ts";
import type { TreeChange } from "./changes-since.ts";
import type { StagedTree } from "./stage-tree.ts";

/** A path of the candidate and the object that it holds for it. */
type HeldFile = { path: string; object: string };

/**
 * Files of the candidate that a checkout writes otherwise than they are in the work tree. Those that the run changed are looked
 * at, and with changed attributes all of them. No filter program is run. Rejects when git cannot tell.
 */
export async function convertedFiles(
  context: StoreContext,
  { candidate, changes }: { candidate: StagedTree; changes: readonly TreeChange[] },
): Promise<string[]> {
  const areAttributesFormer = !changes.some(({ path }) => isAttributesFile(path));
  const hidden = new Set(context.store.start.hidden);
  const files = (areAttributesFormer ? changes.filter(isFile) : await allFiles(context, candidate.tree)).filter(
    ({ path }) => !hidden.has(path) && context.disk.look(pathOf(context, path))?.kind === "file",
  );
  if (files.length === 0) return [];
  const hasAttributes = (await candidate.paths()).some(isAttributesFile);
  const asked = hasAttributes ? files : await filterAsync(files, async (file) => !(await isOwnObject(context, file)));
  if (asked.length === 0) return [];
  const attributes = await readAttributes(context, asked);
  const settings = settingsOf(context.store.start);
  const isPlain = ({ path }: HeldFile): boolean =>
    !Object.values(attributes.get(path) ?? noAttributes).some(isSpecified);
  const changed = new Set(changes.map(({ path }) => path));
  const converted = await filterAsync(
    asked.filter((file) => changed.has(file.path) || !isPlain(file)),
    async (file) => {
      const found = { attributes: attributes.get(file.path) ?? noAttributes, settings, areAttributesFormer };
      return !isSameInCheckout({ ...found, ...(await readFile(context, file)) });
    },
  );
  return converted.map(({ path }) => path);
}

/** One after another: each file may be large. */
async function filterAsync<Item>(items: readonly Item[], isTaken: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const taken: Item[] = [];
  for (const item of items) if (await isTaken(item)) taken.push(item);
  return taken;
}

function isAttributesFile(path: string): boolean {
  return path === ".gitattributes" || path.endsWith("/.gitattributes");
}

function isFile({ mode }: TreeChange): boolean {
  return mode.startsWith("100");
}

function pathOf({ store }: StoreContext, path: string): string {
  return join(store.start.repository.top, path);
}

async function allFiles({ git, store }: StoreContext, tree: string): Promise<HeldFile[]> {
  const end = await git(["ls-tree", "-r", "-z", tree], { env: store.env, directory: store.start.repository.top });
  const lines = expectWhole("git ls-tree", end).split("\0");
  return lines.flatMap((line) => {
    const [, object, path] = /^100\d{3} blob (\w+)\t([^]+)$/.exec(line) ?? [];
    return object === undefined || path === undefined ? [] : [{ path, object }];
  });
}

const names = ["text", "crlf", "eol", "ident", "working-tree-encoding", "filter"] as const;

const noAttributes: ConversionAttributes = {
  text: "unspecified",
  crlf: "unspecified",
  eol: "unspecified",
  ident: "unspecified",
  "working-tree-encoding": "unspecified",
  filter: "unspecified",
};

/** By the attributes that the candidate holds, not by those that merely lie in the work tree. */
async function readAttributes(
  { git, store }: StoreContext,
  files: readonly HeldFile[],
): Promise<Map<string, ConversionAttributes>> {
  const env = { ...store.env, GIT_INDEX_FILE: join(store.folder, "candidate") };
  const stdin = files.map(({ path }) => `${path}\0`).join("");
  const words = ["check-attr", "--cached", "-z", "--stdin", ...names];
  const end = await git(words, { env, directory: store.start.repository.top, stdin });
  const fields = expectWhole("git check-attr", end).split("\0");
  const found = new Map<string, ConversionAttributes>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", name = "", value = ""] = fields.slice(at, at + 3);
    found.set(path, { ...(found.get(path) ?? noAttributes), [name]: value });
  }
  return found;
}

function expectWhole(what: string, end: ToolEnd): string {
  if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure(what, end));
  return end.stdout;
}

/** As the user had it before the first turn. */
function settingsOf({ config }: RepositoryStart): ConversionSettings {
  const lastOf = (key: string): string => config.findLast((entry) => entry.key === key)?.value.toLowerCase() ?? "";
  const value = lastOf("core.autocrlf");
  const isOn = ["true", "yes", "on", "1"].includes(value);
  const whenOff = value === "input" ? "input" : "false";
  const autocrlf = isOn ? "true" : whenOff;
  const programs = config.flatMap(({ key, value: program }) => {
    const [, name, kind] = /^filter\.(.+)\.(clean|smudge|process)$/.exec(key) ?? [];
    return name === undefined || program === "" ? [] : [{ name, hasWayBack: kind !== "clean" }];
  });
  const filters = programs.map(({ name }) => ({
    name,
    hasWayBack: programs.some((one) => one.name === name && one.hasWayBack),
  }));
  return { autocrlf, isCrlf: isOn || (autocrlf === "false" && lastOf("core.eol") === "crlf"), filters };
}

/** The largest text that is compared as a whole; of a larger file only the hash is. */
const contentBytesMax = 64 * 1024 * 1024;

async function readFile(context: StoreContext, file: HeldFile): Promise<Pick<ConvertedFile, "content" | "isObject">> {
  const content = await readContent(context, file);
  const algorithm = objectFormatOf(context.store.start);
  const isHeld = (text: string): boolean => {
    const bytes = Buffer.from(text, "latin1");
    return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === file.object;
  };
  const isOwn = content === null ? await isOwnObject(context, file) : isHeld(content);
  return { content, isObject: (text) => (text === null ? isOwn : isHeld(text)) };
}

async function readContent(context: StoreContext, { path }: HeldFile): Promise<string | null> {
  const parts: string[] = [];
  const isWhole = await readParts(context, path, {
    bytesMax: contentBytesMax,
    start: () => {},
    use: (part) => parts.push(part.toString("latin1")),
  });
  return isWhole ? parts.join("") : null;
}

/** More than git itself takes into a repository within its time limit of five minutes. */
const hashedBytesMax = 256 * 1024 * 1024 * 1024;

/** Whether the candidate holds exactly the bytes of the file. */
async function isOwnObject(context: StoreContext, { path, object }: HeldFile): Promise<boolean> {
  const hash = createHash(objectFormatOf(context.store.start));
  const isWhole = await readParts(context, path, {
    bytesMax: hashedBytesMax,
    start: (bytes) => hash.update(`blob ${bytes}\0`),
    use: (part) => hash.update(part),
  });
  return isWhole && hash.digest("hex") === object;
}

/** Bytes read at a time. */
const partBytes = 1024 * 1024;

type PartsReader = { bytesMax: number; start: (bytes: number) => unknown; use: (part: Buffer) => unknown };

/**
 * Hands out the bytes of a file in order, as many as it had when it was opened: one that grows comes to an end, too. Other
 * work, such as a cancel, has its turn between the parts. False: there are more than the limit.
 */
async function readParts(context: StoreContext, path: string, { bytesMax, start, use }: PartsReader): Promise<boolean> {
  const file = context.disk.open(pathOf(context, path), "read");
  if (file === null) return false;
  try {
    const { bytes } = file.entry;
    if (bytes > bytesMax) return false;
    start(bytes);
    const buffer = Buffer.alloc(Math.max(1, Math.min(partBytes, bytes)));
    for (let position = 0; position < bytes;) {
      const count = Math.min(file.read(buffer, position), bytes - position);
      if (count === 0) return true;
      use(buffer.subarray(0, count));
      position += count;
      if (position < bytes) await setImmediate();
    }
    return true;
  } finally {
    file.close();
  }
}
