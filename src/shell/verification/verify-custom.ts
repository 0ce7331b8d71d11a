import { randomUUID } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { couldNotRun, timedOut } from "../../core/verification/verification-texts.ts";
import type { Verification } from "../../core/tasks/criteria/completion-spec.ts";
import { parsedOrNull } from "../../core/text/parsed-or-null.ts";
import { captureOutput } from "../lib/captured-output.ts";
import { runCheckCommand } from "../processes/run-check-command.ts";
import { checkEnvironment } from "./verify-external.ts";
import { type Found, found } from "./found.ts";
import type { VerificationRun } from "./verification-run.ts";

type Custom = Extract<Verification, { method: "custom" }>;

/** What a custom check is told, as JSON on standard input, or as the argument of the module's default export. */
export type CustomInput = {
  role: string;
  promise: string;
  description: string;
  outcome: string;
  acceptanceCriteria: string[];
  iteration: number;
  projectDir: string;
  startCommit: string | null;
  /** What the agent said in its turn, head and tail. */
  output: string;
  checks: { name: string; isPassed: boolean; reason: string }[];
  config: Record<string, unknown>;
};

/** An answer is one JSON object; what is written before it may be long. */
const answerCharsMax = 20_000;

/** Verifies by a project's own program: a module or a command, in a process of its own that is ended at its limit. */
export async function verifyCustom(custom: Custom, run: VerificationRun, label: string): Promise<Found> {
  const { context, signal } = run;
  const { projectDir, settings } = context.frozen;
  const log = run.openLog(label);
  const answer = captureOutput(answerCharsMax, "tail");
  const turnMarker = run.newMarker();
  const wallMs = run.withinTime(custom.timeoutMs);
  const { token, ...invocation } = invocationOf(custom, run);
  const end = await runCheckCommand(
    {
      ...invocation,
      cwd: projectDir,
      env: { ...checkEnvironment(run), RALPH_TURN: turnMarker },
      turnMarker,
      wallMs,
      log,
      output: { charsMax: settings.outputTruncateChars, keep: "both" },
      onStdout: (chunk) => answer.add(chunk),
    },
    { processes: context.processes, killGraceMs: context.killGraceMs, signal },
  );
  if (end.kind === "cut") return "cut";
  const kept = { logFile: log?.logFile ?? null, evidence: end.evidence };
  if (end.kind === "not-started") return found(false, couldNotRun(end.message), { exitCode: 127, ...kept });
  const { exitCode, isTimedOut, durationMs, output } = end;
  const facts = { isTimedOut, durationMs, output, ...kept };
  if (isTimedOut) return found(false, timedOut(wallMs), { ...facts, exitCode });
  if (exitCode !== 0) return found(false, `Custom check exited with ${exitCode}`, { ...facts, exitCode });
  const verdict = readVerdict(answer.text(), token);
  if (verdict === "several")
    return found(false, "Custom check gave more than one verdict; which one is its own cannot be known", facts);
  if (verdict === null)
    return found(false, 'Custom check gave no verdict: it must end with one line {"isPassed": …, "reason": …}', facts);
  return found(verdict.isPassed, verdict.reason, facts);
}

/** A module's verdict stands behind a token; what it starts may print to the same output, but cannot know it. */
function invocationOf(custom: Custom, run: VerificationRun): { argv: string[]; stdin: string; token: string } {
  const input = inputOf(custom, run);
  if (custom.command !== null) return { argv: custom.command, stdin: JSON.stringify(input), token: "" };
  const token = `verdict-${randomUUID()} `;
  const { projectDir } = run.context.frozen;
  const path = custom.module ?? "";
  const module = pathToFileURL(isAbsolute(path) ? path : join(projectDir, path)).href;
  const argv = [run.nodePath, "--input-type=module", "-e", moduleProgram];
  return { argv, stdin: JSON.stringify({ module, input, token }), token };
}

/** Calls the module's default export. What the module prints goes aside: standard output is for the verdict alone. */
const moduleProgram = `
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { module, input, token } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
const say = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const { default: check } = await import(module);
if (typeof check !== "function") throw new TypeError(module + " has no default export that is a function");
const verdict = JSON.stringify(await check(input));
say("\\n" + token + verdict + "\\n", () => process.exit(0));
`;

function inputOf(custom: Custom, run: VerificationRun): CustomInput {
  const { role, criterion, outcome, acceptanceCriteria } = run.criterion;
  const { projectDir, startCommit } = run.context.frozen;
  return {
    role,
    promise: criterion.promise,
    description: criterion.description,
    outcome,
    acceptanceCriteria,
    iteration: run.iteration,
    projectDir,
    startCommit,
    output: run.turnText,
    checks: run.guardrails.map(({ name, isPassed, reason }) => ({ name, isPassed, reason })),
    config: custom.config,
  };
}

type CustomVerdict = { isPassed: boolean; reason: string };

/** One object and no more: a program under test that prints a verdict too must not be taken for the check. */
function readVerdict(text: string, token: string): CustomVerdict | "several" | null {
  const lines = text
    .split("\n")
    .filter((each) => each.startsWith(token))
    .map((each) => each.slice(token.length));
  if (lines.filter((each) => verdictOf(parsedOrNull(each)) !== null).length > 1) return "several";
  return verdictOf(
    token === ""
      ? (parsedOrNull(text) ?? parsedOrNull(text.trim().split("\n").at(-1) ?? ""))
      : parsedOrNull(lines[0] ?? ""),
  );
}

function verdictOf(value: unknown): CustomVerdict | null {
  if (typeof value !== "object" || value === null || !("isPassed" in value)) return null;
  if (typeof value.isPassed !== "boolean") return null;
  const reason = "reason" in value && typeof value.reason === "string" ? value.reason : "no reason given";
  return { isPassed: value.isPassed, reason };
}
