import type { AddedLine } from "./diff-lines.ts";
import { scanTokens } from "./syntax/scan-tokens.ts";
import { isTestPath } from "./test-path.ts";

/** The setting `seal.forbid`: `false` switches a key off. */
export type ForbidRules = Readonly<Partial<Record<ForbidKey, boolean>>>;

/** The names of what is forbidden. */
export type ForbidKey =
  | "tsIgnore"
  | "asAny"
  | "anyType"
  | "eslintDisable"
  | "noqa"
  | "typeIgnore"
  | "noCover"
  | "coverageIgnore"
  | "only";

/** An added line that matches a forbidden expression. */
export type Forbidden = AddedLine & { key: ForbidKey };

/**
 * The added lines that silence a tool which is among the checks. `checks` are the commands as they run, with what their
 * scripts say: `npm run lint` names no tool, `eslint .` does.
 */
export function findForbidden(lines: readonly AddedLine[], rules: ForbidRules, checks: readonly string[]): Forbidden[] {
  const active = builtIn.filter(({ key, tool }) => rules[key] !== false && isUsed(tool, checks));
  return lines.flatMap((line) => {
    const isTest = isTestPath(line.path);
    const of = active.filter((rule) => rule.isForTests === isTest && rule.files.test(line.path));
    const code = of.some(({ isCode }) => isCode) ? codeOf(line.text) : "";
    return of
      .filter((rule) => rule.expression.test(rule.isCode ? code : line.text))
      .map(({ key }) => ({ ...line, key }));
  });
}

/** Lines in one sentence. */
const linesMax = 10;

/** Why such lines refuse a claim; null: there is none. */
export function forbiddenText(found: readonly Forbidden[]): string | null {
  if (found.length === 0) return null;
  const places = found.slice(0, linesMax).map(({ path, line, key }) => `${path}:${line} (${key})`);
  const more = found.length > linesMax ? ` and ${found.length - linesMax} more` : "";
  return `Added lines switch a check off: ${places.join(", ")}${more}. Remove them and mend what the check says.`;
}

type Rule = {
  key: ForbidKey;
  expression: RegExp;
  /** The tool that the line silences; null: any. */
  tool: RegExp | null;
  files: RegExp;
  /** Looked for in code only, not in comments and strings. */
  isCode: boolean;
  isForTests: boolean;
};

const scripts = /\.[mc]?[jt]sx?$|\.(?:vue|svelte)$/;
const types = /\.[mc]?tsx?$|\.(?:vue|svelte)$/;
const python = /\.pyi?$/;
const compilers = /\b(?:tsc|vue-tsc|tsgo|svelte-check|typescript|type-?check|attw)\b/;
const coverage = /\b(?:nyc|c8|istanbul|v8)\b|--coverage\b|coverage/;

const builtIn: readonly Rule[] = [
  {
    key: "tsIgnore",
    expression: /@ts-(?:ignore|nocheck|expect-error)\b/,
    tool: compilers,
    files: scripts,
    isCode: false,
    isForTests: false,
  },
  { key: "asAny", expression: /\bas any\b/, tool: compilers, files: types, isCode: true, isForTests: false },
  { key: "anyType", expression: /: any\b/, tool: compilers, files: types, isCode: true, isForTests: false },
  {
    key: "eslintDisable",
    expression: /\b(?:eslint|oxlint)-disable\b/,
    tool: /\b(?:eslint|oxlint|xo|standard)\b/,
    files: scripts,
    isCode: false,
    isForTests: false,
  },
  {
    key: "noqa",
    expression: /#\s*(?:ruff:\s*|flake8:\s*)?noqa\b/i,
    tool: /\b(?:ruff|flake8|pycodestyle)\b/,
    files: python,
    isCode: false,
    isForTests: false,
  },
  {
    key: "typeIgnore",
    expression: /#\s*type:\s*ignore\b/,
    tool: /\b(?:mypy|pyright|basedpyright|pyre|ty)\b/,
    files: python,
    isCode: false,
    isForTests: false,
  },
  {
    key: "noCover",
    expression: /\bpragma:\s*no\s*cover\b/i,
    tool: /\bcoverage\b|--cov\b/,
    files: python,
    isCode: false,
    isForTests: false,
  },
  {
    key: "coverageIgnore",
    expression: /\b(?:istanbul|c8|v8)\s+ignore\b/,
    tool: coverage,
    files: scripts,
    isCode: false,
    isForTests: false,
  },
  {
    key: "only",
    expression: /\. only\b|\bf(?:describe|it|context) \(/,
    tool: null,
    files: scripts,
    isCode: true,
    isForTests: true,
  },
];

function isUsed(tool: RegExp | null, checks: readonly string[]): boolean {
  return tool === null || checks.some((command) => tool.test(command));
}

/** A line without comments and strings, with one space between its tokens. */
function codeOf(text: string): string {
  if (/^\s*\*/.test(text)) return "";
  return scanTokens(text, "javascript")
    .filter(({ kind }) => kind === "word" || kind === "symbol")
    .map((token) => token.text)
    .join(" ");
}
