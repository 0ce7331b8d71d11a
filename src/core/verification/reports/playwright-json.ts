import { isObject } from "../../text/is-object.ts";
import { suiteSeparator, unreadable, wholeFailure, type ReportContent, type TestCase } from "./test-case.ts";

/** The JSON of playwright: suites in suites, specs in them, and one test of a spec for each project. */
export function readPlaywrightJson(report: Record<string, unknown>, suites: readonly unknown[]): ReportContent {
  const config = isObject(report["config"]) ? report["config"] : {};
  const root = typeof config["rootDir"] === "string" ? `${config["rootDir"].replaceAll("\\", "/")}/` : "";
  const tests: TestCase[] = [];
  const open = suites.map((suite): OpenSuite => ({ suite, path: [], depth: 0 })).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { suite, path, depth } = next;
    if (!isObject(suite) || depth > depthMax) return unreadable("has a broken suite");
    // The outermost suite is the file.
    const own = depth === 0 ? path : [...path, String(suite["title"])];
    for (const spec of listOf(suite["specs"])) {
      const found = readSpec(spec, { root, path: own });
      if (found === null) return unreadable("has a test without a title");
      for (const test of found) tests.push(test);
    }
    for (const inner of listOf(suite["suites"]).toReversed()) open.push({ suite: inner, path: own, depth: depth + 1 });
  }
  const isOther = listOf(report["errors"]).length > 0 && !tests.some(({ status }) => status === "failed");
  if (isOther) tests.push(wholeFailure({ file: null, suite: "", name: "" }));
  return { isReadable: true, tests };
}

type OpenSuite = { suite: unknown; path: string[]; depth: number };

/** Deeper than any suite. */
const depthMax = 100;

function readSpec(spec: unknown, { root, path }: { root: string; path: string[] }): TestCase[] | null {
  if (!isObject(spec) || typeof spec["title"] !== "string") return null;
  const file = typeof spec["file"] === "string" ? root + spec["file"] : null;
  const name = spec["title"];
  return listOf(spec["tests"]).map((test) => {
    const project = isObject(test) && typeof test["projectName"] === "string" ? test["projectName"] : "";
    const suite = [...(project === "" ? [] : [`[${project}]`]), ...path].join(suiteSeparator);
    return { file, suite, name, ...readStatus(test) };
  });
}

/** A test that is expected to fail and does proves nothing; one that passed at last did pass. */
function readStatus(test: unknown): Pick<TestCase, "status" | "isRetried"> {
  if (!isObject(test)) return { status: "failed" };
  switch (test["status"]) {
    case "expected":
      return { status: test["expectedStatus"] === "passed" ? "passed" : "skipped" };
    case "flaky":
      return { status: "passed", isRetried: true };
    case "skipped":
      return { status: "skipped" };
    default:
      return { status: "failed" };
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
