import { isFileLike, isHook, suiteSeparator, unreadable, type ReportContent, type TestCase } from "./test-case.ts";
import { readXml } from "./xml-reader.ts";

/**
 * Reads a JUnit report as pytest, vitest, node:test, maven, mocha, playwright and jest-junit write it; gradle and nextest are
 * untried and follow their documented formats. jest-junit lists a test that is still to do as passed, and pytest one that passes
 * although it may fail.
 */
export function readJunit(text: string): ReportContent {
  const tests: TestCase[] = [];
  const suites: Attributes[] = [];
  const path: string[] = [];
  let test: OpenTest | null = null;
  for (const event of readXml(text)) {
    if (event.kind === "fault") return unreadable(event.problem);
    if (event.kind === "close") {
      path.pop();
      if (event.name === "testsuite") suites.pop();
      if (event.name === "testcase" && test !== null && path.length === test.depth) {
        tests.push(closeTest(test));
        test = null;
      }
      continue;
    }
    if (path.length === 0 && !rootNames.includes(event.name)) return unreadable(`begins with <${event.name}>`);
    if (test !== null && path.length === test.depth + 1) test.results.push([event.name, event.attributes]);
    if (event.name === "testsuite") suites.push(event.attributes);
    if (event.name === "testcase" && test === null)
      test = { attributes: event.attributes, suites: [...suites], depth: path.length, results: [] };
    const isOfSuite = path.at(-1) === "testsuite" && (event.name === "error" || event.name === "failure");
    if (isOfSuite) tests.push(failedSuite(suites));
    path.push(event.name);
  }
  return { isReadable: true, tests: markSuites(tests) };
}

const rootNames = ["testsuites", "testsuite"];

type Attributes = ReadonlyMap<string, string>;

/** A test whose element is not closed; `results` are the elements in it. */
type OpenTest = { attributes: Attributes; suites: Attributes[]; depth: number; results: [string, Attributes][] };

function closeTest(test: OpenTest): TestCase {
  const { suite, file } = placeOf(test.suites, test.attributes);
  const name = test.attributes.get("name") ?? "";
  const status = statusOf(test);
  const isRetried = test.results.some(([result]) => result === "flakyFailure" || result === "flakyError");
  // A file that cannot be loaded is a test with the file's name; a class whose hook fails is one without a name.
  const isFile = isFileLike(name) && (file === null ? suite === "" && !/\s/.test(name) : isEndOf(file, name));
  const isCollected = test.results.some(([, values]) => values.get("message") === "collection failure");
  const isWhole = status === "failed" && (isFile || isCollected || isHook(name) || name === "");
  return {
    file: isFile ? (file ?? name) : file,
    suite: isCollected ? name : suite,
    name: isCollected ? "" : name,
    status,
    ...(isWhole ? { isWhole: true } : {}),
    ...(status === "passed" && isRetried ? { isRetried: true } : {}),
  };
}

function isEndOf(file: string, name: string): boolean {
  return file === name || file.endsWith(`/${name}`);
}

/** In node:test a test that is still to do may fail; elsewhere a failure outweighs everything. */
function statusOf({ attributes, results }: OpenTest): TestCase["status"] {
  const skips = results.filter(([name]) => name === "skipped" || name === "disabled");
  if (skips.some(([, values]) => values.get("type") === "todo")) return "skipped";
  if (results.some(([name]) => name === "failure" || name === "error")) return "failed";
  if (skips.length > 0) return "skipped";
  // GoogleTest writes these, and nothing inside of the element.
  const words = [attributes.get("status"), attributes.get("result")];
  return words.some((word) => word !== undefined && notRun.includes(word.toLowerCase())) ? "skipped" : "passed";
}

const notRun = ["notrun", "disabled", "skipped", "suppressed", "ignored"];

function placeOf(suites: readonly Attributes[], attributes: Attributes): { suite: string; file: string | null } {
  const className = attributes.get("classname") ?? "";
  const names = suites.map((suite) => suite.get("name") ?? "");
  const files = [attributes.get("file"), ...suites.map((suite) => suite.get("file")).toReversed()];
  const written = files.find((file) => file !== undefined && file !== "");
  const file = written ?? [className, ...names.toReversed()].find(isFileLike) ?? null;
  const isTelling =
    className !== "" && className !== "test" && className !== attributes.get("name") && !isFileLike(className);
  if (isTelling && names.length < 2) return { suite: className, file };
  return { suite: names.filter((name) => name !== "" && !isFileLike(name)).join(suiteSeparator), file };
}

function failedSuite(suites: readonly Attributes[]): TestCase {
  const { suite, file } = placeOf(suites, new Map());
  return { file, suite, name: "", status: "failed", isWhole: true };
}

/** vitest lists a suite whose hook failed beside its tests, with the name that theirs begin with. */
function markSuites(tests: readonly TestCase[]): TestCase[] {
  const suites = new Set(tests.flatMap(({ file, name }) => suitesIn(name).map((suite) => `${file}\n${suite}`)));
  return tests.map((test) =>
    test.status === "failed" && suites.has(`${test.file}\n${test.name}`) ? { ...test, isWhole: true } : test,
  );
}

/** More levels than any suite has; it keeps the work linear for a name that consists of separators. */
const levelsMax = 20;

function suitesIn(name: string): string[] {
  const parts = name.split(suiteSeparator, levelsMax);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(suiteSeparator));
}
