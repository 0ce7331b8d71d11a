import { isObject } from "../../core/text/is-object.ts";
/** A path of keys to a member of nested objects. */
export type KeyPath = readonly [string, ...string[]];

/**
 * Sets a member in the text of a JSON object and leaves every other byte as it is: order, indent and line ends. Objects
 * on the way are made. Null: the text is no JSON object, or something on the way is not one.
 */
export function setMember(text: string, path: KeyPath, value: unknown): string | null {
  const root = readRoot(text);
  if (root === null) return null;
  let node = root;
  for (const [level, key] of path.entries()) {
    const member = node.members.findLast((each) => each.key === key);
    const rest = path.slice(level + 1);
    if (member === undefined) return insert(text, { node, key, level, value: wrap(rest, value) });
    if (rest.length === 0) return replace(text, member, { level, value });
    if (text[member.valueStart] !== "{") return null;
    node = readObject(text, member.valueStart);
  }
  return null;
}

/** Removes a member from the text of a JSON object; the inverse of `setMember`. Null: it is not there. */
export function removeMember(text: string, path: KeyPath): string | null {
  const root = readRoot(text);
  if (root === null) return null;
  let node = root;
  for (const [level, key] of path.entries()) {
    const index = node.members.findLastIndex((each) => each.key === key);
    const member = node.members[index];
    if (member === undefined) return null;
    if (level === path.length - 1) return cut(text, node, index);
    if (text[member.valueStart] !== "{") return null;
    node = readObject(text, member.valueStart);
  }
  return null;
}

/** The value of a member; undefined when it is not there or the text is no JSON. */
export function readMember(text: string, path: KeyPath): unknown {
  let value = parse(text);
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value;
}

/** Whether a text is a JSON object: only such a file can be edited. */
export function isJsonObject(text: string): boolean {
  return isObject(parse(text));
}

type Member = { key: string; start: number; valueStart: number; end: number };
type Node = { start: number; end: number; members: Member[] };

function readRoot(text: string): Node | null {
  return isJsonObject(text) ? readObject(text, text.indexOf("{")) : null;
}

/** Reads the object that begins at `start`. The text is known to be JSON, so nothing here can be missing. */
function readObject(text: string, start: number): Node {
  const members: Member[] = [];
  let at = skipBlank(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    const key = String(JSON.parse(text.slice(at, keyEnd)));
    const valueStart = skipBlank(text, skipBlank(text, keyEnd) + 1);
    const end = skipValue(text, valueStart);
    members.push({ key, start: at, valueStart, end });
    at = skipBlank(text, end);
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return { start, end: at + 1, members };
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') at = skipString(text, at);
    else if (depth === 0 && /[\s,}\]]/.test(character)) return at;
    else {
      depth += depthOf(character);
      at += 1;
    }
    if (depth === 0 && /["}\]]/.test(character)) return at;
  }
  return at;
}

function depthOf(character: string): number {
  if (character === "{" || character === "[") return 1;
  return character === "}" || character === "]" ? -1 : 0;
}

function wrap(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
}

function insert(
  text: string,
  { node, key, level, value }: { node: Node; key: string; level: number; value: unknown },
): string {
  const last = node.members.at(-1);
  const { unit, lineEnd } = styleOf(text);
  if (last === undefined) {
    const indent = unit.repeat(level + 1);
    const inside = `${lineEnd}${indent}${written(text, { key, value, indent })}${lineEnd}${unit.repeat(level)}`;
    return `${text.slice(0, node.start + 1)}${inside}${text.slice(node.end - 1)}`;
  }
  const before = /\n([ \t]*)$/.exec(text.slice(node.start, last.start));
  const separator = before === null ? ", " : `,${lineEnd}${before[1] ?? ""}`;
  const indent = before === null ? null : (before[1] ?? "");
  return `${text.slice(0, last.end)}${separator}${written(text, { key, value, indent })}${text.slice(last.end)}`;
}

function replace(text: string, member: Member, { level, value }: { level: number; value: unknown }): string {
  const { unit } = styleOf(text);
  const shown = valueText(text, value, text.includes("\n") ? unit.repeat(level + 1) : null);
  return `${text.slice(0, member.valueStart)}${shown}${text.slice(member.end)}`;
}

function cut(text: string, { start, end, members }: Node, index: number): string {
  const [before, member, after] = [members[index - 1], members[index], members[index + 1]];
  if (member === undefined) return text;
  if (after !== undefined) return text.slice(0, member.start) + text.slice(after.start);
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end);
  return text.slice(0, start + 1) + text.slice(end - 1);
}

/** `indent` is that of the member's own line; null: everything stands on one line. */
function written(text: string, given: { key: string; value: unknown; indent: string | null }): string {
  return `${JSON.stringify(given.key)}: ${valueText(text, given.value, given.indent)}`;
}

function valueText(text: string, value: unknown, indent: string | null): string {
  if (indent === null) return JSON.stringify(value);
  const { unit, lineEnd } = styleOf(text);
  return JSON.stringify(value, null, unit).replaceAll("\n", `${lineEnd}${indent}`);
}

function styleOf(text: string): { unit: string; lineEnd: string } {
  return { unit: /\n([ \t]+)"/.exec(text)?.[1] ?? "  ", lineEnd: text.includes("\r\n") ? "\r\n" : "\n" };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
