import type { TestCase } from "../reports/test-case.ts";

/**
 * Whether a test stands in one of these files, by its path in the report. Where a report does not name files (Java, Go, Python's
 * unittest), its class, module or package must fit the end of a path.
 */
export function isTestIn(test: TestCase, paths: readonly string[]): boolean {
  if (test.file !== null) return paths.includes(test.file);
  return paths.some((path) => isModuleOf(test.suite, path));
}

function isModuleOf(suite: string, path: string): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  if (path.endsWith("_test.go")) return folder === "" ? !/\/./.test(moduleTail(suite)) : suite.endsWith(`/${folder}`);
  const module = path.replace(/\.[^./]+$/, "").replaceAll("/", ".");
  // `tests.test_basic.Basic` is a class of the module `tests.test_basic`, `x.BasicTest$Inner` one of `x.BasicTest`.
  const names = [suite, ...prefixesOf(suite)];
  return names.some((name) => name !== "" && (module === name || (name.includes(".") && module.endsWith(`.${name}`))));
}

/** The package below the module's own name, which has three parts for most modules (`host/owner/name`). */
function moduleTail(suite: string): string {
  return suite.split("/").slice(2).join("/");
}

function prefixesOf(suite: string): string[] {
  const parts = suite.split(/[.$]/, 30);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
}
