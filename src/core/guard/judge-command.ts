import { isAllowedByRule } from "./facts/allow-list.ts";
import { cannotBeJudged, judgementOf, type Judgement } from "./facts/judgement.ts";
import { withoutMarks } from "./facts/marks.ts";
import type { CallContext } from "./facts/call-context.ts";
import { runWords } from "./run-words.ts";
import type { Scope, Walk } from "./facts/scope.ts";
import { parseScript } from "./syntax/parse-script.ts";
import { walkCommand, walkScript } from "./walk-script.ts";

/**
 * Judges a shell command line without running anything. Never throws for a text it does not understand: it refuses the
 * text with a reason.
 */
export function judgeCommand(commandLine: string, place: CallContext): Judgement {
  if (commandLine.length > commandCharsMax) {
    return cannotBeJudged(`it has ${commandLine.length} characters, at most ${commandCharsMax}`);
  }
  const walk: Walk = {
    place,
    findings: [],
    budget: { stepsLeft: stepsMax, depth: 0, failure: null },
    commandsLeft: commandsMax,
    newRemotes: new Set(),
    readTexts: new Map(),
    runText,
    runWords,
    runBody: walkCommand,
  };
  runText(withoutMarks(commandLine), newScope(walk), "");
  const judgement = judgementOf(walk.findings.filter((finding) => !isAllowedByRule(finding, place.allow)));
  if (walk.budget.failure === null || judgement.decision === "block") return judgement;
  return cannotBeJudged(walk.budget.failure);
}

/** Judges a text that a shell will parse, one level deeper. */
function runText(text: string, scope: Scope, input: string): string {
  const { budget } = scope.walk;
  if (budget.depth >= nestedTextsMax) {
    budget.failure ??= "it is nested too deeply";
    return "";
  }
  budget.depth += 1;
  const { script } = parseScript(text, budget);
  const output = walkScript(script, scope, input);
  budget.depth -= 1;
  return output;
}

function newScope(walk: Walk): Scope {
  const { cwd } = walk.place;
  return { walk, variables: new Map(), positional: null, cwd, functions: new Map(), files: new Map(), active: [] };
}

/** Linux takes no argument longer than 128 KiB, and a shell gets its command line as one argument. */
const commandCharsMax = 131_072;
/** A line of full length costs about two steps per character; the rest is for nested texts. */
const stepsMax = 1_000_000;
/** Loops and functions repeat commands; nobody writes a line that runs this many different ones. */
const commandsMax = 5000;
const nestedTextsMax = 30;
