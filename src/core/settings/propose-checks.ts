import { isObject } from "../text/is-object.ts";
import { parsedOrNull } from "../text/parsed-or-null.ts";

/** The files of a project's root that tell how it is checked. */
export const telltaleFiles = [
  "package.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "Makefile",
  "makefile",
  "GNUmakefile",
  "Cargo.toml",
  "go.mod",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "pytest.ini",
  "ruff.toml",
  ".ruff.toml",
  "requirements.txt",
  "requirements-dev.txt",
  "uv.lock",
  "poetry.lock",
] as const;

/** The content of the existing ones, by name. */
export type TelltaleFiles = Readonly<Partial<Record<(typeof telltaleFiles)[number], string>>>;

type Check = { kind: string; command: string };

/** The project's own check commands. Those that its Makefile runs are not proposed twice. */
export function proposeChecks(files: TelltaleFiles): string[] {
  const made = makeChecks(files.Makefile ?? files.makefile ?? files.GNUmakefile ?? "");
  const others = [...packageChecks(files), ...cargoChecks(files), ...goChecks(files), ...pythonChecks(files)];
  const isMade = ({ kind }: Check): boolean => made.some((check) => check.kind === kind);
  return [...made, ...others.filter((check) => !isMade(check))].map(({ command }) => command);
}

const scriptKinds = ["test", "lint", "typecheck", "check", "build"];
const targetKinds = ["test", "check", "lint"];

function makeChecks(makefile: string): Check[] {
  const targets = [...makefile.matchAll(/^([^\s#:=.][^:=#\n]*)::?(?!=)/gm)].flatMap((match) =>
    (match[1] ?? "").trim().split(/\s+/),
  );
  return targetKinds.filter((kind) => targets.includes(kind)).map((kind) => ({ kind, command: `make ${kind}` }));
}

/** `bun test` is its own runner, not the script. */
function packageChecks(files: TelltaleFiles): Check[] {
  const manifest = parsedOrNull(files["package.json"] ?? "");
  const scripts = isObject(manifest) && isObject(manifest["scripts"]) ? manifest["scripts"] : {};
  const runner = packageRunner(files, isObject(manifest) ? manifest["packageManager"] : undefined);
  return scriptKinds
    .filter((kind) => isCheck(scripts[kind]))
    .map((kind) => ({ kind, command: `${runner} ${kind === "test" && runner !== "bun" ? "" : "run "}${kind}` }));
}

/** A script that never ends, or the placeholder of `npm init`, checks nothing. */
function isCheck(script: unknown): boolean {
  return typeof script === "string" && script.trim() !== "" && !/--watch\b|no test specified/.test(script);
}

function packageRunner(files: TelltaleFiles, packageManager: unknown): string {
  const named = typeof packageManager === "string" ? (/^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] ?? null) : null;
  if (named !== null) return named;
  if (files["pnpm-lock.yaml"] !== undefined) return "pnpm";
  if (files["yarn.lock"] !== undefined) return "yarn";
  return files["bun.lock"] === undefined && files["bun.lockb"] === undefined ? "npm" : "bun";
}

function cargoChecks(files: TelltaleFiles): Check[] {
  if (files["Cargo.toml"] === undefined) return [];
  // Without denied warnings it always succeeds.
  return [
    { kind: "test", command: "cargo test" },
    { kind: "lint", command: "cargo clippy -- -D warnings" },
  ];
}

function goChecks(files: TelltaleFiles): Check[] {
  if (files["go.mod"] === undefined) return [];
  return [
    { kind: "test", command: "go test ./..." },
    { kind: "lint", command: "go vet ./..." },
  ];
}

function pythonChecks(files: TelltaleFiles): Check[] {
  const told = [
    files["pyproject.toml"],
    files["setup.cfg"],
    files["tox.ini"],
    files["requirements.txt"],
    files["requirements-dev.txt"],
  ].join("\n");
  const runner = pythonRunner(files);
  const hasPytest = files["pytest.ini"] !== undefined || /\bpytest\b/.test(told);
  const hasRuff = files["ruff.toml"] !== undefined || files[".ruff.toml"] !== undefined || /\bruff\b/.test(told);
  return [
    ...(hasPytest ? [{ kind: "test", command: `${runner}pytest` }] : []),
    ...(hasRuff ? [{ kind: "lint", command: `${runner}ruff check .` }] : []),
  ];
}

function pythonRunner(files: TelltaleFiles): string {
  if (files["uv.lock"] !== undefined) return "uv run ";
  return files["poetry.lock"] === undefined ? "" : "poetry run ";
}
