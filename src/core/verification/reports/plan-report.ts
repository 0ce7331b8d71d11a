import { shellWords } from "../../text/shell-words.ts";
import { findRunner, type Runner } from "./find-runner.ts";
import { followCommand, type FollowedCommand, type ProjectFiles } from "./follow-command.ts";
import type { ReportFormat } from "./read-report.ts";

/** How a check is run so that it writes a report, and where that report is. */
export type ReportHow = {
  /** The check, with arguments added or replaced where no variable does it. */
  command: string;
  /** Variables for the run. */
  variables: Record<string, string>;
  source:
    /** Read one after the other as one text. */
    | { kind: "files"; paths: string[] }
    /** Every file that fits is one report; older ones must be removed before the run. */
    | { kind: "folders"; globs: string[] }
    /** `both` is one pipe for both, because their lines belong together in the order they were written. */
    | { kind: "stream"; stream: "stdout" | "stderr" | "both" };
};

/** A report that a check can write without the user's help. */
export type ReportPlan = { runner: Runner; format: ReportFormat; how: ReportHow; followed: FollowedCommand };

/** `file` is the path of the report; it carries a nonce, so that no report is older than its run. */
export type PlanInput = { command: string; files: ProjectFiles; file: string };

/**
 * Finds the report that a check can write. Null: it runs no runner that is known, more than one, or one whose report cannot be
 * asked for; then its exit code is the only evidence. gradle, tape, ava and bats are untried.
 */
export function planReport({ command, files, file }: PlanInput): ReportPlan | null {
  const all = followCommand(command, files) ?? [];
  const found = all.flatMap((followed) => {
    const match = findRunner(followed);
    return match === null ? [] : [{ followed, ...match }];
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return null;
  const place = { command, file, ...only, all };
  const planned = planners[only.runner](place);
  return planned === null ? null : { runner: only.runner, ...planned, followed: only.followed };
}

/** Adds arguments to the end of a check so that they reach its runner; null when they cannot. */
export function withArguments(command: string, followed: FollowedCommand, added: readonly string[]): string | null {
  if (followed.toArguments === null) return null;
  return `${command.trimEnd()} ${shellWords([...followed.toArguments, ...added])}`;
}

/** `all`: everything that the check runs, the runner among it. */
type Place = { command: string; file: string; followed: FollowedCommand; given: string[]; all: FollowedCommand[] };
type Planned = { format: ReportFormat; how: ReportHow } | null;

const planners: Record<Runner, (place: Place) => Planned> = {
  "node-test": planNodeTest,
  vitest: (place) => planArguments(place, ["--reporter=default", "--reporter=json", `--outputFile.json=${place.file}`]),
  jest: (place) => planArguments(place, ["--json", `--outputFile=${place.file}`]),
  mocha: (place) => planArguments(place, ["--reporter", "json", "--reporter-option", `output=${place.file}`]),
  playwright: (place) => planArguments(place, ["--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_NAME: place.file }),
  pytest: planPytest,
  unittest: planUnittest,
  go: planGo,
  cargo: planCargo,
  maven: ({ command }) =>
    ofFolders(command, ["**/target/surefire-reports/TEST-*.xml", "**/target/failsafe-reports/TEST-*.xml"]),
  gradle: ({ command }) => ofFolders(command, ["**/build/test-results/**/TEST-*.xml"]),
  tape: ({ command }) => ofStream(command, "tap", "stdout"),
  ava: (place) => ofAdded(place, ["--tap"]),
  bats: (place) => ofAdded(place, ["--tap"]),
};

function planArguments(place: Place, added: readonly string[], variables: Record<string, string> = {}): Planned {
  const command = withArguments(place.command, place.followed, added);
  if (command === null) return null;
  return { format: "json", how: { command, variables, source: { kind: "files", paths: [place.file] } } };
}

/** Both reports of node:test, and the one people read on standard output. Other reporters on the command line would mix with them. */
function planNodeTest({ command, file, followed, given }: Place): Planned {
  const isTaken =
    given.some((word) => word.startsWith("--test-reporter")) || followed.variables.includes("NODE_OPTIONS");
  if (isTaken) return null;
  const reporters = [
    ["junit", file],
    ["tap", `${file}.tap`],
    ["spec", "stdout"],
  ] as const;
  const words = reporters.flatMap(([name, to]) => [`--test-reporter=${name}`, `--test-reporter-destination=${to}`]);
  const options = words.map((word) => (/[\s"\\]/.test(word) ? JSON.stringify(word) : word)).join(" ");
  return {
    format: "node-test",
    how: { command, variables: { NODE_OPTIONS: options }, source: { kind: "files", paths: [file, `${file}.tap`] } },
  };
}

/** The older family of reports names files. */
function planPytest({ command, file, followed, given }: Place): Planned {
  const isTaken = given.some((word) => /^--junit-?xml/.test(word)) || followed.variables.includes("PYTEST_ADDOPTS");
  if (isTaken) return null;
  const options = shellWords([`--junitxml=${file}`, "-o", "junit_family=xunit1"]);
  return {
    format: "junit",
    how: { command, variables: { PYTEST_ADDOPTS: options }, source: { kind: "files", paths: [file] } },
  };
}

function planUnittest(place: Place): Planned {
  if (place.given.some((word) => /^-[a-z]*v|^--verbose$/.test(word)))
    return ofStream(place.command, "unittest", "stderr");
  const command = withArguments(place.command, place.followed, ["-v"]);
  return command === null ? null : ofStream(command, "unittest", "stderr");
}

/** In a script or recipe only a variable reaches it, and that one would reach `go vet`, too, which then never fails. */
function planGo({ command, followed, given, all }: Place): Planned {
  if (given.includes("-json")) return ofStream(command, "go", "stdout");
  if (followed.variables.includes("GOFLAGS")) return null;
  const calls = command.match(/\bgo\s+test\b/g) ?? [];
  if (calls.length === 1) return ofStream(command.replace(/\bgo\s+test\b/, "go test -json"), "go", "stdout");
  if (all.filter(({ words }) => words[0] === "go").length > 1) return null;
  const plan = ofStream(command, "go", "stdout");
  return { ...plan, how: { ...plan.how, variables: { GOFLAGS: "-json" } } };
}

/** Quiet output names no tests, and output that is not captured stands between the names. */
function planCargo({ command, given }: Place): Planned {
  const isOther = given.some((word) => ["-q", "--quiet", "--nocapture", "--no-capture", "--format"].includes(word));
  return isOther ? null : ofStream(command, "libtest", "both");
}

function ofAdded(place: Place, added: readonly string[]): Planned {
  const command = withArguments(place.command, place.followed, added);
  return command === null ? null : ofStream(command, "tap", "stdout");
}

function ofStream(
  command: string,
  format: ReportFormat,
  stream: "stdout" | "stderr" | "both",
): { format: ReportFormat; how: ReportHow } {
  return { format, how: { command, variables: {}, source: { kind: "stream", stream } } };
}

function ofFolders(command: string, globs: string[]): Planned {
  return { format: "junit", how: { command, variables: {}, source: { kind: "folders", globs } } };
}
