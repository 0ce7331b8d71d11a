import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** How a program ended, and what it printed. */
export type Ended = { code: number | null; stdout: string; stderr: string };

/** The package as a stranger gets it: packed, then installed into a prefix of its own without a registry. */
export type Packed = {
  /** What the packed file holds, by path. */
  files: string[];
  unpackedBytes: number;
  /** Where it is installed. */
  folder: string;
  manifest: Record<string, unknown>;
  /** A new project and a new home, to use the installed copy in. */
  openUser(): PackedUser;
  remove(): void;
};

/** Somebody who has nothing but the installed copy, a Node and git. */
export type PackedUser = {
  project: string;
  home: string;
  write(path: string, text: string): void;
  read(path: string): string;
  /** The command `ralph`, as npm linked it. */
  ralph(node: string, ...words: string[]): Ended;
  /** A program in the project, which finds the library as one of its packages. */
  node(node: string, ...words: string[]): Ended;
};

const root = resolve(join(import.meta.dirname, "../.."));
/** A demonstration takes 5 s; this is for a busy machine. */
const timeoutMs = 120_000;

/** Packs the checkout, which makes what is stale, and installs the file. */
export function packAndInstall(): Packed {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "ralph-package-")));
  const home = join(scratch, "npm-home");
  mkdirSync(home);
  const npm = (cwd: string, ...words: string[]): string => runNpm(cwd, home, words);
  const packed = readPackResult(npm(root, "pack", "--json", "--pack-destination", scratch));
  npm(scratch, "install", "--global", "--prefix", join(scratch, "prefix"), "--offline", join(scratch, packed.filename));
  const folder = join(scratch, "prefix", "lib", "node_modules", packed.name);
  let users = 0;
  return {
    files: packed.files.map(({ path }) => path).toSorted(),
    unpackedBytes: packed.unpackedSize,
    folder,
    manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>,
    openUser: () => openUser(join(scratch, `user-${++users}`), join(scratch, "prefix", "bin", "ralph"), folder),
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

type PackResult = { name: string; filename: string; unpackedSize: number; files: { path: string }[] };

/** A list in some versions of npm, keyed by name in others. */
function readPackResult(text: string): PackResult {
  const [first] = Object.values(JSON.parse(text) as Record<string, PackResult>);
  if (first === undefined) throw new Error(`npm pack printed ${text}`);
  return first;
}

function runNpm(cwd: string, home: string, words: string[]): string {
  const env = { PATH: pathWith(dirname(process.execPath)), HOME: home, npm_config_update_notifier: "false" };
  const ended = run("npm", words, { cwd, env });
  if (ended.code !== 0) throw new Error(`npm ${words.join(" ")} failed: ${ended.stderr}`);
  return ended.stdout;
}

function openUser(place: string, program: string, folder: string): PackedUser {
  const [home, project] = [join(place, "home"), join(place, "project")];
  mkdirSync(home, { recursive: true });
  mkdirSync(join(project, "node_modules"), { recursive: true });
  symlinkSync(folder, join(project, "node_modules", "ralph"), "junction");
  const start = (node: string, words: string[]): Ended =>
    run(node, words, { cwd: project, env: { PATH: pathWith(dirname(node)), HOME: home } });
  return {
    home,
    project,
    write: (path, text) => {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), text);
    },
    read: (path) => readFileSync(join(place, path), "utf8"),
    ralph: (node, ...words) => start(node, [program, ...words]),
    node: (node, ...words) => start(node, words),
  };
}

function pathWith(folder: string): string {
  return `${folder}:/usr/local/bin:/usr/bin:/bin`;
}

function run(program: string, words: string[], options: { cwd: string; env: Record<string, string> }): Ended {
  const { status, stdout, stderr } = spawnSync(program, words, {
    ...options,
    encoding: "utf8",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: 16 * 1024 * 1024,
  });
  return { code: status, stdout, stderr };
}
