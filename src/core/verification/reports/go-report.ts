import { isObject } from "../../text/is-object.ts";
import { unreadable, wholeFailure, type ReportContent, type TestCase } from "./test-case.ts";

/**
 * Reads the lines of `go test -json`. A result counts only for a test that was started: Go before 1.20 takes a printed line for a
 * result. A test without a result failed, unless its result stands behind text that it printed, which those versions overlook.
 */
export function readGo(text: string): ReportContent {
  const report: Report = { runs: [], open: new Map(), packages: new Map() };
  let events = 0;
  for (const line of text.split("\n")) {
    const event = line.startsWith("{") ? parse(line) : null;
    if (event !== null) {
      events += 1;
      readEvent(report, event);
      continue;
    }
    // A package that does not compile is named in plain words by Go before 1.20.
    const broken = /^FAIL\t(\S+) \[(?:build|setup) failed\]\r?$/.exec(line)?.[1];
    if (broken !== undefined) report.packages.set(broken, "fail");
  }
  if (events === 0) return unreadable("has no event of go test");
  const tests = report.runs.map((run) => testOf(run, report.packages.get(run.package)));
  return { isReadable: true, tests: [...tests, ...failedPackages(report)] };
}

type Result = "pass" | "fail" | "skip";
type Run = { package: string; name: string; result: Result | null; printed: Result | null };
type Report = { runs: Run[]; open: Map<string, Run>; packages: Map<string, Result | "open"> };
type Event = { action: string; package: string; test: string | null; output: string };

function parse(line: string): Event | null {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || typeof value["Action"] !== "string") return null;
    const { Action: action, Test: test, Output: output } = value;
    const name: unknown = value["Package"] ?? value["ImportPath"];
    return {
      action,
      package: typeof name === "string" ? name : "",
      test: typeof test === "string" ? test : null,
      output: typeof output === "string" ? output : "",
    };
  } catch {
    return null;
  }
}

function readEvent({ runs, open, packages }: Report, event: Event): void {
  const keyOf = (name: string): string => `${event.package}\n${name}`;
  if (!packages.has(event.package)) packages.set(event.package, "open");
  if (event.action === "build-fail") packages.set(event.package.split(" ")[0] ?? "", "fail");
  if (event.action === "output") {
    const [, word = "", name = ""] = readPrinted(event.output);
    const run = open.get(keyOf(name));
    if (run !== undefined) run.printed = words[word] ?? null;
    return;
  }
  if (event.action === "run" && event.test !== null) {
    const run = { package: event.package, name: event.test, result: null, printed: null };
    runs.push(run);
    open.set(keyOf(event.test), run);
    return;
  }
  if (event.action !== "pass" && event.action !== "fail" && event.action !== "skip") return;
  if (event.test === null) {
    packages.set(event.package, event.action);
    return;
  }
  const run = open.get(keyOf(event.test));
  if (run !== undefined) run.result = event.action;
  open.delete(keyOf(event.test));
}

/** A result that stands behind other text on its line. */
function readPrinted(output: string): string[] {
  const at = output.lastIndexOf("--- ");
  return at < 1 ? [] : (/^--- (PASS|FAIL|SKIP): (\S{1,2000}) \(/.exec(output.slice(at, at + 2100)) ?? []);
}

const words: Record<string, Result> = { PASS: "pass", FAIL: "fail", SKIP: "skip" };

function testOf(run: Run, ofPackage: Result | "open" | undefined): TestCase {
  const result = run.result ?? (ofPackage === "pass" ? run.printed : null) ?? "fail";
  const status = ({ pass: "passed", fail: "failed", skip: "skipped" } as const)[result];
  return { file: null, suite: run.package, name: run.name, status };
}

/** Packages that did not compile, crashed between tests or never ended. */
function failedPackages({ runs, packages }: Report): TestCase[] {
  const explained = new Set(runs.filter(({ result }) => result === "fail").map((run) => run.package));
  return [...packages]
    .filter(([name, result]) => result === "open" || (result === "fail" && !explained.has(name)))
    .map(([name]) => wholeFailure({ file: null, suite: name, name: "" }));
}
