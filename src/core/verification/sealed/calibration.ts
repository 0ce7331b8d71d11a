import { findCountedGroups } from "../inventory/counted-groups.ts";
import { nameOfTest } from "../inventory/inventory-texts.ts";
import { numberTests } from "../inventory/number-tests.ts";
import type { TestCase } from "../reports/test-case.ts";
import { slowCheckMs } from "./sealed-steps.ts";

/** How a check ended in one place. */
export type CalibratedEnd = {
  exitCode: number;
  isTimedOut: boolean;
  output: string;
  /** Null without a report. */
  tests: readonly TestCase[] | null;
  durationMs: number;
};

/** Keys of the settings that mend a sealed check which is red where the tree is green. */
export type CalibrationProposal = {
  include: string[];
  writable: string[];
  network: "host" | null;
  /** Single ports of this machine that the check asked for. */
  services: string[];
  /** Files are missing that a build makes: a command has to make them in the copy. */
  needsSetup: boolean;
};

/** Whether a check says the same in a sealed copy of the base as in the tree. */
export type Calibration = { isSame: boolean; differences: string[]; proposal: CalibrationProposal };

/** What is compared. */
export type CalibrationOptions = {
  tree: CalibratedEnd;
  sealed: CalibratedEnd;
  /** The tests of further runs in the copy; absent: there were none. */
  again?: readonly (readonly TestCase[])[];
  /** The folder of the copy, as it stands in output. */
  copy: string;
  /** What the project has at a path that the base has not: a file, or something in a folder that builds fill. */
  leftBehind: (path: string) => "file" | "built" | null;
};

/** Names in a difference; the rest is counted. */
const namesMax = 10;
const pathsMax = 20;

/** Compares a check in the tree with the same check in a sealed copy of the base. */
export function compareCalibration({ tree, sealed, again = [], copy, leftBehind }: CalibrationOptions): Calibration {
  const ofTests = testDifferences(tree.tests, sealed.tests, again);
  // Tests that are red by chance make the exit code differ by chance.
  const isByChance = ofTests.length === 0 && testDifferences(tree.tests, sealed.tests, []).length > 0;
  const differences = [...(isByChance ? [] : exitDifference(tree, sealed)), ...ofTests];
  const empty: CalibrationProposal = { include: [], writable: [], network: null, services: [], needsSetup: false };
  if (differences.length === 0) return { isSame: true, differences, proposal: empty };
  return { isSame: false, differences, proposal: propose(sealed.output, copy, leftBehind) };
}

/**
 * Folders that checks of the base make beside files of the base, and that it has not: where nothing else is in the way. A path with an
 * ending is taken for a file, and somebody has to say that it may be written.
 */
export function foldersToFill(found: readonly Calibration[], files: readonly string[]): string[] {
  const wrong = found.filter(({ isSame }) => !isSame).map(({ proposal }) => proposal);
  const isElse = wrong.some(
    ({ include, network, writable }) => include.length > 0 || network !== null || writable.length === 0,
  );
  const paths = [...new Set(wrong.flatMap(({ writable }) => writable))];
  const isNew = (path: string): boolean => !files.some((file) => file === path || file.startsWith(`${path}/`));
  const isFolder = (path: string): boolean => path.includes("/") && !(path.split("/").at(-1) ?? "").includes(".");
  return isElse || !paths.every((path) => isNew(path) && isFolder(path)) ? [] : paths;
}

function exitDifference(tree: CalibratedEnd, sealed: CalibratedEnd): string[] {
  const word = ({ exitCode, isTimedOut }: CalibratedEnd): string =>
    isTimedOut ? "no end in time" : `exit code ${exitCode}`;
  return word(tree) === word(sealed) ? [] : [`${word(sealed)} in a sealed copy, ${word(tree)} in the tree`];
}

/**
 * Whether the check runs again in the copy: where named tests differ, further runs tell what differs from run to run, and where one is
 * red, whether it is so every time. One that takes minutes runs once.
 */
export function isRunAgain({ tree, sealed }: Pick<CalibrationOptions, "tree" | "sealed">): boolean {
  if (tree.tests === null || sealed.tests === null) return false;
  if (testDifferences(tree.tests, sealed.tests, []).length > 0) return true;
  return sealed.durationMs <= slowCheckMs && sealed.tests.some(({ status }) => status === "failed");
}

