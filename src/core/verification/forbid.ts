import type { AddedLine } from "./diff-lines.ts";
import { scanTokens } from "./syntax/scan-tokens.ts";
import { isTestPath } from "./test-path.ts";

/** The user's `forbid` setting: `false` switches a key off, a text is an expression of its own under a new key. */
export type ForbidRules = Readonly<Record<string, string | false>>;

/** An added line that matches a forbidden expression. */
export type Forbidden = AddedLine & { key: string };

/**
 * The added lines that silence a tool which is among the checks. `checks` are the commands as they run, with what their
 * scripts say: `npm run lint` names no tool, `eslint .` does.
 */
export function findForbidden(lines: readonly AddedLine[], rules: ForbidRules, checks: readonly string[]): Forbidden[] {
  const active = [
    ...builtIn.filter(({ key, tool }) => rules[key] !== false && isUsed(tool, checks)),
    ...ownRules(rules),
  ];
  return lines.flatMap((line) => {
    const isTest = isTestPath(line.path);
    const of = active.filter((rule) => rule.isForTests === isTest && rule.files.test(line.path));
    const code = of.some(({ isCode }) => isCode) ? codeOf(line.text) : "";
    return of
      .filter((rule) => rule.expression.test(rule.isCode ? code : line.text))
      .map(({ key }) => ({ ...line, key }));
  });
}

/** The keys that can be switched off. */
export function forbiddenKeys(): string[] {
  return builtIn.map(({ key }) => key);
}

type Rule = {
  key: string;
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
    key: "ts-ignore",
    expression: /@ts-(?:ignore|nocheck|expect-error)\b/,
    tool: compilers,
    files: scripts,
    isCode: false,
    isForTests: false,
  },
  { key: "as-any", expression: /\bas any\b/, tool: compilers, files: types, isCode: true, isForTests: false },
  { key: "any-type", expression: /: any\b/, tool: compilers, files: types, isCode: true, isForTests: false },
  {
    key: "eslint-disable",
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
    key: "type-ignore",
    expression: /#\s*type:\s*ignore\b/,
    tool: /\b(?:mypy|pyright|basedpyright|pyre|ty)\b/,
    files: python,
    isCode: false,
    isForTests: false,
  },
  {
    key: "no-cover",
    expression: /\bpragma:\s*no\s*cover\b/i,
    tool: /\bcoverage\b|--cov\b/,
    files: python,
    isCode: false,
    isForTests: false,
  },
  {
    key: "coverage-ignore",
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

/** Expressions of the user hold everywhere outside of tests; one that cannot be read is looked for as it is written. */
function ownRules(rules: ForbidRules): Rule[] {
  const known = new Set(forbiddenKeys());
  return Object.entries(rules).flatMap(([key, expression]) =>
    expression === false || known.has(key)
      ? []
      : [{ key, expression: expressionOf(expression), tool: null, files: /^/, isCode: false, isForTests: false }],
  );
}

function expressionOf(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  }
}

/** A line without comments and strings, with one space between its tokens. */
function codeOf(text: string): string {
  if (/^\s*\*/.test(text)) return "";
  return scanTokens(text, "javascript")
    .filter(({ kind }) => kind === "word" || kind === "symbol")
    .map((token) => token.text)
    .join(" ");
}
