import type { ExplainedProject } from "../../../app/seal/explain.ts";
import { redactedText } from "../../../core/settings/redact.ts";

type Explanation = NonNullable<ExplainedProject["explanation"]>;
type Rule = Explanation["protected"][number];

/** Paths that one rule shows; `--json` has all of them. */
const pathsMax = 10;

/** What a seal would hold, for people. */
export function explanationLines(explained: ExplainedProject): string[] {
  const { isSealed, problem, explanation } = explained;
  const first = isSealed
    ? "The checks of a claim run sealed in ralph run. Nothing is started and nothing is written here."
    : `The checks of a claim do not run sealed here. ${problem ?? ""}`;
  if (explanation === null) return [first];
  return [
    first,
    ...section("Checks", checkLines(explanation)),
    ...section(`Protected, of ${files(explanation.fileCount)}`, explanation.protected.flatMap(ruleLines)),
    ...section("Programs", explanation.tools.map(toolLine)),
    ...section("Dependencies", dependencyLines(explanation)),
    ...section("Isolation", [isolationLine(explanation)]),
    ...section("Calibration", calibrationLines(explained, explanation)),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ["", `${title}:`, ...(lines.length === 0 ? ["  none"] : lines.map((line) => `  ${line}`))];
}

function checkLines({ checks }: Explanation): string[] {
  return checks.map(({ command, report, runner }) => {
    const evidence = report === null ? "exit code only" : `report ${report} of ${runner ?? "its runner"}`;
    return `${redactedText(command)}: ${evidence}`;
  });
}

const titles: Record<Rule["rule"], string> = {
  tests: "tests; new ones stay beside them",
  runner: "files of test runners and tools; new ones are left out",
  keys: "keys of manifests; the rest of the file is the agent's",
  named: "files that checks name; new ones are left out",
  protect: "seal.protect; new ones are left out",
  agent: "what agents obey; new ones are left out",
  allowed: "not protected, because seal.allow names them",
};

function ruleLines({ rule, paths }: Rule): string[] {
  const shown = paths
    .slice(0, pathsMax)
    .map(({ path, keys }) => `  ${path}${keys === undefined ? "" : ` (${keys.join(", ")})`}`);
  const more = paths.length - shown.length;
  return [
    `${titles[rule]} (${paths.length}):`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more (--json lists all)`] : []),
  ];
}

function toolLine({ name, path, file }: Explanation["tools"][number]): string {
  if (path === null) return `${name}: not found`;
  return file === null || file === path ? `${name}: ${path}` : `${name}: ${path}, which is ${file}`;
}

function dependencyLines({ dependencies: { folders, locks } }: Explanation): string[] {
  const kept = folders.map((folder) => `${folder}: copied once before the first turn`);
  return [...kept, ...locks.map((lock) => `${lock}: packages that it pins must not change`)];
}

function isolationLine({ isolation: { kind, problem } }: Explanation): string {
  return kind === "namespace"
    ? "a namespace (bwrap): without your home, the project and the store"
    : `a plain copy: ${problem ?? "no namespace"}`;
}

function calibrationLines({ seal }: ExplainedProject, { checks, include, env, isolation }: Explanation): string[] {
  const runs = checks.length * 3;
  return [
    `${runs} runs before the first turn: each check in the project, in a sealed copy, and there with false expectations`,
    ...include.map(({ glob, fileCount }) =>
      fileCount === 0
        ? `seal.include "${glob}" matches no file: the run would not start`
        : `seal.include "${glob}": ${files(fileCount)}`,
    ),
    ...env.map(({ name, isSet }) => `seal.env ${name}: ${isSet ? "set" : "not set"}`),
    ...(seal.isolation === "namespace" && isolation.kind === "copy"
      ? ['seal.isolation is "namespace": the run would not start']
      : []),
  ];
}

function files(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}
