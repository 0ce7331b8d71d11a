import type { FollowedCommand } from "./follow-command.ts";

/** The test runners that are known. */
export type Runner =
  | "node-test"
  | "vitest"
  | "jest"
  | "mocha"
  | "playwright"
  | "pytest"
  | "unittest"
  | "go"
  | "cargo"
  | "maven"
  | "gradle"
  | "tape"
  | "ava"
  | "bats";

/** The runner that a command starts, with its own arguments; null: none that is known. */
export function findRunner({ words }: FollowedCommand): { runner: Runner; given: string[] } | null {
  const [path = "", ...rest] = words;
  const program = path.slice(path.lastIndexOf("/") + 1);
  const [first = "", ...more] = rest;
  if (program === "node" || program === "nodejs") return findNodeRunner(rest);
  if (/^python(?:\d(?:\.\d+)?)?$/.test(program)) {
    const at = rest.indexOf("-m");
    const module = at === -1 ? undefined : rest[at + 1];
    if (module === "pytest" || module === "unittest") return { runner: module, given: rest.slice(at + 2) };
    return null;
  }
  if (program === "py.test") return { runner: "pytest", given: rest };
  if (program === "go" && first === "test") return { runner: "go", given: more };
  if (program === "cargo" && (first === "test" || first === "t")) return { runner: "cargo", given: more };
  if (program === "playwright" && first === "test") return { runner: "playwright", given: more };
  if (program === "mvn" || program === "mvnw")
    return runsTests(rest, mavenPhases) ? { runner: "maven", given: rest } : null;
  if (program === "gradle" || program === "gradlew")
    return runsTests(rest, gradleTasks) ? { runner: "gradle", given: rest } : null;
  const same = byName.find((name) => name === program);
  return same === undefined ? null : { runner: same, given: rest };
}

const byName = ["vitest", "jest", "mocha", "pytest", "tape", "ava", "bats"] as const;
const mavenPhases = ["test", "package", "verify", "install"];
const gradleTasks = ["test", "check", "build"];

function runsTests(words: readonly string[], tasks: readonly string[]): boolean {
  return words.some((word) => tasks.includes(word.slice(word.lastIndexOf(":") + 1)));
}

/** `node --test`, or a runner by the path of its program. */
function findNodeRunner(rest: readonly string[]): { runner: Runner; given: string[] } | null {
  if (rest.includes("--test")) return { runner: "node-test", given: rest.filter((word) => word !== "--test") };
  const at = rest.findIndex((word) => !word.startsWith("-"));
  const module = /(?:^|\/)node_modules\/(?:\.bin\/)?(vitest|jest|mocha|ava)(?:\/|$)/.exec(rest[at] ?? "")?.[1];
  const runner = byName.find((name) => name === module);
  return runner === undefined ? null : { runner, given: rest.slice(at + 1) };
}
