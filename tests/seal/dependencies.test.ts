import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import {
  findDependencyFolders,
  pruneDependencies,
  type SealedDependencies,
  sealDependencies,
} from "../../src/shell/seal/copy/dependencies.ts";
import { dependencyKey } from "../../src/shell/seal/copy/dependency-key.ts";
import { createDependencyPlacer, folderPrint } from "../../src/shell/seal/copy/place-dependencies.ts";
import { removeTree } from "../../src/shell/lib/remove-tree.ts";
import { bubblewrap, expectIn, runIn } from "./check-scene.ts";
import { sealScene } from "./seal-scene.ts";

const processes = createProcesses();
const key = "a".repeat(64);

function openProject(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "ralph-deps-"));
  onTestFinished(() => removeTree(root));
  const project = join(root, "project");
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const context = { processes, env: { PATH: process.env["PATH"] ?? "" }, directory: project };
  const options = { ...context, cache: join(root, "cache"), key, project, paths: ["node_modules"] };
  return { root, project, write, context, options };
}

describe("sealed dependencies", () => {
  it("are copied once, with links as they are, and do not see later edits", async () => {
    const { project, write, options } = openProject({ "node_modules/a/index.js": "honest", "packages/own/x.js": "x" });
    symlinkSync("../packages/own", join(project, "node_modules/own"));
    const first = await sealDependencies(options);
    write("node_modules/a/index.js", "cheat");
    const second = await sealDependencies(options);
    expect(second).toEqual(first);
    const source = first.folders[0]?.source ?? "";
    expect(readFileSync(join(source, "a/index.js"), "utf8")).toBe("honest");
    expect(readlinkSync(join(source, "own"))).toBe("../packages/own");
    expect(lstatSync(join(source, "a/index.js")).mode & 0o222).toBe(0);
    expect(lstatSync(join(source, "a/index.js")).nlink).toBe(1);
  });

  it("are made by one of many runs that start at once, and nothing is left half done", async () => {
    const { options } = openProject({ "node_modules/a/index.js": "1" });
    const all = await Promise.all(Array.from({ length: 4 }, () => sealDependencies(options)));
    expect(new Set(all.map(({ folders }) => folders[0]?.source)).size).toBe(1);
    expect(readdirSync(options.cache)).toEqual([key]);
  });

  it("leave nothing behind when the copy fails", async () => {
    const { options } = openProject({});
    await expect(sealDependencies(options)).rejects.toThrow(/cp failed/);
    expect(readdirSync(options.cache)).toEqual([]);
  });

  it("are found beside every manifest, and never behind a link", () => {
    const { project } = openProject({
      "node_modules/a": "",
      "packages/x/node_modules/b": "",
      "py/.venv/c": "",
      "other/target/d": "",
    });
    symlinkSync(join(project, "node_modules"), join(project, "target"));
    const manifests = ["package.json", "packages/x/package.json", "py/pyproject.toml"];
    expect(findDependencyFolders(project, manifests)).toEqual(["node_modules", "packages/x/node_modules", "py/.venv"]);
  });

  it("are removed when nobody uses them for long, or there are too many, and kept while a run lives", async () => {
    const { options } = openProject({ "node_modules/a": "1" });
    await sealDependencies(options);
    const other = join(options.cache, "b".repeat(64));
    mkdirSync(join(other, "parts/0/node_modules"), { recursive: true });
    writeFileSync(join(other, "content.json"), "[]");
    chmodSync(join(other, "parts/0"), 0o500);
    const long = new Date(1_000_000);
    utimesSync(join(other, "content.json"), long, long);
    utimesSync(join(options.cache, key, "content.json"), long, long);
    const tag = readdirSync(join(options.cache, key, "users"))[0]?.split(".")[1] ?? "";
    // No process has a number above the kernel's largest.
    const left = `making-${2 ** 22 + 1}.${tag}-00`;
    mkdirSync(join(options.cache, left));
    const removed = pruneDependencies(options.cache, Date.now());
    expect(removed.toSorted()).toEqual(["b".repeat(64), left]);
    expect(readdirSync(options.cache)).toEqual([key]);
  });
});

