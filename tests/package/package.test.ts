import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOldNode, oldestProgramNode, oldNodeVersions } from "../../scripts/old-nodes.ts";
import { type Packed, packAndInstall } from "./packed.ts";

const root = resolve(join(import.meta.dirname, "../.."));
let packed: Packed;

beforeAll(() => {
  packed = packAndInstall();
}, 240_000);

afterAll(() => packed.remove());

/** Everything a packed file may hold. Each line must match something. */
const shape = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^\.claude-plugin\/marketplace\.json$/,
  /^bin\/(?:package\.json|(?:load-program|ralph|start)\.js)$/,
  /^dist\/cli\/[\w-]+\.cjs$/,
  /^dist\/help\.cjs$/,
  /^dist\/(?:core|index|opencode-plugin)\.js$/,
  /^dist\/hook(?:-[a-z]+)?\.cjs$/,
  /^dist\/LICENSES\.txt$/,
  /^dist\/api\/.+\.d\.ts$/,
  /^docs\/(?:api\.d\.ts|sim\.md|json\.md|guide\/[\w-]+\.md)$/,
  /^plugins\/claude-code\/(?:\.claude-plugin\/plugin\.json|(?:commands|skills)\/.+\.md|hooks\/(?:hooks\.json|run\.cjs))$/,
  /^plugins\/claude-code\/dist\/hook(?:-[a-z]+)?\.cjs$/,
  /^plugins\/opencode\/ralph\.js$/,
  /^templates\/[\w-]+\.(?:md|json)$/,
  /^templates\/github-action\/[\w-]+\.yml$/,
];

/** The bundles are 7 MB, of which the library has more than a quarter. */
const unpackedBytesMax = 9_000_000;

