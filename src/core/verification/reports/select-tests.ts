import { withArguments, type ReportHow, type ReportPlan } from "./plan-report.ts";
import { suiteSeparator, type TestCase } from "./test-case.ts";

/** With more tests the whole suite is as fast, and a command line has a limit. */
const testsMax = 200;
const charsMax = 30_000;

/** How the same check runs only these tests, for repetitions. Null: its runner cannot, or not through this check. */
export function selectTests(plan: ReportPlan, tests: readonly TestCase[]): ReportHow | null {
  if (tests.length === 0 || tests.length > testsMax || tests.some(({ isWhole }) => isWhole === true)) return null;
  const command = commandFor(plan, tests);
  return command === null || command.length > charsMax ? null : { ...plan.how, command };
}

function commandFor(plan: ReportPlan, tests: readonly TestCase[]): string | null {
  const add = (words: readonly string[] | null): string | null =>
    words === null ? null : withArguments(plan.how.command, { ...plan.followed, toArguments: afterPlan(plan) }, words);
  switch (plan.runner) {
    case "vitest":
    case "jest":
      return add(["-t", patternOf(tests.map(titleOf))]);
    case "mocha":
      return add(["--grep", patternOf(tests.map(titleOf))]);
    case "pytest":
      return add(nodesOf(plan, tests));
    case "unittest":
      return add(tests.flatMap(({ suite, name }) => ["-k", `${suite}.${name}`]));
    case "go":
      return selectGo(plan.how.command, tests);
    case "cargo":
      return selectCargo(plan, tests);
    case "maven":
      return plan.followed.isDirect ? add([mavenTests(tests), "-Dsurefire.failIfNoSpecifiedTests=false"]) : null;
    case "node-test":
    case "playwright":
    case "gradle":
    case "tape":
    case "ava":
    case "bats":
      return null;
  }
}

/** The plan's own arguments already stand behind what arguments need before them. */
function afterPlan({ followed, how, format }: ReportPlan): string[] | null {
  if (followed.toArguments === null) return null;
  const isAdded = how.source.kind === "files" && format === "json";
  return isAdded ? [] : followed.toArguments;
}

/** vitest, jest and mocha look for the names of suites and test, joined by spaces. */
function titleOf({ suite, name }: TestCase): string {
  return [...suite.split(suiteSeparator), name].filter((part) => part !== "").join(" ");
}

function patternOf(names: readonly string[]): string {
  return `^(?:${[...new Set(names)].map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join("|")})$`;
}

/** Paths that the check gives would run beside those that are added. */
function nodesOf({ followed }: ReportPlan, tests: readonly TestCase[]): string[] | null {
  const at = followed.words.findIndex((word) => /(?:^|\/)(?:pytest|py\.test)$/.test(word));
  if (followed.words.slice(at + 1).some((word) => !word.startsWith("-"))) return null;
  const nodes = tests.map(({ file, suite, name }) => {
    const module = file?.replace(/\.py$/, "").replaceAll("/", ".") ?? "";
    const isInside = file !== null && (suite === module || suite.startsWith(`${module}.`));
    const classes = isInside
      ? suite
          .slice(module.length)
          .split(".")
          .filter((part) => part !== "")
      : [];
    return isInside ? [file, ...classes, name].join("::") : null;
  });
  return nodes.includes(null) ? null : nodes.filter((node) => node !== null);
}

/** A subtest runs with its parent. */
function selectGo(command: string, tests: readonly TestCase[]): string | null {
  if (!command.includes("go test -json")) return null;
  const pattern = patternOf(tests.map(({ name }) => name.split("/")[0] ?? ""));
  return command.replace("go test -json", () => `go test -json -run '${pattern.replaceAll("'", ".")}'`);
}

/** Tests in documents have names that change, so they cannot be named. */
function selectCargo({ how, followed }: ReportPlan, tests: readonly TestCase[]): string | null {
  const isNamed = tests.every(({ suite, name }) => suite === "" && /^[\p{L}\p{N}_:]+$/u.test(name));
  if (!isNamed || !followed.isDirect || followed.words.includes("--")) return null;
  return withArguments(how.command, { ...followed, toArguments: [] }, [
    "--",
    "--exact",
    ...tests.map(({ name }) => name),
  ]);
}

function mavenTests(tests: readonly TestCase[]): string {
  const names = tests.map(({ suite, name }) => `${suite}#${name.replace(/[({[].*$/, "")}`);
  return `-Dtest=${[...new Set(names)].join(",")}`;
}
