import { type Node, parseTree } from "jsonc-parser";
import { isObject } from "../../core/text/is-object.ts";
/** A path of keys to a member of nested objects. */
export type KeyPath = readonly [string, ...string[]];

/**
 * Sets a member in the text of a JSON object and leaves every other byte as it is: order, indent and line ends. Objects
 * on the way are made. Null: the text, or a value on the path, is not a JSON object.
 */
export function setMember(text: string, path: KeyPath, value: unknown): string | null {
  const root = readRoot(text);
  if (root === null) return null;
  let node = root;
  for (const [level, key] of path.entries()) {
    const index = node.members.findLastIndex((each) => each.key === key);
    const [member, inner] = [node.members[index], node.values[index]];
    const rest = path.slice(level + 1);
    if (member === undefined || inner === undefined)
      return insert(text, { node, key, level, value: wrap(rest, value) });
    if (rest.length === 0) return replace(text, member, { level, value });
    if (inner.type !== "object") return null;
    node = placeOf(inner);
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
    const inner = node.values[index];
    if (inner === undefined) return null;
    if (level === path.length - 1) return cut(text, node, index);
    if (inner.type !== "object") return null;
    node = placeOf(inner);
  }
  return null;
}

/** The value of a member; undefined when it is missing or the text is not JSON. */
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
type ObjectRange = { start: number; end: number; members: Member[]; values: Node[] };

function readRoot(text: string): ObjectRange | null {
  // Comments make a text that others must not parse as JSON.
  const root = isJsonObject(text) ? parseTree(text, [], { disallowComments: true }) : undefined;
  return root === undefined ? null : placeOf(root);
}

/** Where an object and its members stand. The text is known to be JSON, so nothing here can be missing. */
function placeOf({ offset, length, children = [] }: Node): ObjectRange {
  const values: Node[] = [];
  const members = children.flatMap((property): Member[] => {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) return [];
    values.push(value);
    const end = value.offset + value.length;
    return [{ key: String(key.value), start: property.offset, valueStart: value.offset, end }];
  });
  return { start: offset, end: offset + length, members, values };
}

function wrap(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
}

function insert(
  text: string,
  { node, key, level, value }: { node: ObjectRange; key: string; level: number; value: unknown },
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

function cut(text: string, { start, end, members }: ObjectRange, index: number): string {
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
