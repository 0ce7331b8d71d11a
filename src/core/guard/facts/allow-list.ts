import { isObject } from "../../text/is-object.ts";
import { categoryNames, type Category, type Finding } from "./judgement.ts";

/** What a project lets pass: a command by its first words, or a category, for all or below one path. */
export type AllowRule =
  | { type: "command"; words: readonly string[] }
  | { type: "category"; category: Category; path: string | null };

/** The valid rules of an allow list, and the problems of the others. */
export type AllowList = { rules: readonly AllowRule[]; problems: readonly string[] };

/** The file of the project that holds its allow list, from the work tree's root. */
export const allowListPath = ".ralph/guard-allow.json";

/** Parses an allow list. An invalid rule allows nothing and is reported. */
export function readAllowList(text: string): AllowList {
  const parsed = parseJson(text);
  if (parsed === null) return { rules: [], problems: [`${allowListPath} is not JSON`] };
  const list = isObject(parsed.value) ? parsed.value["allow"] : undefined;
  if (!Array.isArray(list)) return { rules: [], problems: [`${allowListPath} has no list "allow"`] };
  if (list.length > rulesMax) return { rules: [], problems: [`${allowListPath} has more than ${rulesMax} rules`] };
  const read = list.map((entry: unknown, index) => readRule(entry, index + 1));
  return {
    rules: read.filter((rule) => typeof rule !== "string"),
    problems: read.filter((rule) => typeof rule === "string"),
  };
}

/** Whether a rule of the project allows a finding. No rule opens what protects the guard itself. */
export function isAllowedByRule(finding: Finding, rules: readonly AllowRule[]): boolean {
  if (finding.category === null || finding.isFinal === true) return false;
  return rules.some((rule) => {
    if (rule.type === "command") return rule.words.every((word, index) => finding.subject[index] === word);
    if (rule.category !== finding.category) return false;
    return rule.path === null || isAtOrBelow(finding.path, rule.path);
  });
}

function isAtOrBelow(path: string | undefined, folder: string): boolean {
  return path !== undefined && (path === folder || path.startsWith(`${folder}/`));
}

function readRule(entry: unknown, number: number): AllowRule | string {
  const where = `${allowListPath}: rule ${number}`;
  if (!isObject(entry)) return `${where} is not an object`;
  const unknown = Object.keys(entry).find((key) => !["command", "category", "path", "why"].includes(key));
  if (unknown !== undefined) return `${where} has "${unknown}"; known are command, category, path, why`;
  const { command, category, path } = entry;
  if (command !== undefined) {
    if (category !== undefined || path !== undefined) return `${where} has a command and a category; use one`;
    const words = typeof command === "string" ? command.trim().split(/\s+/) : command;
    if (!isWords(words)) return `${where}: command is not a list of words`;
    return { type: "command", words };
  }
  if (!isCategory(category)) return `${where}: category ${JSON.stringify(category)} is not a number from 1 to 18`;
  if (path === undefined) return { type: "category", category, path: null };
  if (typeof path !== "string" || path.trim() === "" || path.includes("..")) {
    return `${where}: path ${JSON.stringify(path)} is not a plain path`;
  }
  return { type: "category", category, path: path.length > 1 ? path.replace(/\/+$/, "") : path };
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string" && word !== "");
}

function isCategory(value: unknown): value is Category {
  return typeof value === "number" && Object.hasOwn(categoryNames, String(value));
}

function parseJson(text: string): { value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return null;
  }
}

/** A longer list is not a list of exceptions. */
const rulesMax = 200;
