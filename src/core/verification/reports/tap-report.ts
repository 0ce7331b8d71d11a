import {
  isFileLike,
  isHook,
  suiteSeparator,
  unreadable,
  wholeFailure,
  type ReportContent,
  type TestCase,
} from "./test-case.ts";

/**
 * Reads TAP 13 and 14 as node:test, vitest and mocha write it. Subtests stand before their parent (node:test) or in braces after it
 * (vitest). Other lines are ignored, because a runner's standard output has them, too; but every plan must be kept, so a line
 * that only looks like a result makes the report unreadable.
 */
export function readTap(text: string): ReportContent {
  const documents: Point[] = [];
  let document = openDocument();
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (/^TAP version \d+\s*$/.test(line) && document.frames.length === 1 && document.hasPlan) {
      const problem = closeDocument(document);
      if (problem !== null) return unreadable(problem);
      for (const point of document.frames[0]?.points ?? []) documents.push(point);
      document = openDocument();
      continue;
    }
    const end = yamlEnd(lines, index);
    if (end !== null) {
      index = end;
      continue;
    }
    const problem = readLine(document, line, lines[index + 1] ?? "");
    if (problem !== null) return unreadable(problem);
  }
  const problem = closeDocument(document);
  if (problem !== null) return unreadable(problem);
  const points = [...documents, ...(document.frames[0]?.points ?? [])];
  return { isReadable: true, tests: points.flatMap((point) => flatten(point, [])) };
}

type Point = { name: string; status: TestCase["status"]; children: Point[] | null };

/** The points of one level. `owner` is the parent of points in braces, which stand behind it. */
type Frame = { indent: number; points: Point[]; plan: number | null; owner: Point | null };

type Document = { frames: Frame[]; hasPlan: boolean };

/** Deeper than any suite. */
const depthMax = 100;

function openDocument(): Document {
  return { frames: [{ indent: 0, points: [], plan: null, owner: null }], hasPlan: false };
}

/** The last line of a block of YAML that begins here; it may contain anything, also lines like results. */
function yamlEnd(lines: readonly string[], index: number): number | null {
  const indent = /^( +)---\s*$/.exec(lines[index] ?? "")?.[1];
  if (indent === undefined) return null;
  for (let at = index + 1; at < lines.length; at += 1) if (lines[at]?.trimEnd() === `${indent}...`) return at;
  return lines.length;
}

