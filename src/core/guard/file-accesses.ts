import { isObject } from "../text/is-object.ts";
import type { Access } from "./judge-path.ts";

/** A file that a tool would use. */
export type FileAccess = { path: string; access: Access };

/**
 * The files that a tool nobody listed would use: its name, or the action it is asked for, says what it does, and the names
 * of its fields say what is a path. At any depth, since tools of others wrap their arguments.
 */
export function fileAccessesIn(tool: string, input: unknown): FileAccess[] {
  const does = deedOf(tool, input);
  if (does === null) return [];
  return pathsIn(input, 0).flatMap(({ field, path }): FileAccess[] => {
    const isSource = /^(?:source|src|from|old)/i.test(field);
    if (does === "read") return [{ path, access: "read" }];
    if (!isSource) return [{ path, access: "write" }];
    const taken: FileAccess = { path, access: "read" };
    return does === "copy" ? [taken] : [taken, { path, access: "write" }];
  });
}

/** The texts that a call writes, by the names of its fields. */
export function writtenTexts(input: unknown, depth = 0): string[] {
  return fieldsOf(input, depth).flatMap(({ field, value }) => {
    if (typeof value === "string") return textFields.test(field) ? [value.slice(0, textCharsMax)] : [];
    return writtenTexts(value, depth + 1);
  });
}

type Deed = "read" | "copy" | "write";

/** An action such as `{ command: "view" }` counts more than the name of the tool that offers it. */
function deedOf(tool: string, input: unknown): Deed | null {
  const asked = isObject(input) ? ["command", "action", "operation", "mode", "op"].map((field) => input[field]) : [];
  const names = [...asked.filter((value) => typeof value === "string"), tool.split("__").at(-1) ?? tool];
  const found = names.map((name) => deedNamed(name)).find((deed) => deed !== null);
  return found ?? (writtenTexts(input).length > 0 ? "write" : null);
}

function deedNamed(name: string): Deed | null {
  const words = name
    .slice(0, nameCharsMax)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase()
    .split(/[^a-z]+/);
  if (words.some((word) => /^(?:copy|cp|duplicate|clone)$/.test(word))) return "copy";
  if (words.some((word) => writing.test(word))) return "write";
  return words.some((word) => reading.test(word)) ? "read" : null;
}

function pathsIn(input: unknown, depth: number): { field: string; path: string }[] {
  return fieldsOf(input, depth).flatMap(({ field, value }) => {
    if (typeof value !== "string") return pathsIn(value, depth + 1);
    const path = value.replace(/^file:\/\/(?:localhost)?(?=\/)/i, "");
    const isPath = pathFields.test(field) && path !== "" && path.length <= pathCharsMax && !/^\w+:\/\//.test(path);
    return isPath ? [{ field, path }] : [];
  });
}

/** The fields of an object; those of a list have the name that the list has. */
function fieldsOf(input: unknown, depth: number): { field: string; value: unknown }[] {
  if (depth > depthMax) return [];
  const entries = Array.isArray(input) ? input.map((value): [string, unknown] => ["", value]) : entriesOf(input);
  return entries.slice(0, fieldsMax).flatMap(([field, value]) => {
    if (!Array.isArray(value)) return [{ field, value }];
    return value.slice(0, fieldsMax).map((each: unknown) => ({ field, value: each }));
  });
}

function entriesOf(input: unknown): [string, unknown][] {
  return isObject(input) ? Object.entries(input) : [];
}

const writing =
  /^(?:write|edit|multiedit|create|save|append|prepend|move|mv|rename|delete|del|remove|rm|unlink|patch|replace|insert|update|upsert|overwrite|modify|change|touch|truncate|mkdir|symlink|link|extract|unzip|download|export|store|chmod|add|set|put|dump)$/;
const reading =
  /^(?:read|get|cat|view|open|load|show|print|head|tail|fetch|search|grep|contents?|upload|import|attach|parse)$/;
const pathFields =
  /^(?:(?:\w*[_-])?(?:path|file|file_?name|file_?path|dest|destination|target|source|src|uri|location)s?|\w*(?:Path|File|Filename|FileName|Uri|Destination|Target|Source)s?|from|to|url)$/;
const textFields =
  /^(?:contents?|text|data|body|file_?text|insert_?text|new_?(?:str|string|text|contents?|source)|replacement|patch(?:_?text)?|diff)$/i;
/** Tools wrap their arguments a few times at most, and have few of them. */
const depthMax = 4;
const fieldsMax = 200;
const nameCharsMax = 200;
/** Linux takes no longer path. */
const pathCharsMax = 4096;
/** Settings files are short. */
const textCharsMax = 1024 * 1024;