describe("the key of dependencies", () => {
  const files = [
    { path: "package-lock.json", text: "1" },
    { path: "package.json", text: JSON.stringify({ name: "a", scripts: {}, dependencies: { a: "1" } }) },
    { path: "Cargo.toml", text: '[package]\nname = "a"\n[dependencies]\nb = "1"\n' },
  ];
  const facts = { files, runtimes: ["node 24"], platform: "linux-x64" };
  const changed = (path: string, text: string): string =>
    dependencyKey({ ...facts, files: files.map((file) => (file.path === path ? { path, text } : file)) });

  it("changes with lock file, dependencies, runtime and platform", () => {
    const known = dependencyKey(facts);
    expect(changed("package-lock.json", "2")).not.toBe(known);
    expect(changed("package.json", JSON.stringify({ dependencies: { a: "2" } }))).not.toBe(known);
    expect(changed("Cargo.toml", '[package]\nname = "a"\n[dependencies]\nb = "2"\n')).not.toBe(known);
    expect(dependencyKey({ ...facts, runtimes: ["node 22"] })).not.toBe(known);
    expect(dependencyKey({ ...facts, platform: "linux-arm64" })).not.toBe(known);
  });

  it("stays with anything else, and with the order of files", () => {
    const known = dependencyKey(facts);
    expect(changed("package.json", JSON.stringify({ name: "b", dependencies: { a: "1" } }))).toBe(known);
    expect(changed("Cargo.toml", '[package]\nname = "z"\n[dependencies]\nb = "1"\n')).toBe(known);
    expect(dependencyKey({ ...facts, files: files.toReversed() })).toBe(known);
  });
});

describe("dependencies of a copy", () => {
  async function openCopy(hasNamespace: boolean) {
    const scene = await sealScene({ "src/a.js": "1", ".gitignore": "node_modules/\n" });
    scene.repository.write("node_modules/a/index.js", "honest");
    const { project, root, env } = scene.repository;
    const context = { processes, env, directory: project };
    const options = { ...context, cache: join(root, "cache"), key, project, paths: ["node_modules"] };
    const dependencies: SealedDependencies = await sealDependencies(options);
    onTestFinished(() => removeTree(join(root, "cache")));
    const copy = scene.copy({ dependencies: ["node_modules"] });
    const placer = createDependencyPlacer({ ...context, copy, dependencies, hasNamespace });
    const sealed = await scene.sealed();
    await copy.prepare(sealed);
    return { scene, copy, sealed, placer };
  }

  it("are files of its own in a plain copy, and made again when a suite changed them", async () => {
    const { scene, copy, sealed, placer } = await openCopy(false);
    expect(await placer.place()).toEqual({ readOnly: [], caches: [] });
    const file = join(copy.folder, "node_modules/a/index.js");
    const inode = lstatSync(file).ino;
    await copy.prepare(sealed);
    await placer.place();
    expect(lstatSync(file).ino).toBe(inode);
    await expectIn("echo cheat > node_modules/a/index.js", 0, { scene, copy, sealed, isPlain: true });
    await copy.prepare(sealed);
    await placer.place();
    expect(readFileSync(file, "utf8")).toBe("honest");
  });

  it.skipIf(bubblewrap === null)("are mounted read-only in a namespace, with caches that can be written", async () => {
    const { scene, copy, sealed, placer } = await openCopy(true);
    const mounts = await placer.place();
    const objects = join(scene.store.folder, "objects");
    const namespace = { ...mounts, readOnly: [...mounts.readOnly, { source: objects, target: objects }] };
    const options = { scene, copy, sealed, namespace };
    const command = "cat node_modules/a/index.js && echo x > node_modules/.vite/y && echo x > node_modules/a/index.js";
    const { output, end } = await runIn(command, options);
    expect(end).toMatchObject({ exitCode: 2 });
    expect(output).toMatch(/^honest.*Read-only/s);
    expect(existsSync(join(copy.folder, "node_modules/a"))).toBe(false);
  });
});

it("names the state of a folder by facts that nobody can set back", () => {
  const { project, write } = openProject({ "a/b": "1" });
  const before = folderPrint(project);
  const { atime, mtime } = lstatSync(join(project, "a/b"));
  expect(folderPrint(project)).toBe(before);
  write("a/b", "2");
  utimesSync(join(project, "a/b"), atime, mtime);
  expect(folderPrint(project)).not.toBe(before);
  expect(folderPrint(join(project, "none"))).toBe("");
});

it("lets scripts of a virtual environment run where it was copied to", async () => {
  const { project, write, options } = openProject({ ".venv/pyvenv.cfg": "home = /usr/bin\n" });
  write(".venv/bin/python3", '#!/bin/sh\necho "python of $0 runs $1"\n');
  chmodSync(join(project, ".venv/bin/python3"), 0o755);
  write(".venv/bin/tool", `#!${project}/.venv/bin/python3\nimport tool\n`);
  chmodSync(join(project, ".venv/bin/tool"), 0o755);
  write(".venv/lib/python3.11/site-packages/own.pth", `${project}/src\n/elsewhere\n`);
  const { folders } = await sealDependencies({ ...options, paths: [".venv"] });
  const copy = folders[0]?.source ?? "";
  const said = execFileSync(join(copy, "bin/tool"), { encoding: "utf8" });
  expect(said).toBe(`python of ${copy}/bin/python3 runs ${copy}/bin/tool\n`);
  expect(readFileSync(join(copy, "lib/python3.11/site-packages/own.pth"), "utf8")).toBe(
    "../../../../src\n/elsewhere\n",
  );
});
