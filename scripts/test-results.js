import { relative } from "node:path";

/**
 * What a finished vitest run has shown. A file that did not load counts as one failure. An error outside of any test and
 * a run that matched no file only set the exit code: such a run counts as one failure too.
 */
export function readResults(vitest, { isNamePatternGiven }) {
  const tests = listTests(vitest);
  const failed = tests.filter((test) => test.state === "failed" || test.state === "pending");
  const skipped = tests.filter((test) => test.state === "skipped");
  const failedCount = failed.length + listBrokenFiles(vitest).length;
  const hasOtherFault = process.exitCode !== undefined && process.exitCode !== 0 && failedCount === 0;
  return {
    passed: tests.filter((test) => test.state === "passed").length,
    failed: failedCount + (hasOtherFault ? 1 : 0),
    // Tests left out by a name pattern are reported as skipped too; nobody asked for them.
    skippedNames: isNamePatternGiven ? [] : skipped.map((test) => `${test.file} > ${test.name}`),
  };
}

/** Every test vitest knows of, with its full name as vitest itself writes it. */
export function listTests(vitest) {
  return vitest.state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests()].map((test) => describeTest(vitest, module, test)));
}

/** Files that could not be loaded, each with its first error. */
export function listBrokenFiles(vitest) {
  return vitest.state
    .getTestModules()
    .filter((module) => module.errors().length > 0)
    .map((module) => `${relative(vitest.config.root, module.moduleId)}: ${module.errors()[0].message}`);
}

function describeTest(vitest, module, test) {
  const result = test.result();
  return {
    file: relative(vitest.config.root, module.moduleId).replaceAll("\\", "/"),
    project: module.project.name,
    name: test.fullName,
    state: result.state,
    error: result.errors && result.errors.length > 0 ? result.errors[0].message : null,
  };
}
