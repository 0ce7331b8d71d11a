import { randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isMakerDead, makerTag } from "../../lib/maker-tag.ts";
import { readTextFile } from "../../lib/read-text-file.ts";
import type { ProbeContext } from "../namespace/bubblewrap.ts";
import { tryProgram } from "../namespace/bubblewrap.ts";
import { removeTree } from "../../lib/remove-tree.ts";
import { makeMovable } from "./virtual-environment.ts";

/** A folder of the project that was copied. */
export type DependencyFolder = {
  /** Its place from the top of the project. */
  path: string;
  /** The copy; read-only. */
  source: string;
  /** Programs write into it (`target`): a copy gets files of its own. */
  isWritten: boolean;
};

/** Dependencies as they were at the seal. */
export type SealedDependencies = { key: string; folders: DependencyFolder[] };

/** What is copied, and where to. */
export type DependencyOptions = ProbeContext & {
  /** `$XDG_CACHE_HOME/ralph/deps`. */
  cache: string;
  key: string;
  project: string;
  /** Folders from the top of the project, see `findDependencyFolders`. */
  paths: readonly string[];
};

/** Names of folders that installers and compilers fill. */
export const dependencyNames: readonly string[] = ["node_modules", ".venv", "venv", "vendor/bundle", "target"];

/** Folders inside of `node_modules` that programs write to while they run; a namespace puts an empty one over each. */
export const cacheNames: readonly string[] = [".cache", ".vite", ".vite-temp", ".vitest"];

/** The folders of dependencies beside these manifests and lock files that are there now, and no links. */
export function findDependencyFolders(project: string, manifests: readonly string[]): string[] {
  const places = new Set(["", ...manifests.map((path) => (path.includes("/") ? dirname(path) : ""))]);
  const paths = [...places].flatMap((place) =>
    dependencyNames.map((name) => (place === "" ? name : `${place}/${name}`)),
  );
  return paths.filter((path) => lstatSync(join(project, path), { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/**
 * Copies the folders once per key and returns where the copies are; a copy that is there is used. Never hard links: an agent could
 * write through them. Whoever finishes first gives the folder its name, so that runs may do this at the same time. Rejects when
 * the copy fails.
 */
export async function sealDependencies(options: DependencyOptions): Promise<SealedDependencies> {
  const { cache, key, paths } = options;
  const folder = join(cache, key);
  if (!existsSync(join(folder, "content.json"))) await copyOnce(options, folder);
  mkdirSync(join(folder, "users"), { recursive: true });
  writeFileSync(join(folder, "users", makerTag()), "");
  const now = new Date();
  utimesSync(join(folder, "content.json"), now, now);
  const text = readTextFile(join(folder, "content.json"), { bytesMax: 1024 * 1024, links: "refuse" }) ?? "[]";
  const content: unknown = JSON.parse(text);
  const known = Array.isArray(content) ? content.filter((each) => typeof each === "string") : [];
  const folders = paths
    .filter((path) => known.includes(path))
    .map((path) => ({
      path,
      source: join(folder, "parts", String(known.indexOf(path)), basename(path)),
      isWritten: basename(path) === "target",
    }));
  return { key, folders };
}

async function copyOnce(options: DependencyOptions, folder: string): Promise<void> {
  const { cache, project, paths } = options;
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const making = join(cache, `making-${makerTag()}-${randomBytes(6).toString("hex")}`);
  try {
    for (const [index, path] of paths.entries()) {
      const target = join(making, "parts", String(index));
      mkdirSync(target, { recursive: true });
      await copyFolder(join(project, path), join(target, basename(path)), options);
      makeMovable(join(target, basename(path)), { project, path });
      if (basename(path) === "node_modules") {
        for (const name of cacheNames) mkdirSync(join(target, basename(path), name), { recursive: true });
      }
    }
    if (paths.length > 0) await expectDone(["chmod", "-R", "a-w", join(making, "parts")], options);
    mkdirSync(making, { recursive: true });
    writeFileSync(join(making, "content.json"), JSON.stringify(paths));
    renameSync(making, folder);
  } catch (error) {
    removeTree(making);
    // Another run was faster; its copy is the same.
    if (!existsSync(join(folder, "content.json"))) throw error;
  }
}

/** Copies a folder with its links as they are; blocks are shared where the file system can. */
export async function copyFolder(from: string, to: string, context: ProbeContext): Promise<void> {
  const flags = process.platform === "linux" ? ["-a", "--reflink=auto"] : ["-Rp"];
  await expectDone(["cp", ...flags, "--", from, to], context);
}

/** Runs a program that must end well. */
export async function expectDone(argv: readonly string[], context: ProbeContext): Promise<void> {
  const { isGood, output } = await tryProgram(argv, context, copyMs);
  if (!isGood) throw new Error(`${argv[0] ?? ""} failed: ${output.trim().split("\n").at(-1) ?? ""}`);
}

/** 340 MB take 2 s; ten times as much on a slow disk still ends in time. */
const copyMs = 5 * 60_000;

/** How much the cache may hold. */
export type CacheLimits = { keysMax: number; unusedMsMax: number };

const cacheLimits: CacheLimits = { keysMax: 12, unusedMsMax: 30 * 24 * 3_600_000 };

/** Removes what nobody used for long, the oldest above the limit, and what dead processes left half done. Must not reject. */
export function pruneDependencies(cache: string, now: number, limits: CacheLimits = cacheLimits): string[] {
  if (!existsSync(cache)) return [];
  const names = readdirSync(cache);
  const dead = names.filter((name) => isMakerDead(/^making-(\d+\.[0-9a-f]+)-/.exec(name)?.[1] ?? ""));
  const keys = names
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .map((name) => ({
      name,
      usedAt: statSync(join(cache, name, "content.json"), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .toSorted((one, other) => other.usedAt - one.usedAt);
  const old = keys.filter(({ usedAt }, index) => index >= limits.keysMax || now - usedAt > limits.unusedMsMax);
  const unused = old.map(({ name }) => name).filter((name) => !isUsed(join(cache, name)));
  const removed = [...dead, ...unused];
  for (const name of removed) {
    try {
      removeTree(join(cache, name));
    } catch {
      // It belongs to another user, or somebody removes it just now.
    }
  }
  return removed;
}

function isUsed(folder: string): boolean {
  const users = join(folder, "users");
  return existsSync(users) && readdirSync(users).some((tag) => !isMakerDead(tag));
}