/** What is wrong with the line, or null. */
function readLine(document: Document, line: string, next: string): string | null {
  const indent = line.length - line.trimStart().length;
  const words = line.trim();
  if (words === "}" && document.frames.some(({ owner }) => owner !== null)) return closeBraces(document);
  if (words.startsWith("Bail out!")) {
    document.frames.at(-1)?.points.push({ name: "Bail out!", status: "failed", children: [] });
    return null;
  }
  const plan = /^1\.\.(\d{1,9})(?:$|\s*#)/.exec(words)?.[1];
  const point = plan === undefined ? readPoint(words) : null;
  if (plan === undefined && point === null) return null;
  const children = enterLevel(document, indent);
  const frame = document.frames.at(-1);
  if (children === "wrong" || frame === undefined || frame.indent !== indent) return "is nested in a wrong way";
  if (plan !== undefined) return setPlan(document, frame, { count: Number(plan), children });
  if (point === null) return null;
  point.children = children;
  frame.points.push(point);
  if (!words.endsWith("{") || !isDeeperPlan(next, indent)) return null;
  point.name = point.name.replace(/\s*\{$/, "");
  const inner = next.length - next.trimStart().length;
  document.frames.push({ indent: inner, points: [], plan: null, owner: point });
  return document.frames.length > depthMax ? "is nested too deeply" : null;
}

function isDeeperPlan(line: string, indent: number): boolean {
  return line.length - line.trimStart().length > indent && /^\s+1\.\.\d/.test(line);
}

function setPlan(document: Document, frame: Frame, plan: { count: number; children: Point[] | null }): string | null {
  if (plan.children !== null) return "has subtests without a parent";
  if (frame.plan !== null) return "has two plans";
  frame.plan = plan.count;
  if (document.frames.length === 1) document.hasPlan = true;
  return null;
}

/** Opens the level of this indent, or closes deeper ones; gives the points of the level that was closed. */
function enterLevel(document: Document, indent: number): Point[] | null | "wrong" {
  const top = document.frames.at(-1);
  if (top === undefined) return "wrong";
  if (indent > top.indent) {
    document.frames.push({ indent, points: [], plan: null, owner: null });
    return document.frames.length > depthMax ? "wrong" : null;
  }
  let children: Point[] | null = null;
  while ((document.frames.at(-1)?.indent ?? 0) > indent) {
    const closed = document.frames.pop();
    if (closed === undefined || closed.owner !== null || children !== null || !isKept(closed)) return "wrong";
    children = closed.points;
  }
  return children;
}

function closeBraces(document: Document): string | null {
  const closed = document.frames.pop();
  if (closed === undefined || closed.owner === null || !isKept(closed)) return "is nested in a wrong way";
  closed.owner.children = closed.points;
  return null;
}

function isKept({ plan, points }: Frame): boolean {
  return plan === null || plan === points.filter(({ name }) => name !== "Bail out!").length;
}

function closeDocument({ frames }: Document): string | null {
  const root = frames[0];
  if (root === undefined || frames.length > 1 || root.plan === null) return "ends too early";
  return isKept(root) ? null : `plans ${root.plan} tests and lists ${root.points.length}`;
}

/** A result always has a number: runners write it, and programs that print "ok" do not. */
function readPoint(words: string): Point | null {
  const match = /^(not )?ok (\d{1,9})(?: (?:- )?(.*))?$/.exec(words);
  if (match === null) return null;
  const { name, directive } = splitDirective(match[3] ?? "");
  const isOk = match[1] === undefined;
  return { name, status: statusOf(isOk, directive), children: null };
}

/** A test that is still to do may fail. One that is skipped may not: nothing of it ran. */
function statusOf(isOk: boolean, directive: string): TestCase["status"] {
  if (/^todo\b/i.test(directive)) return "skipped";
  if (!isOk) return "failed";
  return /^skip/i.test(directive) ? "skipped" : "passed";
}

/** The last `#` that is not escaped begins the directive; vitest writes the time there. */
function splitDirective(words: string): { name: string; directive: string } {
  const at = words.lastIndexOf(" # ");
  const isDirective = at !== -1 && words[at - 1] !== "\\" && /^(?:skip|todo|time=)/i.test(words.slice(at + 3));
  const bare = /^(?:(.*) )?# ?(skip|todo)$/i.exec(words);
  if (isDirective) return { name: unescape(words.slice(0, at)), directive: words.slice(at + 3) };
  return { name: unescape(bare === null ? words : (bare[1] ?? "")), directive: bare?.[2] ?? "" };
}

function unescape(name: string): string {
  return name.replaceAll(/\\([\\#])/g, "$1");
}

function flatten(point: Point, path: readonly string[]): TestCase[] {
  const [first] = path;
  const file = first !== undefined && isFileLike(first) ? first : null;
  const suite = path.slice(file === null ? 0 : 1).join(suiteSeparator);
  const place = { file, suite, name: point.name };
  if (point.children === null) return [leafOf(point, place)];
  if (point.name === "Bail out!") return [wholeFailure(place)];
  const tests = point.children.flatMap((child) => flatten(child, [...path, point.name]));
  // A parent can fail by itself, in its own lines or in a hook.
  const isOwn = point.status === "failed" && !tests.some(({ status }) => status === "failed");
  return isOwn ? [...tests, wholeFailure(place)] : tests;
}

/** A file that cannot be loaded is a point with the file's name; vitest can write the file before each name. */
function leafOf(point: Point, place: Pick<TestCase, "file" | "suite" | "name">): TestCase {
  const [first = "", ...rest] = point.name.split(suiteSeparator);
  const isFile = place.file === null && place.suite === "" && isFileLike(first) && !/\s/.test(first);
  if (isFile && rest.length > 0)
    return { ...place, file: first, name: rest.join(suiteSeparator), status: point.status };
  if (point.status === "failed" && isFile) return wholeFailure({ ...place, file: point.name });
  if (point.status === "failed" && isHook(point.name)) return wholeFailure(place);
  return { ...place, status: point.status };
}
