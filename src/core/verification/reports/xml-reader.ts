/** What an XML text contains, in order. Text between tags is not reported: no verdict depends on it. */
export type XmlEvent =
  | { kind: "open"; name: string; attributes: ReadonlyMap<string, string> }
  | { kind: "close"; name: string }
  | { kind: "fault"; problem: string };

/** Deeper than any report; a suite in a suite is one level. */
const depthMax = 200;

/**
 * Reads XML step by step, in time that grows with its length. It knows no document type and no entities but the five of XML, so
 * nothing expands and nothing outside is read. A fault is the last event.
 */
export function* readXml(text: string): Generator<XmlEvent, void, undefined> {
  const open: string[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let hasRoot = false;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const end = next === -1 ? text.length : next;
    if (open.length === 0 && text.slice(at, end).trim() !== "") return yield fault("has text outside of its elements");
    if (next === -1) break;
    const mark = skipMark(text, next);
    if (typeof mark === "string") return yield fault(mark);
    if (mark !== null) {
      at = mark;
      continue;
    }
    const tag = readTag(text, next);
    if (typeof tag === "string") return yield fault(tag);
    at = tag.end;
    if (tag.isClosing) {
      if (open.pop() !== tag.name) return yield fault(`closes <${tag.name}> where it is not open`);
      yield { kind: "close", name: tag.name };
      continue;
    }
    if (open.length === 0 && hasRoot) return yield fault("has more than one root element");
    if (open.length >= depthMax) return yield fault(`is nested more than ${depthMax} deep`);
    hasRoot = true;
    yield { kind: "open", name: tag.name, attributes: tag.attributes };
    if (tag.isEmpty) yield { kind: "close", name: tag.name };
    else open.push(tag.name);
  }
  if (open.length > 0 || !hasRoot) yield fault("ends too early");
}

function fault(problem: string): XmlEvent {
  return { kind: "fault", problem };
}

/** The position after a comment, an instruction or a block of plain text; null for a tag, a text for a fault. */
function skipMark(text: string, at: number): number | string | null {
  const marks = [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
  ] as const;
  const mark = marks.find(([begin]) => text.startsWith(begin, at));
  if (mark === undefined) return text.startsWith("<!", at) ? "declares a document type" : null;
  const end = text.indexOf(mark[1], at + mark[0].length);
  return end === -1 ? "ends too early" : end + mark[1].length;
}

type Tag = { name: string; attributes: Map<string, string>; isClosing: boolean; isEmpty: boolean; end: number };

const namePattern = /[^\s<>/="'&!?\d.-][^\s<>/="'&]*/y;
const spacePattern = /[ \t\r\n]+/y;

function readTag(text: string, at: number): Tag | string {
  const isClosing = text[at + 1] === "/";
  let place = at + (isClosing ? 2 : 1);
  const name = take(namePattern, text, place);
  if (name === "") return "has a tag without a name";
  place += name.length;
  const attributes = new Map<string, string>();
  for (;;) {
    const space = take(spacePattern, text, place);
    place += space.length;
    if (text[place] === ">") return { name, attributes, isClosing, isEmpty: false, end: place + 1 };
    if (text.startsWith("/>", place) && !isClosing)
      return { name, attributes, isClosing, isEmpty: true, end: place + 2 };
    const key = space === "" || isClosing ? "" : take(namePattern, text, place);
    if (key === "") return place >= text.length ? "ends too early" : `has a broken <${name}>`;
    const attribute = readAttribute(text, place + key.length);
    if (typeof attribute === "string") return attribute;
    if (attributes.has(key)) return `has a <${name}> with two values of ${key}`;
    attributes.set(key, attribute.value);
    place = attribute.end;
  }
}

const equalsPattern = /[ \t\r\n]*=[ \t\r\n]*/y;

function readAttribute(text: string, at: number): { value: string; end: number } | string {
  const begin = at + take(equalsPattern, text, at).length;
  const quote = text[begin];
  if (begin === at || (quote !== '"' && quote !== "'")) return "has an attribute without a value";
  const end = text.indexOf(quote, begin + 1);
  if (end === -1) return "ends too early";
  const value = decode(text.slice(begin + 1, end));
  return value === null ? "has a value that is not XML" : { value, end: end + 1 };
}

function take(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Null: it contains what no value may contain. */
function decode(value: string): string | null {
  if (value.includes("<")) return null;
  if (!value.includes("&")) return value;
  let isWrong = false;
  const decoded = value.replaceAll(/&([^;&]{0,10};)?/g, (_, body: string | undefined) => {
    const letter = decodeEntity(body?.slice(0, -1) ?? "");
    if (letter === null) isWrong = true;
    return letter ?? "";
  });
  return isWrong ? null : decoded;
}

function decodeEntity(body: string): string | null {
  if (Object.hasOwn(entities, body)) return entities[body] ?? null;
  const match = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(body);
  if (match === null) return null;
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}
