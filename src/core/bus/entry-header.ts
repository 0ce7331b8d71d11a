import { isObject } from "../text/is-object.ts";
import { type BusMessage, messageFields, type MessageLink, type MessageParent } from "./message.ts";

/** How the body stands in the file: its bytes there, their checksum, and whether its `---` lines were escaped. */
export type BodyMark = { bytes: number; crc32: number; isEscaped: boolean };

/** A header as read. `body` is null in entries of other writers, who end a body at the next entry. */
export type EntryHeader = { message: Omit<BusMessage, "body">; body: BodyMark | null };

/**
 * The header's lines. Every value but plain words is JSON, which is YAML too. The length of the body stands before
 * whatever an entry must have and the checksum at the very end, so that a header cut anywhere is known as cut.
 */
export function renderHeader(message: BusMessage, body: BodyMark): string {
  const { msg_id, body: _, ...fields } = messageFields(message);
  const lines = [
    `msg_id: ${renderValue(msg_id)}`,
    `body_bytes: ${body.bytes}`,
    ...(body.isEscaped ? ["body_escaped: true"] : []),
    ...Object.entries(fields).map(([name, value]) =>
      name === "ts" ? `ts: ${message.at}` : `${name}: ${renderValue(value)}`,
    ),
    `body_crc32: "${body.crc32.toString(16).padStart(8, "0")}"`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Reads a header; null when it is broken or lacks what every entry has. `parseYaml` may throw. */
export function parseHeader(text: string, parseYaml: (text: string) => unknown): EntryHeader | null {
  const fields = readFields(text, parseYaml);
  if (fields === null) return null;
  const body = readBodyMark(fields);
  const id = readText(fields["msg_id"]);
  const type = readText(fields["type"]);
  const projectId = readText(fields["project_id"]);
  if (body === "broken" || id === null || type === null || projectId === null) return null;
  const message = {
    id,
    at: readText(fields["ts"]) ?? "",
    type,
    projectId,
    taskId: readText(fields["task_id"]),
    runId: readText(fields["run_id"]),
    issueId: readText(fields["issue_id"]),
    parents: readList(fields["parents"]).flatMap(readParent),
    links: readList(fields["links"]).flatMap(readLink),
    meta: readMap(fields["meta"]),
  };
  return { message, body };
}

const plainWord = /^[A-Za-z][A-Za-z0-9_./-]*$/;
/** Words YAML 1.1 reads as something else than text. */
const typedWord = /^(?:true|false|yes|no|on|off|y|n|null)$/i;
/** Valid in a JSON text, but a line break or forbidden in YAML. */
const unsafeInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function renderValue(value: unknown): string {
  if (typeof value === "string" && plainWord.test(value) && !typedWord.test(value)) return value;
  return JSON.stringify(wellFormed(value)).replaceAll(
    unsafeInYaml,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** Half a surrogate pair has no UTF-8 form. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}

type Fields = Record<string, unknown>;

function readFields(text: string, parseYaml: (text: string) => unknown): Fields | null {
  const own = readOwnFields(text);
  if (own !== null) return own;
  try {
    const value = parseYaml(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Our own headers need no YAML: one JSON value or plain word a line. Null: somebody else wrote it. */
function readOwnFields(text: string): Fields | null {
  const fields: Fields = {};
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, name = "", value = ""] = /^([a-z][a-z0-9_]*): (\S.*)$/.exec(line) ?? [];
    if (name === "" || Object.hasOwn(fields, name)) return null;
    const isPlain = (plainWord.test(value) && !typedWord.test(value)) || (name === "ts" && timestamp.test(value));
    const read = isPlain ? value : parseJson(value);
    if (read === undefined) return null;
    fields[name] = read;
  }
  return fields;
}

const timestamp = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A length without its checksum, or the other way round, is a header that was cut. */
function readBodyMark(fields: Fields): BodyMark | null | "broken" {
  const { body_bytes: bytes, body_crc32: sum } = fields;
  if (bytes === undefined && sum === undefined) return null;
  const isWhole = typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes >= 0;
  if (!isWhole || typeof sum !== "string" || !/^[0-9a-f]{8}$/.test(sum)) return "broken";
  return { bytes, crc32: Number.parseInt(sum, 16), isEscaped: fields["body_escaped"] === true };
}

function readText(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function readList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function readMap(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readWhole(inner)]));
}

/** Unlike ids, a value of `meta` may be empty or blank. */
function readWhole(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value) ?? "";
}

function readParent(value: unknown): MessageParent[] {
  if (typeof value === "string" && value !== "") return [{ messageId: value, kind: null, meta: {} }];
  if (!isObject(value)) return [];
  const messageId = readText(value["msg_id"]);
  return messageId === null ? [] : [{ messageId, kind: readText(value["kind"]), meta: readMap(value["meta"]) }];
}

function readLink(value: unknown): MessageLink[] {
  if (!isObject(value)) return [];
  const url = readText(value["url"]);
  return url === null ? [] : [{ url, label: readText(value["label"]), kind: readText(value["kind"]) }];
}