/** A test that differs between runs in the copy does not tell the two places apart, nor do names that vary. */
function testDifferences(
  tree: CalibratedEnd["tests"],
  sealed: CalibratedEnd["tests"],
  again: readonly (readonly TestCase[])[],
): string[] {
  if (tree === null || sealed === null) return tree === sealed ? [] : ["a report in one of the two places only"];
  const runs = [sealed, ...again];
  const varying = new Set(findCountedGroups(runs).map(({ group }) => group));
  const [own, ...copied] = [tree, ...runs].map(byId);
  const tests = [...new Map([tree, ...runs].flatMap((each) => [...byId(each)]))].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const wordsOf = (id: string): Set<string> => new Set(copied.map((run) => run.get(id)?.status ?? "missing"));
  const found = tests.flatMap(([id, test]) => {
    const [word, ...others] = wordsOf(id);
    const here = own?.get(id)?.status ?? "missing";
    if (word === undefined || word === here || others.length > 0 || varying.has(test.file ?? test.suite)) return [];
    return [`${nameOfTest(test)}: ${word} in a sealed copy, ${here} in the tree`];
  });
  return found.length > namesMax ? [...found.slice(0, namesMax), `and ${found.length - namesMax} more tests`] : found;
}

function byId(tests: readonly TestCase[]): Map<string, TestCase> {
  return new Map(numberTests(tests).map((test) => [test.id, test]));
}

function propose(output: string, copy: string, leftBehind: CalibrationOptions["leftBehind"]): CalibrationProposal {
  const inside = (found: readonly string[]): string[] => [
    ...new Set(found.map((path) => fromTop(path, copy)).filter((path) => path !== null)),
  ];
  const writable = inside(pathsBy(output, readOnlyMessages)).slice(0, pathsMax);
  const missing = inside(pathsBy(output, missingMessages)).map((path) => ({ path, kind: leftBehind(path) }));
  const ports = [...output.matchAll(/ECONNREFUSED (?:127\.0\.0\.1|::1|localhost):(\d+)/g)].map(
    (match) => match[1] ?? "",
  );
  return {
    writable,
    include: missing
      .filter(({ kind }) => kind === "file")
      .map(({ path }) => path)
      .slice(0, pathsMax),
    needsSetup: missing.some(({ kind }) => kind === "built"),
    services: [...new Set(ports)].map((port) => `127.0.0.1:${port}`),
    network: networkMessages.test(output) ? "host" : null,
  };
}

/** What systems, shells, Node and Python say of a file system that cannot be written. */
const readOnlyMessages: readonly RegExp[] = [
  /EROFS: [^\n]*? '([^'\n]+)'/g,
  // What Node says when it makes a folder with those above it.
  /ENOENT: no such file or directory, mkdir '([^'\n]+)'/g,
  /Read-only file system: '([^'\n]+)'/g,
  /cannot (?:create|touch|remove|open)(?: directory| regular file)? ['"‘]?([^\s'"’:]+)['"’]?: Read-only file system/g,
  /open ([^\s:]+): read-only file system/g,
  /([^\s:'"]+): Read-only file system/g,
];

/** The same of a file that is not there, and of a module. */
const missingMessages: readonly RegExp[] = [
  /ENOENT: [^\n]*? '([^'\n]+)'/g,
  /No such file or directory: '([^'\n]+)'/g,
  /open ([^\s:]+): no such file or directory/g,
  /([^\s:'"]+): No such file or directory/g,
  /Cannot find module '([./][^'\n]*)'/g,
  /Failed to (?:load|resolve)[^\n"']*["']([^"'\n]+)["']/g,
];

const networkMessages =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Could not resolve host|Temporary failure in name resolution|Network is unreachable/;

function pathsBy(output: string, messages: readonly RegExp[]): string[] {
  return messages.flatMap((message) => [...output.matchAll(message)].map((match) => match[1] ?? ""));
}

/** A path of the copy from its top; null for one that is elsewhere. */
function fromTop(path: string, copy: string): string | null {
  const isAbsolute = path.startsWith("/");
  if (isAbsolute && !path.startsWith(`${copy}/`)) return null;
  const names = (isAbsolute ? path.slice(copy.length + 1) : path)
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  return names.length === 0 || names.includes("..") ? null : names.join("/");
}
