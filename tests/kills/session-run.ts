import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalJson } from "../../src/core/text/canonical-json.ts";
import { readStoredRun } from "../../src/shell/sessions/session-run-files.ts";
import { readRecorded } from "../hooks/built-hook.ts";
import { commitAll } from "../prd/list-project.ts";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";
import { createRandom, type Random } from "../simulation/random.ts";
import { withClosing } from "./closing.ts";
import type { Undisturbed, Verdict } from "./driven-run.ts";
import { leftBehind } from "./left-behind.ts";
import { drawMoment, momentText, strike, type Struck } from "./strike.ts";

/** One event of the host: its hook, the recorded input with other fields, and what its answer must be like. */
type Event = { hook: string; recorded: string; fields: Record<string, unknown>; expected: Answer };
/** `code` null: a hook that was killed before may block by exit code. */
type Answer = { code: number | null; says: RegExp };

const sessionId = "f639d9b0-b0a6-4b74-b599-f0aec870a51a";
const anything = /^/;
const stop = (words: string, expected: Answer): Event => ({
  hook: "stop",
  recorded: "Stop-first",
  fields: { last_assistant_message: words },
  expected,
});
const begin: Event = {
  hook: "user-prompt-submit",
  recorded: "UserPromptSubmit",
  fields: { prompt: '/ralph "Fix it" --max-iterations=20' },
  expected: { code: 0, says: /Ralph loop started/ },
};
/** A host of this version sends its agent back by a line of context. The line is older than every loop. */
const firstLine = {
  type: "user",
  timestamp: "2026-01-01T00:00:00.000Z",
  version: "2.1.325",
  message: { role: "user", content: "Hello." },
};

const working = stop("Working.", { code: 0, says: /Ralph: iteration \d+ of 20/ });
const lie = stop("Done. <promise>DONE</promise>", { code: null, says: /not verified|Ralph: iteration \d+ of 20/ });
const claim = stop("Done. <promise>DONE</promise>", { code: 0, says: /Ralph Loop Complete! Task completed after \d+/ });
const end: Event = { hook: "session-end", recorded: "SessionEnd", fields: {}, expected: { code: 0, says: anything } };

/** Chance that the hook of an event is killed, so that about three of a session are. */
const killChance = 0.5;
const killsMax = 3;

/** A session of the host without any disturbance; `lengthMs` is that of its slowest hook. */
export async function runUndisturbedSession(): Promise<Undisturbed> {
  return withSession(async (project) => {
    const lengths: number[] = [];
    const problems = await playSession(project, async (order) => {
      const ended = await strike(project, { ...order, signal: "SIGKILL", moment: null });
      lengths.push(ended.lengthMs);
      return ended;
    });
    problems.push(...(await importProblems(project)));
    if (problems.length > 0) throw new Error(`an undisturbed session: ${problems.join("; ")}`);
    return { lengthMs: Math.max(...lengths), lines: 0, facts: factsOf(project) };
  });
}

