import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { publicDeclarations } from "../../scripts/roll-up-types.ts";

const root = join(import.meta.dirname, "..", "..");
const declarations = publicDeclarations(readFileSync(join(root, "docs", "api.d.ts"), "utf8"));

/** How an example ended: what it threw, and what it wrote to the console. */
type Result = { name: string; problem: string | null; said: string[] };

type Example = { name: string; code: string; isRun: boolean };

const examples: Example[] = declarations.flatMap(({ name, comment }) =>
  [...comment.matchAll(/^@example\n```ts( no-run)?\n([^]*?)\n```$/gm)].map(([, isLeft, code = ""], index) => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    code,
    isRun: isLeft === undefined,
  })),
);

/** The examples as files of a folder in which the package is installed; gone after the test. */
function folderOf(wanted: readonly Example[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-examples-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "ralph"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const { name, code } of wanted) {
    mkdirSync(join(folder, "examples", name), { recursive: true });
    writeFileSync(join(folder, "examples", name, "example.ts"), `${code}\nexport {};\n`);
  }
  return folder;
}

describe("the examples of the library", () => {
  it("are there for every export, after a sentence", () => {
    const without = declarations.filter(({ name, comment }) => {
      const isThere = examples.some((example) => example.name === name);
      return !isThere || comment.startsWith("@");
    });
    expect(without.map(({ name }) => name)).toEqual([]);
    expect(declarations.length).toBeGreaterThan(100);
  });

  it("use what they are for", () => {
    const strangers = examples.filter(({ name, code }) => !new RegExp(`\\b${name}\\b`).test(code));
    expect(strangers.map(({ name }) => name)).toEqual([]);
  });

  it("compile against the types of the public entry", () => {
    const folder = folderOf(examples);
    const compilerOptions = {
      target: "es2024",
      lib: ["es2024"],
      module: "nodenext",
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
      paths: { ralph: [join(root, "docs", "api.d.ts")] },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["examples"] }));
    expect(compile(folder)).toBe("");
  });

  it("run to their end with the built package, and print what their comments say", { timeout: 300_000 }, () => {
    const wanted = examples.filter(({ isRun }) => isRun);
    const folder = folderOf(wanted);
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      RALPH_STATE_HOME: join(folder, "state"),
      RALPH_KILL_GRACE_MS: "200",
    };
    const runner = join(import.meta.dirname, "run-examples.ts");
    const output = execFileSync(process.execPath, [runner, join(folder, "examples")], {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const results = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Result);
    expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(wanted.flatMap((example) => unkept(example, results))).toEqual([]);
    expect(results).toHaveLength(wanted.length);
  });
});

/** What an example says that it prints, behind a call of the console, and does not. */
function unkept({ name, code }: Example, results: readonly Result[]): string[] {
  const said = results.find((result) => result.name === name)?.said.map((line) => line.replaceAll("'", '"')) ?? [];
  const promised = [...code.matchAll(/console\.log\(.* \/\/ (.+)$/gm)].map(([, line = ""]) => line);
  return promised.filter((line) => !said.includes(line)).map((line) => `${name}: ${line}, printed ${said.join("; ")}`);
}

/** What the compiler says about a folder; nothing when all is well. */
function compile(folder: string): string {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    return execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