describe("the packed file", () => {
  it("holds bundles, public types, templates, plugins and documents, and nothing else", () => {
    expect(packed.files.filter((file) => !shape.some((line) => line.test(file)))).toEqual([]);
    expect(shape.filter((line) => !packed.files.some((file) => line.test(file)))).toEqual([]);
    expect(packed.unpackedBytes).toBeLessThan(unpackedBytesMax);
  });

  it("has no document with a link to a file that it does not hold", () => {
    const documents = packed.files.filter((file) => file.endsWith(".md"));
    for (const name of ["README.md", "CHANGELOG.md", "docs/guide/library.md"]) expect(documents).toContain(name);
    const links = documents.flatMap((file) => linksOf(file).map((link) => ({ file, link })));
    expect(links.length).toBeGreaterThan(20);
    const dead = links.filter(({ file, link }) => !packed.files.includes(posix.join(posix.dirname(file), link)));
    expect(dead).toEqual([]);
  });

  it("holds every template and every hook that the checkout has", () => {
    for (const folder of ["templates", "plugins/claude-code/dist"])
      expect(packed.files.filter((file) => file.startsWith(`${folder}/`))).toEqual(
        globSync("**/*.*", { cwd: join(root, folder) })
          .map((name) => `${folder}/${name}`)
          .toSorted(),
      );
  });

  it("needs no other package, and runs nothing when it is installed", () => {
    for (const key of ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"])
      expect(packed.manifest).not.toHaveProperty(key);
    expect(Object.keys(packed.manifest["scripts"] as object).filter((name) => name.endsWith("install"))).toEqual([]);
  });

  it("has types that a stranger's program compiles against and that know each setting", () => {
    const user = packed.openUser();
    user.write("project/program.ts", program);
    const options = { strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true };
    const typeRoots = [join(root, "node_modules/@types")];
    const compilerOptions = { ...options, module: "nodenext", target: "es2024", types: ["node"], typeRoots };
    user.write("project/tsconfig.json", JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    user.write("project/package.json", `{ "type": "module" }`);
    const ended = user.node(process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", ".");
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

/** What a document links to within the package; a heading of the same document is no file. */
function linksOf(file: string): string[] {
  const text = readFileSync(join(packed.folder, file), "utf8").replaceAll(/^ *```[^]*?^ *```/gm, "");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target.replace(/#.*$/, ""));
  return targets.filter((target) => target !== "" && !/^[a-z]+:/.test(target));
}

const nodes: [name: string, program: string | null][] = [
  [process.version, process.execPath],
  [`v${oldestProgramNode}`, findOldNode(oldestProgramNode)],
];

describe.each(nodes)("the installed copy on Node %s", (_, found) => {
  const node = found ?? "";

  it.skipIf(found === null)("shows a lie refused and a fix accepted, as the README has it", () => {
    const ended = packed.openUser().ralph(node, "demo");
    expect(ended).toMatchObject({ code: 0 });
    const lines = ended.stderr.split("\n").map((line) => line.replaceAll(/ \([^()]*\)/g, ""));
    expect(readmeLines().filter((line) => !lines.includes(line))).toEqual([]);
    expect(ended.stderr).not.toContain("Warning");
  });

  it.skipIf(found === null)("writes settings with `ralph init`", () => {
    const user = packed.openUser();
    user.write("project/package.json", `{ "scripts": { "test": "node --test" } }`);
    expect(user.ralph(node, "init", "--yes")).toMatchObject({ code: 0 });
    expect(JSON.parse(user.read("project/.ralph/settings.json"))).toMatchObject({
      guardrails: [{ command: "npm test" }],
    });
  });

  it.skipIf(found === null)("installs plugins whose hooks answer by themselves", () => {
    const user = packed.openUser();
    expect(user.ralph(node, "plugin", "install", "claude-code")).toMatchObject({ code: 0 });
    expect(user.ralph(node, "plugin", "install", "opencode", "--project")).toMatchObject({ code: 0 });
    expect(existsSync(join(user.project, ".opencode/ralph/plugin.js"))).toBe(true);
    const hook = join(user.home, ".claude/ralph/plugin/hooks/run.cjs");
    expect(user.node(node, hook, "session-start", "--host", "claude-code")).toMatchObject({ code: 0, stderr: "" });
  });

  it.skipIf(found === null)("runs its library in a program of a stranger", () => {
    const user = packed.openUser();
    user.write(
      "project/program.mjs",
      `import { parseSettings } from "ralph"; console.log(parseSettings([]).maximumIterations);`,
    );
    expect(user.node(node, "program.mjs")).toEqual({ code: 0, stdout: "10\n", stderr: "" });
  });

  it.skipIf(found === null)("runs the loop of the README, whose agent and check are 15 lines, and keeps it", () => {
    const user = packed.openUser();
    const program = readmeProgram();
    const [, said = ""] = /console\.log\(.*\); \/\/ (.+)/.exec(program) ?? [];
    expect(program.trim().split("\n").length).toBeLessThanOrEqual(15);
    user.write("project/loop.mjs", program);
    expect(user.node(node, "loop.mjs")).toEqual({ code: 0, stdout: `${said}\n`, stderr: "" });
    expect(user.ralph(node, "status", "--json").stdout).toContain('"outcome":"completed"');
  });
});

/** The program of the README: an agent and a check of its own. The agent lies first. */
function readmeProgram(): string {
  return /```js\n([^]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "";
}

/** What the README says that the demonstration prints, without times and costs. */
function readmeLines(): string[] {
  const lines = (/```text\n([^]*?)\n```/.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "").split("\n");
  expect(lines.length).toBeGreaterThan(5);
  return lines;
}

describe.each(oldNodeVersions.map((version): [string, string | null] => [version, findOldNode(version)]))(
  "the installed copy on Node %s, too old for it",
  (version, found) => {
    it.skipIf(found === null)("says so in one sentence that fits an installed copy, exit 2", () => {
      const ended = packed.openUser().ralph(found ?? "", "demo");
      const sentence = `ralph cannot start: it needs Node 22.18 or newer, and this is v${version}: install a newer Node.\n`;
      expect(ended).toEqual({ code: 2, stdout: "", stderr: sentence });
    });
  },
);

const program = `
import { parseSettings, type Settings } from "ralph";
import { emptyView, type RunView } from "ralph/core";

const settings: Settings = parseSettings([]);
const limit: number | "unbounded" = settings.maximumIterations;
export const view: RunView = emptyView;
// @ts-expect-error
export const wrong = settings.maximumIteration;
export { limit };
`;