/** Kills hooks of a session with SIGKILL. The host asks again, as at the next stop: the loop neither ends early nor gets lost. */
export async function killHooks(order: { seed: number; undisturbed: Undisturbed }): Promise<Verdict> {
  const random = createRandom(order.seed);
  const story: string[] = [];
  try {
    const problems = await withSession(async (project) => [
      ...(await playSession(project, (each) => strikeSome(project, each, { random, story, ...order }))),
      ...(await importProblems(project)),
      ...differences(factsOf(project), order.undisturbed.facts),
      ...(await againProblems(project)),
    ]);
    return { story, problems };
  } catch (error) {
    return { story, problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

type Order = { words: string[]; stdin: string };
type Run = (order: Order) => Promise<Struck>;

async function strikeSome(
  project: ScratchProject,
  order: Order,
  { random, story, undisturbed }: { random: Random; story: string[]; undisturbed: Undisturbed },
): Promise<Struck> {
  const isKilled = story.length < killsMax && random.chance(killChance);
  const moment = isKilled ? drawMoment(random, undisturbed) : null;
  if (moment !== null) story.push(`${order.words[1]} killed ${momentText(moment)}`);
  return strike(project, { ...order, signal: "SIGKILL", moment });
}

/** A loop with a turn at work, a lie and a true claim; the problems are answers that are not as they must be. */
async function playSession(project: ScratchProject, run: Run): Promise<string[]> {
  const problems = await play(project, begin, run);
  problems.push(...(await play(project, working, run)), ...(await play(project, lie, run)));
  project.write("answer.txt", "42\n");
  problems.push(...(await play(project, claim, run)), ...(await play(project, end, run)));
  return problems;
}

async function play(project: ScratchProject, event: Event, run: Run): Promise<string[]> {
  const order = orderOf(project, event);
  const struck = await run(order);
  if (struck.signal === null) return answerProblems(event, struck);
  // A hook that was killed may have done its work: the loop is there already, or is over.
  if (event === begin && loops(project).length > 0) return [];
  if (event === claim && loops(project).length === 0) return [];
  return play(project, event, run);
}

function orderOf(project: ScratchProject, { hook, recorded, fields }: Event): Order {
  const transcript = join(project.root, "home", ".claude", "projects", "-project", `${sessionId}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  if (!existsSync(transcript)) writeFileSync(transcript, `${JSON.stringify(firstLine)}\n`);
  const common = { session_id: sessionId, transcript_path: transcript, cwd: project.directory };
  return { words: ["hook", hook], stdin: JSON.stringify({ ...readRecorded(recorded), ...common, ...fields }) };
}

function answerProblems({ hook, expected }: Event, { code, stdout, stderr }: Struck): string[] {
  const isRight = (expected.code ?? code) === code && expected.says.test(`${stdout}${stderr}`);
  return isRight
    ? []
    : [`hook ${hook} answered ${code}, expected ${expected.code ?? "any code"} ${expected.says}: ${stdout}${stderr}`];
}

/** The folders of loops that are stored and have not ended: a hook may be killed before it wrote into the folder. */
function loops(project: ScratchProject): string[] {
  return sessionFiles(project).filter((name) => {
    if (name !== `claude-code-${sessionId}`) return false;
    const stored = readStoredRun(join(project.root, "state", "sessions", name));
    return stored !== null && typeof stored !== "string" && stored.record.run.outcome === null;
  });
}

function sessionFiles(project: ScratchProject): string[] {
  try {
    return readdirSync(join(project.root, "state", "sessions")).toSorted();
  } catch {
    // The hook was killed before it made the folder.
    return [];
  }
}

function factsOf(project: ScratchProject): Record<string, unknown> {
  return { ...leftBehind(project), sessions: sessionFiles(project), changes: project.git("status", "--porcelain") };
}

function differences(facts: Record<string, unknown>, expected: Record<string, unknown>): string[] {
  return Object.keys(facts)
    .filter((name) => canonicalJson(facts[name]) !== canonicalJson(expected[name]))
    .map((name) => `${name} is ${JSON.stringify(facts[name])}, undisturbed ${JSON.stringify(expected[name])}`);
}

/** The next command imports the loop, also one whose last hook was killed: it is completed, and its journal leads there. */
async function importProblems(project: ScratchProject): Promise<string[]> {
  const { stdout, stderr } = await project.run(["status", "--json"]);
  const { runs } = JSON.parse(stdout) as { runs: { outcome: string | null }[] };
  const outcomes = runs.map(({ outcome }) => outcome);
  if (outcomes.join() !== "completed")
    return [`runs ended ${JSON.stringify(outcomes)}, expected one completed: ${stderr}`];
  const check = await project.run(["show", sessionId, "--check"]);
  return check.code === 0 ? [] : [`show --check ended with ${check.code}: ${check.stdout}${check.stderr}`];
}

/** A new loop in the same session starts. */
async function againProblems(project: ScratchProject): Promise<string[]> {
  const { words, stdin } = orderOf(project, begin);
  return answerProblems(begin, await strike(project, { words, stdin, signal: "SIGKILL", moment: null }));
}

async function withSession<Result>(use: (project: ScratchProject) => Promise<Result>): Promise<Result> {
  return withClosing((atEnd) => use(openSession(atEnd)));
}

function openSession(atEnd: (close: () => Promise<void>) => void): ScratchProject {
  const project = openProject({ isGit: true, atEnd });
  const coder = {
    promise: "DONE",
    description: "It works",
    verification_method: "external",
    verification_config: { command: "test -e answer.txt" },
  };
  const criteria = { outcome: "It works.", acceptance_criteria: ["It works"], coder };
  project.write("ralph/criteria.yaml", JSON.stringify(criteria));
  project.settings({ guardrails: [{ command: "sleep 0.05", failAction: "APPEND" }] });
  commitAll(project);
  return project;
}
