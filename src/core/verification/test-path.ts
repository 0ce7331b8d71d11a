/** Whether a path is one of a test or of what tests read, by the names that the ecosystems use. */
export function isTestPath(path: string): boolean {
  return folders.test(path) || files.test(path);
}

const folders = /(?:^|\/)(?:tests?|spec|__tests__|testdata|fixtures|__snapshots__|__mocks__)\//;
const files =
  /(?:^|\/)(?:[^/]*\.(?:test|spec)\.[^/]*|test_[^/]*\.py|[^/]*_test\.(?:py|go|rb|exs)|[^/]*Test\.(?:java|kt|cs)|[^/]*_spec\.rb|[^/]*\.bats)$/;
