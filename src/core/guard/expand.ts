import { marks } from "./facts/marks.ts";
import type { Part, Word } from "./syntax/script.ts";

/** What the expansion of a word needs from its shell. */
export type Surroundings = {
  home: string;
  cwd: string;
  separators: string;
  /** The values of a parameter: one, or for `$@` and arrays several. */
  valueOf: (part: Extract<Part, { type: "parameter" }>) => readonly string[];
  /** What a substituted command writes. */
  outputOf: (part: Extract<Part, { type: "command" | "process" }>) => string;
  /** Walks inner words only for the commands in them. */
  visit: (word: Word) => void;
  /** Reports that the word is too complex to judge. */
  giveUp: (reason: string) => void;
};

/** A word as the fields a program gets, with marks for patterns and unknown values. */
export function expandFields(word: Word, around: Surroundings): string[] {
  const fields: string[] = [];
  let open: string | null = null;
  for (const [index, part] of word.entries()) {
    const values = valuesOf(part, around, index === 0 || isSplitting(word[index - 1]));
    const isSplit = (part.type === "parameter" || part.type === "command") && !part.isQuoted;
    const pieces = isSplit ? values.flatMap((value) => splitValue(value, around.separators)) : [...values];
    const [first, ...rest] = pieces;
    if (first === undefined) continue;
    if (!isSplit || first !== "") open = (open ?? "") + first;
    for (const piece of rest) {
      if (open !== null) fields.push(open);
      open = isSplit && piece === "" ? null : piece;
    }
  }
  if (open !== null) fields.push(open);
  return fields.flatMap((field) => expandGroups(field, around));
}

/** After an unquoted parameter such as `${IFS}` a new word may begin, and with it a `~` of some shells. */
function isSplitting(part: Part | undefined): boolean {
  return part?.type === "parameter" && !part.isQuoted;
}

/** A word as one text: the value of an assignment, a heredoc, the target of a redirect. */
export function expandText(word: Word, around: Surroundings): string {
  const text = word.map((part, index) => valuesOf(part, around, index === 0).join(" ")).join("");
  return text.length > textCharsMax ? marks.unknown : restoreBraces(text);
}

function valuesOf(part: Part, around: Surroundings, isFirst: boolean): readonly string[] {
  switch (part.type) {
    case "text":
      return [part.isQuoted ? part.text : markText(part.text, around, isFirst)];
    case "parameter":
      around.visit(part.argument);
      return around.valueOf(part);
    case "command":
    case "process":
      return [around.outputOf(part)];
    case "arithmetic":
      around.visit(part.inner);
      return [calculated(part.inner, around)];
  }
}

/** A number that nobody knows; one that is made of a process of the harness names it still. */
function calculated(inner: Word, around: Surroundings): string {
  const parts = inner.filter((part) => part.type === "parameter");
  const isHarness = parts.some((part) => around.valueOf(part).join("").includes(marks.harness));
  return marks.some + (isHarness ? marks.harness : "");
}

function markText(text: string, around: Surroundings, isFirst: boolean): string {
  const expanded = isFirst ? expandTilde(text, around) : text;
  if (!/[*?[{,}~]/.test(expanded)) return expanded;
  return expanded
    .replace(/^(\w+=)~(?=\/|$)/, (_, name: string) => name + around.home)
    .replaceAll("*", marks.star)
    .replaceAll("?", marks.question)
    .replaceAll("[", marks.bracket)
    .replaceAll("{", marks.braceOpen)
    .replaceAll(",", marks.comma)
    .replaceAll("}", marks.braceClose);
}

function expandTilde(text: string, around: Surroundings): string {
  return text.replace(/^~(\+|[a-z_][\w-]*)?(?=\/|$)/, (_, user?: string) => homeOf(user, around));
}

/** `~` is the user's home, `~+` the current folder, `~name` the home of another user. */
function homeOf(user: string | undefined, around: Surroundings): string {
  if (user === undefined || around.home.endsWith(`/${user}`)) return around.home;
  if (user === "+") return around.cwd;
  return user === "root" ? "/root" : `/home/${user}`;
}

/** An unquoted value is split into fields, and its patterns are active. An empty piece at an end splits the word there. */
function splitValue(value: string, separators: string): string[] {
  const live = value.replaceAll("*", marks.star).replaceAll("?", marks.question);
  if (separators === "") return [live];
  if (separators === " \t\n") return live.split(/[ \t\n]+/);
  return live.split(new RegExp(`[${separators.replaceAll(/[\]\\^-]/g, String.raw`\$&`)}]+`));
}

/** `a{b,c}` is `ab` and `ac`; a word with too many groups is rejected, not cut. */
function expandGroups(field: string, around: Surroundings): string[] {
  if (!field.includes(marks.braceOpen)) return [restoreBraces(field)];
  const groups = field.split(marks.braceOpen).length - 1;
  const made = groups > groupsMax ? [] : expandBraces(field);
  // Braces come first: each word that they make may begin with a `~`.
  const fields = field.startsWith(marks.braceOpen) ? made.map((word) => expandTilde(word, around)) : made;
  if (groups <= groupsMax && fields.length <= fieldsMax) return fields;
  around.giveUp("braces make too many words");
  return [restoreBraces(field)];
}

/** Braces without a comma stay as they are. */
function expandBraces(field: string): string[] {
  const group = innermostGroup.exec(field);
  if (group === null) return [restoreBraces(field)];
  const [whole, inner = ""] = group;
  const before = field.slice(0, group.index);
  const after = field.slice(group.index + whole.length);
  if (!inner.includes(marks.comma)) return expandBraces(`${before}{${inner}}${after}`);
  const fields: string[] = [];
  for (const choice of inner.split(marks.comma)) {
    if (fields.length <= fieldsMax) fields.push(...expandBraces(before + choice + after));
  }
  return fields;
}

function restoreBraces(field: string): string {
  if (!/[\uE003-\uE005]/.test(field)) return field;
  return field.replaceAll(marks.braceOpen, "{").replaceAll(marks.comma, ",").replaceAll(marks.braceClose, "}");
}

const innermostGroup = /\uE003([^\uE003\uE005]*)\uE005/;
/** Groups of braces in one word, and words they may make. */
const groupsMax = 12;
const fieldsMax = 256;
/** A value longer than a program's argument may be (128 KiB on Linux) is not followed further. */
const textCharsMax = 131_072;
