import { readJunit } from "./junit-report.ts";
import { readTap } from "./tap-report.ts";
import { isFileLike, unreadable, type ReportContent, type TestCase } from "./test-case.ts";

/**
 * Reads what node:test wrote: its JUnit report, its TAP, or both, one after the other. Only the first names files (since Node
 * 24), only the second has names unchanged and tests that failed beside their subtests; so both together tell most, and they
 * must agree.
 */
export function readNodeTest(text: string): ReportContent {
  const at = text.search(/^TAP version \d+\s*$/m);
  const xml = at === -1 ? text : text.slice(0, at);
  if (at === -1) return readJunit(xml);
  const tap = readTap(text.slice(at));
  if (xml.trim() === "" || !tap.isReadable) return tap;
  const junit = readJunit(xml);
  return junit.isReadable ? join(junit.tests, tap.tests) : junit;
}

/** Both list the same tests in the same order; a parent that failed by itself is in the TAP alone. */
function join(fromJunit: readonly TestCase[], fromTap: readonly TestCase[]): ReportContent {
  let at = 0;
  const tests: TestCase[] = [];
  for (const test of fromTap) {
    if (test.isWhole === true && !isFileLike(test.name)) {
      tests.push(test);
      continue;
    }
    const other = fromJunit[at];
    if (other === undefined || other.status !== test.status) return unreadable("and its TAP disagree");
    at += 1;
    tests.push({ ...test, file: other.file ?? test.file });
  }
  return at === fromJunit.length ? { isReadable: true, tests } : unreadable("and its TAP disagree");
}
