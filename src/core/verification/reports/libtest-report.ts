import { unreadable, wholeFailure, type ReportContent, type TestCase } from "./test-case.ts";

/**
 * Reads what `cargo test` prints. Standard error names the file of each group of tests; without it equal names of several groups
 * are told apart by their order. Each group must have the tests that its sum counts, so a printed line makes the report
 * unreadable; a group without a sum crashed.
 */
export function readLibtest(text: string): ReportContent {
  const tests: TestCase[] = [];
  let place: Place = { file: null, suite: "" };
  let group: TestCase[] | null = null;
  let groups = 0;
  for (const line of text.split(/\r?\n/)) {
    const next = readPlace(line);
    const begins = /^running \d{1,9} tests?$/.test(line);
    if (group !== null && (begins || next !== null)) {
      for (const test of [...group, crash(place)]) tests.push(test);
      group = null;
    }
    if (next !== null) place = next;
    if (begins) {
      group = [];
      groups += 1;
      continue;
    }
    if (group === null) continue;
    const sum = sumPattern.exec(line);
    if (sum === null) {
      const test = readTest(line, place);
      if (test !== null) group.push(test);
      continue;
    }
    if (!isSum(sum, group)) return unreadable("has a group of tests whose sum is another one");
    for (const test of group) tests.push(test);
    group = null;
  }
  if (groups === 0) return unreadable("has no group of tests");
  return { isReadable: true, tests: group === null ? tests : [...tests, ...group, crash(place)] };
}

type Place = Pick<TestCase, "file" | "suite">;

const sumPattern = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; /;

/** `Running unittests src/lib.rs (target/debug/deps/p-0123)`, `Running tests/second.rs (…)`, `Doc-tests p`. */
function readPlace(line: string): Place | null {
  const running = /^\s+Running (?:unittests )?(\S{1,1000}) \(([^()]{1,1000})\)$/.exec(line);
  if (running !== null) return { file: running[1] ?? null, suite: "" };
  const documented = /^\s+Doc-tests (\S{1,1000})$/.exec(line)?.[1];
  return documented === undefined ? null : { file: null, suite: `Doc-tests ${documented}` };
}

/** The line of a test in a document changes with every line above it, so it is not part of the name. */
function readTest(line: string, place: Place): TestCase | null {
  const at = line.indexOf(resultMark);
  const result = /^(?:ok|FAILED|ignored)(?=$|, )/.exec(line.slice(at + resultMark.length))?.[0];
  if (at === -1 || result === undefined || !line.startsWith("test ")) return null;
  const name = line.slice("test ".length, at).replace(/ - (?:should panic|compile fail|compile)$/, "");
  const status = statuses[result] ?? "failed";
  const documented = /^(\S{1,1000}) - (.{0,2000}?) ?\(line \d{1,9}\)$/.exec(name);
  if (documented === null) return { ...place, name, status };
  return { file: documented[1] ?? null, suite: place.suite, name: documented[2] ?? "", status };
}

const resultMark = " ... ";
const statuses: Record<string, TestCase["status"]> = { ok: "passed", FAILED: "failed", ignored: "skipped" };

function isSum([, passed, failed, ignored]: readonly string[], tests: readonly TestCase[]): boolean {
  const count = (status: TestCase["status"]): number => tests.filter((test) => test.status === status).length;
  return (
    Number(passed) === count("passed") && Number(failed) === count("failed") && Number(ignored) === count("skipped")
  );
}

function crash(place: Place): TestCase {
  return wholeFailure({ ...place, name: "" });
}
