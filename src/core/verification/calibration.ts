/** How a check ended in one place. */
export type CalibratedEnd = {
  exitCode: number;
  isTimedOut: boolean;
  output: string;
  /** The status of each test by its name; null without a report. */
  tests: ReadonlyMap<string, string> | null;
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
  /** The folder of the copy, as it stands in output. */
  copy: string;
  /** What the project has at a path that the base has not: a file, or something in a folder that builds fill. */
  leftBehind: (path: string) => "file" | "built" | null;
};

/** Names in a difference; the rest is counted. */
const namesMax = 10;
const pathsMax = 20;

/** Compares a check in the tree with the same check in a sealed copy of the base. */
export function compareCalibration({ tree, sealed, copy, leftBehind }: CalibrationOptions): Calibration {
  const differences = [...exitDifference(tree, sealed), ...testDifferences(tree.tests, sealed.tests)];
  const empty: CalibrationProposal = { include: [], writable: [], network: null, services: [], needsSetup: false };
  if (differences.length === 0) return { isSame: true, differences, proposal: empty };
  return { isSame: false, differences, proposal: propose(sealed.output, copy, leftBehind) };
}

function exitDifference(tree: CalibratedEnd, sealed: CalibratedEnd): string[] {
  const word = ({ exitCode, isTimedOut }: CalibratedEnd): string =>
    isTimedOut ? "no end in time" : `exit code ${exitCode}`;
  return word(tree) === word(sealed) ? [] : [`${word(sealed)} in a sealed copy, ${word(tree)} in the tree`];
}

function testDifferences(tree: CalibratedEnd["tests"], sealed: CalibratedEnd["tests"]): string[] {
  if (tree === null || sealed === null) return tree === sealed ? [] : ["a report in one of the two places only"];
  const names = new Set([...tree.keys(), ...sealed.keys()]);
  const found = [...names].filter((name) => tree.get(name) !== sealed.get(name));
  const said = found.slice(0, namesMax).map((name) => {
    return `${name}: ${sealed.get(name) ?? "missing"} in a sealed copy, ${tree.get(name) ?? "missing"} in the tree`;
  });
  return found.length > namesMax ? [...said, `and ${found.length - namesMax} more tests`] : said;
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
