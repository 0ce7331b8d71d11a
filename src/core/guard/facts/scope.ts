import { findContentFaults } from "./file-content.ts";
import type { Category, Finding, Tier } from "./judgement.ts";
import { marks, withoutUnknown } from "./marks.ts";
import { resolvePath, type CallContext } from "./call-context.ts";
import type { Budget } from "../syntax/cursor.ts";
import type { Command } from "../syntax/script.ts";

/** What a shell knows at one point of a command line: subshells get a copy. */
export type Scope = {
  walk: Walk;
  variables: Map<string, readonly string[]>;
  positional: readonly string[] | null;
  cwd: string;
  functions: Map<string, Command>;
  /** Files this very command line wrote, by path: they may be run later on it. */
  files: Map<string, string>;
  /** Functions being called, so that one that calls itself ends. */
  active: readonly string[];
  /** Another program reads the output: what it shows of it counts. */
  isPiped?: boolean;
};

/** One judgement in progress; shared by all its scopes. */
export type Walk = {
  place: CallContext;
  findings: Finding[];
  budget: Budget;
  commandsLeft: number;
  /** Remotes that this very line adds or changes: a push may lead to them. */
  newRemotes: Set<string>;
  /** Texts of files outside the project, by path; null for what is no text. */
  readTexts: Map<string, string | null>;
  /** A guess is in progress; guesses are not nested. */
  isGuessing?: boolean;
  runText: (text: string, scope: Scope, input: string) => string;
  runWords: (words: readonly string[], scope: Scope, input: string) => string;
  runBody: (body: Command, scope: Scope, input: string) => string;
};

/** A scope whose changes stay inside. Files are real, so they are shared. */
export function forkScope(scope: Scope, changes: Partial<Scope> = {}): Scope {
  return { ...scope, variables: new Map(scope.variables), functions: new Map(scope.functions), ...changes };
}

/** Records a finding; allow rules are compared with its words. */
export function report(
  scope: Scope,
  fault: { category: Category; tier: Tier; reason: string; path?: string },
  words: readonly string[],
): void {
  if (scope.walk.findings.length >= findingsMax) return;
  const { category, tier, reason, path } = fault;
  const subject = words.map((word) => withoutUnknown(word));
  scope.walk.findings.push({ category, tier, reason, subject, ...(path === undefined ? {} : { path }) });
}

/** A path resolved in this scope's current folder. */
export function resolveIn(scope: Scope, path: string): string {
  return resolvePath(path, scope.cwd);
}

/** Remembers what was written to a file. An endless text fills the disk. */
export function writeFile(scope: Scope, path: string, text: string): void {
  const resolved = resolveIn(scope, path);
  if (text.includes(marks.endless) && !resolved.startsWith("/dev/")) {
    const reason = `writes without end to ${withoutUnknown(resolved)}`;
    report(scope, { category: 3, tier: "block", reason }, [resolved]);
  }
  scope.walk.findings.push(...findContentFaults(resolved, text));
  if (scope.files.size < filesMax) scope.files.set(resolved, text);
}

/** Findings beyond this number add nothing to a refusal. */
const findingsMax = 50;
/** Files one command line may write and then run. */
const filesMax = 200;
