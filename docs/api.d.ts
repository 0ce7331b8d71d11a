// The types that the package exports, in one file, so that a review shows what changes for its users.
// Made by `npm run docs:api`; edit the source, not this file.

/**
 * An agent as a function: what it returns or prints is what the agent said. A rejection is a failed turn.
 *
 * @example
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { type AgentFunction, runLoop } from "ralph";
 *
 * const agent: AgentFunction = () => {
 *   writeFileSync("hello.txt", "hello\n");
 *   return "<promise>DONE</promise>";
 * };
 * console.log((await runLoop({ prompt: "Write hello.txt.", agent, checks: ["test -f hello.txt"] }).outcome).name);
 * ```
 */
export type AgentFunction = (turn: AgentTurn) => Promise<string | void> | string | void;

/**
 * One turn of an agent that is a function.
 *
 * @example
 * ```ts
 * import { type AgentTurn, runLoop } from "ralph";
 *
 * const agent = ({ prompt, print }: AgentTurn): string => {
 *   print(`I was asked: ${prompt.split("\n")[0]}\n`);
 *   return "<promise>DONE</promise>";
 * };
 * console.log((await runLoop({ prompt: "Say that it is done.", agent, checks: ["true"] }).outcome).name);
 * ```
 */
export type AgentTurn = {
  prompt: string;
  projectDir: string;
  /** Aborted when the turn is cut or has used its time: whoever does not stop then is left alone. */
  signal: AbortSignal;
  /** Prints some of the agent's words before it ends; words keep an idle timeout away. */
  print: (text: string) => void;
};

/**
 * The answer of a check: `reason` goes into the next prompt when it is red.
 *
 * @example
 * ```ts
 * import { type CheckAnswer } from "ralph";
 *
 * const answer: CheckAnswer = { isPassed: false, reason: "README.md has no heading." };
 * console.log(answer.isPassed);
 * ```
 */
export type CheckAnswer =
  | boolean
  | {
      isPassed: boolean;
      reason?: string;
    };

/**
 * A check of the work as a function; a rejection is red. It runs after every turn unless `when` says otherwise.
 *
 * @example
 * ```ts
 * import { type CheckFunction, runLoop } from "ralph";
 *
 * const always: CheckFunction = { name: "always", when: "on-claim", check: () => true };
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: [always] });
 * console.log((await loop.outcome).name); // completed
 * ```
 */
export type CheckFunction = {
  name: string;
  check: (request: CheckRequest) => Promise<CheckAnswer> | CheckAnswer;
  when?: "every-turn" | "on-claim";
};

/**
 * What a check is asked for.
 *
 * @example
 * ```ts
 * import { existsSync } from "node:fs";
 * import { join } from "node:path";
 * import { type CheckRequest } from "ralph";
 *
 * const hasReadme = ({ projectDir }: CheckRequest): boolean => existsSync(join(projectDir, "README.md"));
 * console.log(hasReadme({ projectDir: ".", iteration: 1, signal: new AbortController().signal }));
 * ```
 */
export type CheckRequest = {
  projectDir: string;
  iteration: number;
  signal: AbortSignal;
};

/**
 * What a run tells while it happens. `runId` is the run itself, or the role run of a work run it comes from.
 *
 * @example
 * ```ts
 * import { type LoopEvent } from "ralph";
 *
 * const line = (event: LoopEvent): string => (event.kind === "said" ? event.text : event.kind);
 * console.log(line({ runId: "20261116-120000-abcd", kind: "said", text: "It begins." }));
 * ```
 */
export type LoopEvent = {
  runId: string;
} & (
  | {
      kind: "started";
    }
  /** An entry of the journal: a step of the engine, of a work run that of its own engine, or a note. */
  | {
      kind: "entry";
      entry: JournalNews | WorkStepNews;
    }
  | {
      kind: "agent";
      event: AgentEvent;
    }
  /** A check starts (its verdict is null) or has ended. */
  | {
      kind: "check";
      progress: CheckProgress;
    }
  /** A line for people, before the run begins. */
  | {
      kind: "said";
      text: string;
    }
  /** Events that were not read in time and are gone. */
  | {
      kind: "lost";
      count: number;
    }
);

/**
 * A run that this process drives.
 *
 * @example
 * ```ts
 * import { type LoopHandle, runLoop } from "ralph";
 *
 * const loop: LoopHandle = runLoop({ prompt: "Work.", agent: () => "Not yet.", checks: ["true"] });
 * setTimeout(() => void loop.cancel(), 50);
 * console.log((await loop.outcome).name);
 * ```
 */
export type LoopHandle = {
  /** The run's id: `ralph show ID` shows it. */
  id: string;
  /** Everything the run tells, for one reader at a time; ends with the run. A second reader gets a `RalphError`. */
  events: AsyncIterable<LoopEvent>;
  /** How the run ends. Rejects with a `RalphError` when it cannot start, or when its store fails. */
  outcome: Promise<Outcome>;
  /** Ends the run and everything it started; resolves when both are gone. */
  cancel: () => Promise<void>;
  /** Lets the turn in progress finish and begins nothing new. */
  pause: () => void;
  /** Lets a paused run continue. */
  resume: () => void;
};

/**
 * What every loop of the library takes.
 *
 * @example
 * ```ts
 * import { type CommonOptions, runLoop } from "ralph";
 *
 * const common: CommonOptions = { agent: () => "<promise>DONE</promise>", checks: ["true"], stateFolder: "state" };
 * console.log((await runLoop({ ...common, prompt: "Say that it is done." }).outcome).name); // completed
 * ```
 */
export type CommonOptions = {
  /** The project; the working directory unless told. */
  projectDir?: string;
  agent?: LoopAgent;
  /** Commands and functions beside the guardrails and criteria of the project: all of them must be green. */
  checks?: (string | CheckFunction)[];
  /** As in a settings file; these win over the project's. */
  settings?: Record<string, unknown>;
  /** Cancels the run. */
  signal?: AbortSignal;
  /** Start although tracked files have changes that are not committed. */
  allowDirty?: boolean;
  /** Readers of the run while it happens, and of the role runs of a work run. */
  sinks?: Sink[];
  /** Adapters for agent programs that ralph does not know. */
  agents?: AgentAdapter[];
  /** Kinds of gates of your own. */
  gates?: GateKind[];
  /** Holds the store, raw streams and evidence; that of this user unless told. */
  stateFolder?: string;
  /** Another store than the one in the state folder. It is not closed. */
  store?: Store;
};

/**
 * The agent of a loop: a program by name, with its settings, or a function of yours.
 *
 * @example
 * ```ts
 * import { type LoopAgent } from "ralph";
 *
 * const agents: LoopAgent[] = ["my-agent", { command: "other-agent", flags: ["--fast"] }, () => "<promise>DONE</promise>"];
 * console.log(agents.length);
 * ```
 */
export type LoopAgent =
  | string
  | {
      command: string;
      flags?: string[];
      model?: string;
    }
  | AgentFunction;

/**
 * Runs an agent on a prompt again and again until its claim passes every check, in this process. The run is an ordinary
 * one: `ralph status`, `show`, `cancel` know it.
 *
 * @example
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { runLoop } from "ralph";
 *
 * const loop = runLoop({
 *   prompt: "Write hello.txt.",
 *   agent: ({ prompt }) => {
 *     if (prompt.includes("hello.txt is missing")) writeFileSync("hello.txt", "hello\n");
 *     return "<promise>DONE</promise>";
 *   },
 *   checks: ["test -f hello.txt || { echo hello.txt is missing; exit 1; }"],
 * });
 * for await (const event of loop.events) if (event.kind === "check") console.log(event.progress.verdict?.reason);
 * console.log((await loop.outcome).name); // completed
 * ```
 */
export declare function runLoop(options: RunLoopOptions): LoopHandle;

/**
 * What `runLoop` takes.
 *
 * @example
 * ```ts
 * import { runLoop, type RunLoopOptions } from "ralph";
 *
 * const options: RunLoopOptions = { prompt: "Work.", agent: () => "Not yet.", settings: { maximumIterations: 1 } };
 * console.log((await runLoop(options).outcome).name); // exhausted
 * ```
 */
export type RunLoopOptions = CommonOptions & {
  prompt: string;
};

/**
 * How a task's part in a work run ended; without an outcome it never began.
 *
 * @example
 * ```ts
 * import { runTasks, type TaskEnd } from "ralph";
 *
 * const ends: TaskEnd[] = [];
 * const tasks = [{ id: "greet", title: "Greet the user" }];
 * const agent = () => "<promise>IMPLEMENTATION_COMPLETE</promise>";
 * const settings = { verifyCommand: "true" };
 * await runTasks({ tasks, roles: ["coder"], agent, settings, onTaskEnd: (end) => ends.push(end) }).outcome;
 * console.log(ends[0]?.status); // done
 * ```
 */
export type TaskEnd = {
  id: string;
  status: TaskStatus;
  outcome: Outcome | null;
  reason: string;
};

/**
 * Takes tasks through their roles, each role verified, in this process. The work run and its role runs are ordinary
 * ones: `ralph status`, `show`, `cancel` know them. Where every task is done already it is `completed`, unverified;
 * where there are no tasks it is `stopped`.
 *
 * @example
 * ```ts
 * import { runTasks } from "ralph";
 *
 * const work = runTasks({
 *   tasks: [{ id: "greet", title: "Greet the user" }],
 *   roles: ["coder"],
 *   agent: () => "<promise>IMPLEMENTATION_COMPLETE</promise>",
 *   settings: { verifyCommand: "true" },
 *   onTaskEnd: ({ id, status }) => console.log(id, status), // greet done
 * });
 * console.log((await work.outcome).name); // completed
 * ```
 */
export declare function runTasks(options: RunTasksOptions): LoopHandle;

/**
 * What `runTasks` takes.
 *
 * @example
 * ```ts
 * import { runTasks, type RunTasksOptions } from "ralph";
 *
 * const options: RunTasksOptions = {
 *   tasks: [{ id: "greet", title: "Greet the user" }],
 *   roles: ["coder"],
 *   agent: () => "<promise>IMPLEMENTATION_COMPLETE</promise>",
 *   settings: { verifyCommand: "true" },
 * };
 * console.log((await runTasks(options).outcome).name); // completed
 * ```
 */
export type RunTasksOptions = CommonOptions & {
  /**
   * Ids of stored tasks, or definitions that are stored when the run begins; every task that is ready unless told. A call
   * that is refused stores nothing.
   */
  tasks?: (string | TaskDocument)[];
  /** The roles each task goes through, at least one and none twice; those of the settings unless told. */
  roles?: Role[];
  /** Tasks at once (1), at most 64; more than one need `worktrees`. */
  jobs?: number;
  /** Each task in a git work tree and on a branch of its own, merged when its roles are done. */
  worktrees?: boolean;
  /** Told how each task ended. What it throws or rejects with is ignored. */
  onTaskEnd?: (end: TaskEnd) => void;
};

/**
 * Works through the task list of a project, every story implemented and reviewed in fresh contexts, in this process. The
 * run is an ordinary one: `ralph status`, `show`, `cancel` know it.
 *
 * @example
 * ```ts no-run
 * import { runPrd } from "ralph";
 *
 * const run = runPrd({ projectDir: ".", agent: "my-agent", createBranch: true });
 * for await (const event of run.events) if (event.kind === "said") console.log(event.text);
 * console.log((await run.outcome).name);
 * ```
 */
export declare function runPrd(options: RunPrdOptions): LoopHandle;

/**
 * What `runPrd` takes.
 *
 * @example
 * ```ts
 * import { type RunPrdOptions } from "ralph";
 *
 * const options: RunPrdOptions = { agent: "my-agent", skipReview: true, createBranch: true };
 * console.log(options.skipReview);
 * ```
 */
export type RunPrdOptions = CommonOptions & {
  /** The folder of the task list; `ralph` in the project unless told. */
  ralphDir?: string;
  /** Stories count as done without a review. */
  skipReview?: boolean;
  /** Switch to the branch that the list names, and make it where it is missing. */
  createBranch?: boolean;
  /** Start although nothing guards the commands of the agent. */
  unsafe?: boolean;
};

/**
 * Takes a run that ended early, or whose program was killed, and continues where it stopped, in this process. A run with an
 * agent or checks that are functions can be resumed only so, with the same functions; `ralph resume` takes every other one.
 * Rejects with code `own-run` inside a turn of that run.
 *
 * @example
 * ```ts
 * import { resumeRun, runLoop } from "ralph";
 *
 * let turn = 0;
 * const agent = (): string => ((turn += 1) === 1 ? "Not yet." : "<promise>DONE</promise>");
 * const first = runLoop({ prompt: "Try.", agent, checks: ["true"], settings: { maximumIterations: 1 } });
 * console.log((await first.outcome).name); // exhausted
 * const again = resumeRun({ runId: first.id, agent, moreIterations: 1 });
 * console.log((await again.outcome).name); // completed
 * ```
 */
export declare function resumeRun(options: ResumeRunOptions): LoopHandle;

/**
 * What `resumeRun` takes. Settings, commands and limits of the run are frozen with it; functions are not, so the program
 * gives them again.
 *
 * @example
 * ```ts
 * import { resumeRun, type ResumeRunOptions } from "ralph";
 *
 * const options: ResumeRunOptions = { runId: "20261116-120000-abcd", answer: "Use PostgreSQL." };
 * resumeRun(options).outcome.catch((error: Error) => console.log(error.message));
 * ```
 */
export type ResumeRunOptions = Pick<
  CommonOptions,
  "signal" | "sinks" | "agents" | "gates" | "stateFolder" | "store"
> & {
  /** The whole id of the run. */
  runId: string;
  /** The agent function that the run was started with. */
  agent?: AgentFunction;
  /** The checks that the run was started with: the same functions in the same order. Other commands are refused. */
  checks?: NonNullable<CommonOptions["checks"]>;
  /** The answer to the question that the run waits for. */
  answer?: string;
  /** Iterations beyond those that it has used; those of its limit unless told. */
  moreIterations?: number;
  /** Budgets that replace the old ones. */
  maxCost?: number;
  maxTokens?: number;
  maxTimeMs?: number;
  /** Resume although edits of a task list removed checks. */
  acceptEdits?: boolean;
};

/**
 * What happens to a supervised task.
 *
 * @example
 * ```ts
 * import { type SuperviseEvent } from "ralph";
 *
 * const line = (event: SuperviseEvent): string => (event.type === "message" ? event.body : event.type);
 * console.log(line({ type: "waiting", waitsFor: "restart", durationMs: 1000 }));
 * ```
 */
export type SuperviseEvent =
  | {
      type: "run-started";
      attempt: number;
    }
  /** `error` is what `runRoot` returned, or what it rejected with. */
  | {
      type: "run-ended";
      attempt: number;
      error: Error | null;
      durationMs: number;
    }
  /** Before the next run, or for children after DONE; `durationMs` is the longest it can take, null without a limit. */
  | {
      type: "waiting";
      waitsFor: "restart" | "children";
      durationMs: number | null;
    }
  /** A line that the loop put on the task's bus. */
  | {
      type: "message";
      messageType: string;
      body: string;
    }
  /** What a person should know: no check is configured, the bus cannot be written. */
  | {
      type: "warning";
      text: string;
    }
  | {
      type: "ended";
      outcome: Outcome;
    };

/**
 * Calls `runRoot` again and again until DONE is there and every check of the project is green, by the rules of `ralph
 * supervise`: a DONE that a check refuses is moved aside as `DONE.refused-<n>`, and `runRoot` is called again. The run is an
 * ordinary one: `ralph status`, `show`, `cancel` know it. Rejects with a `RalphError` when it cannot start.
 *
 * @example
 * ```ts
 * import { mkdirSync, writeFileSync } from "node:fs";
 * import { superviseLoop } from "ralph";
 *
 * mkdirSync("shop/task-001", { recursive: true });
 * const { outcome, error } = await superviseLoop({
 *   taskDir: "shop/task-001",
 *   restartDelayMs: 10,
 *   runRoot: async (attempt) => {
 *     if (attempt === 0) return new Error("The network is down.");
 *     writeFileSync("shop/task-001/DONE", "");
 *     return null;
 *   },
 *   onEvent: (event) => console.log(event.type),
 * });
 * console.log(outcome.name, error); // completed null
 * ```
 */
export declare function superviseLoop(options: SuperviseLoopOptions): Promise<SuperviseLoopEnd>;

/**
 * How a loop ended; `error` is null for success: DONE, or a wait without restart.
 *
 * @example
 * ```ts
 * import { type SuperviseLoopEnd } from "ralph";
 *
 * const code = ({ error }: SuperviseLoopEnd): number => (error === null ? 0 : 1);
 * console.log(code({ outcome: { name: "completed", reason: "DONE is there." }, error: null }));
 * ```
 */
export type SuperviseLoopEnd = {
  outcome: Outcome;
  error: Error | null;
};

/**
 * A supervised task whose agent the caller runs.
 *
 * @example
 * ```ts
 * import { mkdirSync } from "node:fs";
 * import { superviseLoop, type SuperviseLoopOptions } from "ralph";
 *
 * mkdirSync("shop/task-001", { recursive: true });
 * const options: SuperviseLoopOptions = { taskDir: "shop/task-001", runRoot: async () => null, maxRestarts: 0 };
 * console.log((await superviseLoop(options)).outcome.name); // exhausted
 * ```
 */
export type SuperviseLoopOptions = Omit<CommonOptions, "agent" | "allowDirty"> & {
  /** Holds DONE, the bus and the runs; must be there. */
  taskDir: string;
  /**
   * Runs the agent once; `attempt` counts from 0. Null: exit code 0. An error with `exitCode` 42 asks to wait without a
   * restart; one that says the program is not there or may not be run ends the loop. Must heed the signal: whoever does not
   * stop within seconds is left alone.
   */
  runRoot: (attempt: number, signal: AbortSignal) => Promise<Error | null> | Error | null;
  projectId?: string;
  taskId?: string;
  /** Runs at most (100); 0 only looks for DONE. */
  maxRestarts?: number;
  restartDelayMs?: number;
  /** How long children are waited for after DONE, and what then becomes of them; as the settings say unless told. */
  waitTimeoutMs?: number;
  onChildTimeout?: "terminate" | "orphan";
  /** How often children are looked at (1 s). */
  pollIntervalMs?: number;
  /** Told what happens, as it happens. What it throws or rejects with is ignored: a listener never ends the loop. */
  onEvent?: (event: SuperviseEvent) => void;
};

/**
 * Ends a run that another process drives and waits for its end; ends one whose process died, and the loop of a living session.
 * A process that does not answer is killed. Rejects with code `own-run` in the process that drives the run, whose handle has
 * `cancel`, and inside a turn of it.
 *
 * @example
 * ```ts
 * import { cancelRun } from "ralph";
 *
 * const cancelled = cancelRun({ runId: "20261116-120000-abcd" });
 * cancelled.then(({ outcome }) => console.log(outcome)).catch((error: Error) => console.log(error.message));
 * ```
 */
export declare function cancelRun(options: NamedRunOptions): Promise<RunSummary>;

/**
 * Asks a paused run of another process to continue and waits until it has heard that. A run that has ended, or that waits for an
 * answer, needs a process to drive it: `resumeRun` takes it, with the answer.
 *
 * @example
 * ```ts
 * import { continueRun } from "ralph";
 *
 * continueRun({ runId: "20261116-120000-abcd" }).catch((error: Error) => console.log(error.message));
 * ```
 */
export declare function continueRun(options: NamedRunOptions): Promise<RunSummary>;

/**
 * One run with the fold of its journal. `run` is its record, for `formatRun`; null: a living session, which no store has.
 *
 * @example
 * ```ts
 * import { formatRun, type FoundRun } from "ralph";
 *
 * const print = ({ run, view }: FoundRun): string => (run === null ? "in a session" : formatRun({ run, view }));
 * console.log(typeof print);
 * ```
 */
export type FoundRun = {
  summary: ListedRun;
  view: RunView;
  run: RunRecord | null;
};

/**
 * A run as `ralph status --json` lists it; a work run with the newest role run of each task.
 *
 * @example
 * ```ts
 * import { type ListedRun, listRuns } from "ralph";
 *
 * const line = ({ id, state, outcome }: ListedRun): string => `${id} ${outcome ?? state}`;
 * for (const run of (await listRuns()).runs) console.log(line(run));
 * ```
 */
export type ListedRun = RunSummary & {
  children?: RunSummary[];
};

/**
 * Lists runs of every program and the living sessions, as `ralph status` does: living ones first. With `projectDir` those of
 * one project, of which the latest ended ones.
 *
 * @example
 * ```ts
 * import { listRuns, runLoop } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * await loop.outcome;
 * const { runs } = await listRuns({ projectDir: process.cwd() });
 * console.log(runs.find(({ id }) => id === loop.id)?.outcome); // completed
 * ```
 */
export declare function listRuns(
  options?: StoredRunsOptions & {
    projectDir?: string;
  },
): Promise<RunList>;

/**
 * Names one run, of this program or of any other.
 *
 * @example
 * ```ts
 * import { type NamedRunOptions, showRun } from "ralph";
 *
 * const named: NamedRunOptions = { runId: "20261116-120000-abcd" };
 * showRun(named).catch((error: Error) => console.log(error.message));
 * ```
 */
export type NamedRunOptions = StoredRunsOptions & {
  /** The id of a run or of a living session, or a part of it that means only one. */
  runId: string;
};

/**
 * Asks a run of another process to pause and waits until it has heard that: its operation finishes, nothing new starts.
 *
 * @example
 * ```ts
 * import { pauseRun } from "ralph";
 *
 * const paused = pauseRun({ runId: "20261116-120000-abcd" });
 * paused.then(({ activity }) => console.log(activity)).catch((error: Error) => console.log(error.message));
 * ```
 */
export declare function pauseRun(options: NamedRunOptions): Promise<RunSummary>;

/**
 * What `listRuns` finds. `problems` says in one sentence each what could not be read.
 *
 * @example
 * ```ts
 * import { listRuns, type RunList } from "ralph";
 *
 * const { runs, problems }: RunList = await listRuns();
 * console.log(runs.length, problems.length);
 * ```
 */
export type RunList = {
  runs: ListedRun[];
  problems: string[];
};

/**
 * Reads one run, also one that lives in another process or in a session of a host.
 *
 * @example
 * ```ts
 * import { runLoop, showRun } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * await loop.outcome;
 * const { summary, view } = await showRun({ runId: loop.id });
 * console.log(summary.outcome, view.iterations.length); // completed 1
 * ```
 */
export declare function showRun(options: NamedRunOptions): Promise<FoundRun>;

/**
 * Where runs are looked for: those of this user unless told.
 *
 * @example
 * ```ts
 * import { listRuns, type StoredRunsOptions } from "ralph";
 *
 * const place: StoredRunsOptions = { stateFolder: "state" };
 * console.log((await listRuns(place)).runs.length);
 * ```
 */
export type StoredRunsOptions = {
  /** Holds the store and the living sessions; that of this user unless told. */
  stateFolder?: string;
  /** Another store than the one in the state folder. It is not closed. */
  store?: Store;
};

/**
 * A run as `ralph status --json` shows it.
 *
 * @example
 * ```ts
 * import { listRuns, type RunSummary } from "ralph";
 *
 * const isLiving = ({ state }: RunSummary): boolean => state === "running" || state === "paused";
 * console.log((await listRuns()).runs.filter(isLiving).length);
 * ```
 */
export type RunSummary = {
  id: string;
  project: string;
  kind: string;
  /** `died`: its driver is gone without an outcome, by kill -9 for example; it can be resumed. */
  state: "running" | "paused" | "died" | "ended";
  outcome: OutcomeName | null;
  /** Only of a completed run: whether evidence was looked at, or only the agent's word. */
  isVerified?: boolean;
  reason: string | null;
  iteration: number;
  maxIterations: number | null;
  startedAt: string;
  endedAt: string | null;
  spend: Spend;
  /** What it is about, in one line: the beginning of its prompt, its file, its tasks. */
  topic: string;
  /** The program's name without its folder; null: none is configured. */
  agent: string | null;
  model: string | null;
  /** What it does now; null when nobody is at work on it. */
  activity: string | null;
  /** What the checks of the last iteration came to, in a few words. */
  lastChecks: string | null;
  /** What it waits for, in words, and until when if that is known. */
  waitingFor: string | null;
  waitingUntil: string | null;
  /** What a person can do next: words and a command. */
  next: NextCommand | null;
  /** Only of a session without a loop: what its last stop came to. */
  lastStop?: NativeVerdict["kind"];
  /** Only of a role's run on a task: which, and whose child it is. */
  task?: string;
  role?: string;
  round?: number;
  work?: string;
};

/**
 * A named outcome with its one sentence, the same everywhere it is shown.
 *
 * @example
 * ```ts
 * import { type Outcome } from "ralph";
 *
 * const isProven = ({ name, isVerified }: Outcome): boolean => name === "completed" && isVerified !== false;
 * console.log(isProven({ name: "completed", reason: "The agent says so.", isVerified: false })); // false
 * ```
 */
export type Outcome = {
  name: OutcomeName;
  reason: string;
  /** Only of `completed`: whether evidence was looked at, or only the agent's word. */
  isVerified?: boolean;
};

/**
 * How a run ended. `completed` and `cancelled` are final; the others can be resumed.
 *
 * @example
 * ```ts
 * import { type OutcomeName } from "ralph";
 *
 * const needsPerson: OutcomeName[] = ["waiting", "failed"];
 * console.log(needsPerson.includes("waiting"));
 * ```
 */
export type OutcomeName = "completed" | "exhausted" | "failed" | "waiting" | "stopped" | "cancelled" | "interrupted";

/**
 * Exit codes of all commands.
 *
 * @example
 * ```ts
 * import { exitCodes, type Outcome } from "ralph";
 *
 * const outcome: Outcome = { name: "completed", reason: "Every check is green." };
 * process.exitCode = exitCodes[outcome.name]; // 0
 * ```
 */
export declare const exitCodes: Record<OutcomeName, number>;

/**
 * The one error people meet. The message names the thing and the value found, the hint the remedy.
 *
 * @example
 * ```ts
 * import { createMessageBus, RalphError } from "ralph";
 *
 * try {
 *   createMessageBus({ path: "" });
 * } catch (error) {
 *   if (error instanceof RalphError) console.log(error.code, error.message, error.hint);
 * }
 * ```
 */
export declare class RalphError extends Error {
  readonly name = "RalphError";
  readonly code: RalphErrorCode;
  readonly hint: string | null;
  constructor(code: RalphErrorCode, message: string, hint?: string | null, cause?: unknown);
}

/**
 * Every code a person can meet; closed, so that remedies can be written for each.
 *
 * @example
 * ```ts
 * import { type RalphErrorCode } from "ralph";
 *
 * const isMine: Partial<Record<RalphErrorCode, boolean>> = { usage: true, settings: true, prompt: true };
 * console.log(isMine["locked"] ?? false);
 * ```
 */
export type RalphErrorCode =
  | "usage"
  | "settings"
  | "agent"
  | "prompt"
  | "file"
  | "locked"
  | "lost-lock"
  | "own-run"
  | "not-found"
  | "not-resumable"
  | "store"
  | "scm"
  | "sim"
  | "bus"
  | "unknown-message"
  | "supervised"
  | "task"
  | "contract"
  | "conflict";

/**
 * What done means for a task: its outcome, its acceptance criteria, and a criterion per role.
 *
 * @example
 * ```ts
 * import { type CompletionDocument, verifyCriteria } from "ralph";
 *
 * const criteria: CompletionDocument = {
 *   outcome: "Users sign in with a token.",
 *   acceptance_criteria: ["POST /login returns a token"],
 *   tester: { promise: "TESTS_PASS", verification_method: "external", verification_config: { command: "exit 1" } },
 * };
 * console.log((await verifyCriteria({ criteria })).verdicts[0]?.reason);
 * ```
 */
export type CompletionDocument = {
  outcome: string;
  acceptance_criteria: readonly string[];
} & {
  [Name in Role]?: CriterionDocument | null;
};

/**
 * A criterion with the names that a task file uses.
 *
 * @example
 * ```ts
 * import { type CriterionDocument, verifyCriteria } from "ralph";
 *
 * const criteria: CriterionDocument = {
 *   promise: "BUILT",
 *   verification_method: "external",
 *   verification_config: { command: "true" },
 * };
 * console.log((await verifyCriteria({ criteria })).isPassed); // true
 * ```
 */
export type CriterionDocument = {
  promise: string;
  description?: string;
  /** `string_match` when it is left out. */
  verification_method?: VerificationMethod;
  /** The keys of the method: `command`, `check_for`, `stages` … */
  verification_config?: Readonly<Record<string, unknown>>;
  max_iterations?: number | null;
};

/**
 * A task with the names that a task file uses. `completion_spec` is another name of `completion`, `spec_id` of `spec`.
 *
 * @example
 * ```ts
 * import { type TaskDocument, verifyCriteria } from "ralph";
 *
 * const task: TaskDocument = { id: "login", title: "Sign in" };
 * const { verdicts } = await verifyCriteria({ task, role: "tester", settings: { verifyCommand: "true" } });
 * console.log(verdicts[0]?.promise, verdicts[0]?.isPassed); // TESTS_PASSED true
 * ```
 */
export type TaskDocument = {
  id: string;
  title: string;
  spec?: string;
  spec_id?: string;
  description?: string;
  priority?: number;
  dependencies?: readonly string[];
  assignee?: string | null;
  metadata?: Readonly<Record<string, unknown>>;
  completion?: CompletionDocument | null;
  completion_spec?: CompletionDocument | null;
};

/**
 * What was found.
 *
 * @example
 * ```ts
 * import { type CriteriaResult, verifyCriteria } from "ralph";
 *
 * const result: CriteriaResult = await verifyCriteria({ criteria: { promise: "DONE" } });
 * process.exitCode = result.isVerified ? 0 : 1;
 * ```
 */
export type CriteriaResult = {
  /** Every criterion passed. */
  isPassed: boolean;
  /** They passed, and at least one of them looked at more than the agent's word. */
  isVerified: boolean;
  verdicts: CriterionVerdict[];
};

/**
 * The verdict on one criterion, with its evidence.
 *
 * @example
 * ```ts
 * import { type CriterionVerdict, verifyCriteria } from "ralph";
 *
 * const line = ({ name, isPassed, reason }: CriterionVerdict): string => `${isPassed ? "green" : "red"}: ${name}: ${reason}`;
 * console.log((await verifyCriteria({ criteria: { promise: "DONE" } })).verdicts.map(line));
 * ```
 */
export type CriterionVerdict = {
  role: Role;
  promise: string;
  /** The criterion's description, or its promise where it has none. */
  name: string;
  method: VerificationMethod;
  isPassed: boolean;
  /** It passed by the agent's word alone: nothing was looked at. */
  isUnverified: boolean;
  /** The judge gave no answer, so nothing is known of the work. */
  isUnasked: boolean;
  /** One sentence: why it passed or not. */
  reason: string;
  exitCode: number;
  isTimedOut: boolean;
  durationMs: number;
  /** The end of what the check printed. */
  output: string;
  /** All of it, with `logDir`. */
  logFile: string | null;
  /** What each stage of `multi_stage` found. */
  stages: StageVerdict[];
};

/**
 * Verifies criteria of a task in a project directory by the methods they name (`string_match`, `external`, `semantic`,
 * `multi_stage`, `custom`), with the same code that verifies a claim in a run. It starts no run and stores nothing.
 *
 * @example
 * ```ts
 * import { verifyCriteria } from "ralph";
 *
 * const { isPassed, verdicts } = await verifyCriteria({
 *   projectDir: ".",
 *   criteria: {
 *     promise: "FILES_CREATED",
 *     description: "The page exists",
 *     verification_method: "external",
 *     verification_config: { command: "test -f index.html" },
 *   },
 * });
 * console.log(isPassed, verdicts[0]?.reason); // false Command exited with 1, expected 0
 * ```
 */
export declare function verifyCriteria(options?: VerifyCriteriaOptions): Promise<CriteriaResult>;

/**
 * What is verified, and where. Give `criteria` or `task`; without both the project's `ralph/criteria.yaml` counts.
 *
 * @example
 * ```ts
 * import { verifyCriteria, type VerifyCriteriaOptions } from "ralph";
 *
 * const options: VerifyCriteriaOptions = {
 *   criteria: { promise: "DONE" },
 *   turnText: "It works.\n<promise>DONE</promise>",
 *   timeoutMs: 60_000,
 * };
 * // The criterion is met, but by the agent's word alone.
 * console.log((await verifyCriteria(options)).isVerified); // false
 * ```
 */
export type VerifyCriteriaOptions = CriteriaSource & {
  /** The work tree; the current directory. */
  projectDir?: string;
  /** What the agent said in the turn that claims: `string_match` and `semantic` look at it. */
  turnText?: string;
  /** A judge sees the changes since this commit; HEAD. */
  startCommit?: string;
  /** Settings over those of the project, such as `{ verification: { judge: { agent: "claude" } } }`. */
  settings?: Readonly<Record<string, unknown>>;
  /** Keeps the whole output of every check in this directory, which is made. */
  logDir?: string;
  /** Time for all criteria together, in milliseconds; without it each method keeps its own limit. */
  timeoutMs?: number;
  /** Ends the verification with every process it started; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called for problems without a verdict, such as a judge that is asked again. What it throws or rejects with is ignored. */
  onNote?: (text: string) => void;
};

/**
 * Verifies commits by the checks of their base in a sealed copy, without any loop: the same verification that a claim gets in a
 * run. Rejects with a `RalphError` where that is impossible, for example when the base has no check. The work tree, the index and the
 * references of the repository stay as they are.
 *
 * @example
 * ```ts
 * import { verify } from "ralph";
 *
 * export async function isMergeable(topic: string): Promise<boolean> {
 *   const { verdict, reasons } = await verify({ base: "main", head: topic });
 *   for (const reason of reasons) console.log(reason);
 *   return verdict === "verified";
 * }
 * ```
 */
export declare function verify(options?: VerifyOptions): Promise<Verification>;

/**
 * Which commits are verified.
 *
 * @example
 * ```ts
 * import { type VerifyOptions } from "ralph";
 *
 * const options: VerifyOptions = { base: "origin/main", head: "HEAD", onProgress: (line) => console.error(line) };
 * console.log(options.base);
 * ```
 */
export type VerifyOptions = {
  /** A directory of the repository; the current one. */
  projectDir?: string;
  /** What the work began with; where `head` parted from the upstream's default branch. */
  base?: string;
  /** What is verified; HEAD. */
  head?: string;
  /** Verify what the index holds instead of `head`. */
  isStaged?: boolean;
  /** Ends the verification with every process it started; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Told what is done, one line each. What it throws is ignored. */
  onProgress?: (line: string) => void;
};

/**
 * A candidate and everything that was found out about it.
 *
 * @example
 * ```ts
 * import { type Verification } from "ralph";
 *
 * const codes: Record<Verification["verdict"], number> = { verified: 0, refused: 1, disputed: 3 };
 * console.log(codes["refused"]);
 * ```
 */
export type Verification = {
  verdict: VerificationVerdict;
  /** Why it is not verified, one sentence per check; empty when it is. */
  reasons: string[];
  base: NamedTree;
  candidate: NamedTree;
  contract: {
    hash: string;
    revision: number;
  };
  seal: {
    hash: string;
    isolation: "namespace" | "copy";
    problem: string | null;
  };
  checks: VerifiedCheck[];
  commands: SealedCommandEnd[];
  /** Programs that the checks start, by the hash of their files. */
  tools: {
    name: string;
    sha256: string;
  }[];
  /** Programs and models that were asked for their judgement. */
  judges: {
    program: string;
    model: string | null;
  }[];
  /** Only this step of the sealed verification was asked for; null: all of them were. */
  step: string | null;
  durationMs: number;
};

/**
 * One check of a verification, as it ended.
 *
 * @example
 * ```ts
 * import { type VerifiedCheck } from "ralph";
 *
 * const line = ({ name, isPassed, reason }: VerifiedCheck): string => `${isPassed ? "green" : "red"}: ${name}: ${reason}`;
 * console.log(typeof line);
 * ```
 */
export type VerifiedCheck = {
  /** The id of its gate in the contract. */
  gate: string;
  /** Its command, the name of its criterion, or its step. */
  name: string;
  isPassed: boolean;
  /** It ran in a sealed copy. */
  isSealed: boolean;
  /** It passed without looking at the work. */
  isUnverified: boolean;
  exitCode: number;
  isTimedOut: boolean;
  durationMs: number;
  /** One sentence. */
  reason: string;
  /** What the report of its tests showed; null: only the exit code tells. */
  tests: TestSummary | null;
  /** What it printed, shortened. */
  output: string;
  /** The hash of everything it printed; null: nothing was kept. */
  log: string | null;
};

/**
 * One message of a bus. Types are free text; INFO, WARNING, ERROR, FACT and the like are in use.
 *
 * @example
 * ```ts
 * import { type BusMessage, createMessageBus } from "ralph";
 *
 * const bus = createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" });
 * const message: BusMessage = await bus.post({ type: "FACT", body: "The build is green." });
 * console.log(message.id, message.at);
 * ```
 */
export type BusMessage = {
  id: string;
  /** UTC, as the file has it. */
  at: string;
  type: string;
  /** Empty only in messages of the old one-line form. */
  projectId: string;
  taskId: string | null;
  runId: string | null;
  issueId: string | null;
  parents: MessageParent[];
  links: MessageLink[];
  meta: Record<string, string>;
  body: string;
};

/**
 * A place a message points to.
 *
 * @example
 * ```ts
 * import { type MessageLink } from "ralph";
 *
 * const link: MessageLink = { url: "https://example.com/build/7", label: "build 7", kind: null };
 * console.log(link.label);
 * ```
 */
export type MessageLink = {
  url: string;
  label: string | null;
  kind: string | null;
};

/**
 * A message that answers or follows another one.
 *
 * @example
 * ```ts
 * import { type MessageParent } from "ralph";
 *
 * const parent: MessageParent = { messageId: "MSG-1", kind: "answers", meta: {} };
 * console.log(parent.kind);
 * ```
 */
export type MessageParent = {
  messageId: string;
  kind: string | null;
  meta: Record<string, string>;
};

/**
 * Where a bus is, and what its place says about its messages.
 *
 * @example
 * ```ts
 * import { type BusDiscovery, createMessageBus } from "ralph";
 *
 * const found: BusDiscovery = createMessageBus({ path: "shop/task-001/TASK-MESSAGE-BUS.md" }).discover();
 * console.log(found.projectId, found.taskId); // shop task-001
 * ```
 */
export type BusDiscovery = {
  path: string;
  kind: "task" | "project" | "other";
  projectId: string | null;
  taskId: string | null;
};

/**
 * Which messages are followed. Without `since` and `tail` only those that come.
 *
 * @example
 * ```ts
 * import { type BusFollowOptions } from "ralph";
 *
 * const options: BusFollowOptions = { tail: 10, type: "FACT", signal: AbortSignal.timeout(60_000) };
 * console.log(options.tail);
 * ```
 */
export type BusFollowOptions = BusReadOptions & {
  /** Ends the following; what was read until then is delivered. */
  signal?: AbortSignal;
};

/**
 * Which messages are read. Without `since` and `tail` all of them.
 *
 * @example
 * ```ts
 * import { type BusReadOptions, createMessageBus } from "ralph";
 *
 * const options: BusReadOptions = { tail: 20 };
 * console.log((await createMessageBus({ path: "MESSAGE-BUS.md" }).read(options)).length);
 * ```
 */
export type BusReadOptions = {
  /** Only those after the message with this id. */
  since?: string;
  /** Only the last so many. */
  tail?: number;
  /** Only those of this type. */
  type?: string;
};

/**
 * Opens the message bus of a task or a project.
 *
 * @example
 * ```ts
 * import { createMessageBus } from "ralph";
 *
 * const bus = createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" });
 * const first = await bus.post({ body: "It begins." });
 * await bus.post({ type: "FACT", body: "The build is green.", parents: [{ messageId: first.id }] });
 * for await (const { type, body } of bus.follow({ since: first.id })) {
 *   console.log(type, body); // FACT The build is green.
 *   break;
 * }
 * ```
 */
export declare function createMessageBus(options: MessageBusOptions): MessageBus;

/**
 * A bus that any number of programs write to at once. Every error is a `RalphError`.
 *
 * @example
 * ```ts
 * import { createMessageBus, type MessageBus } from "ralph";
 *
 * const tell = async (bus: MessageBus, body: string): Promise<string> => (await bus.post({ body })).id;
 * console.log(await tell(createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" }), "It begins."));
 * ```
 */
export type MessageBus = {
  path: string;
  /** Appends one message and returns it with its id. Rejects with code `bus` when it did not get onto the disk. */
  post(message: NewMessage): Promise<BusMessage>;
  /** Messages, oldest first, archives included; none where there is no bus yet. Code `unknown-message` for `since`. */
  read(options?: BusReadOptions): Promise<BusMessage[]>;
  /** Messages as they come, each once, across rotations. A bus that is not there yet is waited for. */
  follow(options?: BusFollowOptions): AsyncIterable<BusMessage>;
  discover(): BusDiscovery;
};

/**
 * Which bus, and what its messages say unless they say otherwise. Give `path` or `projectDir`.
 *
 * @example
 * ```ts
 * import { createMessageBus, type MessageBusOptions } from "ralph";
 *
 * const options: MessageBusOptions = { path: "MESSAGE-BUS.md", projectId: "shop", pollIntervalMs: 100 };
 * console.log(createMessageBus(options).path);
 * ```
 */
export type MessageBusOptions = {
  /** The file; the first message makes it. */
  path?: string;
  /** The nearest bus in this directory or above it: `TASK-MESSAGE-BUS.md`, `PROJECT-MESSAGE-BUS.md`, `MESSAGE-BUS.md`. */
  projectDir?: string;
  /** Of every message; where the path of the bus tells it, that is the default. */
  projectId?: string;
  taskId?: string;
  /** How often a follower looks for new messages, in milliseconds (500). */
  pollIntervalMs?: number;
};

/**
 * A message to post. Its id and its time are given to it.
 *
 * @example
 * ```ts
 * import { createMessageBus, type NewMessage } from "ralph";
 *
 * const message: NewMessage = { type: "ISSUE", body: "The login page is empty.", links: [{ url: "https://example.com" }] };
 * console.log((await createMessageBus({ path: "MESSAGE-BUS.md", projectId: "shop" }).post(message)).issueId);
 * ```
 */
export type NewMessage = {
  body: string;
  /** `INFO` unless said; FACT, ISSUE, WARNING, ERROR and the like are in use. */
  type?: string;
  projectId?: string;
  taskId?: string;
  runId?: string;
  issueId?: string;
  parents?: readonly (Pick<MessageParent, "messageId"> & Partial<MessageParent>)[];
  links?: readonly (Pick<MessageLink, "url"> & Partial<MessageLink>)[];
  meta?: Readonly<Record<string, string>>;
};

/**
 * Reads the output of one turn. Never throws because of what the bytes are.
 *
 * @example
 * ```ts
 * import { type AgentStreamReader, createStreamReader } from "ralph";
 *
 * const readers = new Map<string, AgentStreamReader>([["turn-1", createStreamReader("command")]]);
 * console.log(readers.get("turn-1")?.push("Hello.\n").length);
 * ```
 */
export type AgentStreamReader = {
  /** The name of the adapter that reads. */
  agent: string;
  /** The events that this piece of output completes; it may be cut anywhere. Throws code `usage` after the end. */
  push(chunk: Uint8Array | string): AgentEvent[];
  /** Call it once, when no more output can come: the last events, and the report on the turn. */
  end(process?: StreamEnd): {
    events: AgentEvent[];
    report: TurnReport;
  };
};

/**
 * Reads what an agent program prints, in its own format, into events and a report that are the same for all agents.
 *
 * @example
 * ```ts
 * import { spawn } from "node:child_process";
 * import { createStreamReader } from "ralph";
 *
 * const reader = createStreamReader("command", { promise: "DONE" });
 * const agent = spawn("echo", ["<promise>DONE</promise>"]);
 * for await (const chunk of agent.stdout) for (const event of reader.push(chunk)) console.log(event.type);
 * console.log(reader.end({ exitCode: agent.exitCode }).report.claims.isPromised); // true
 * ```
 */
export declare function createStreamReader(agent: string, options?: StreamReaderOptions): AgentStreamReader;

/**
 * The agents whose output can be read.
 *
 * @example
 * ```ts
 * import { streamAgents } from "ralph";
 *
 * console.log(streamAgents().join(", "));
 * ```
 */
export declare function streamAgents(): string[];

/**
 * How the process of the agent ended, as far as the caller knows it.
 *
 * @example
 * ```ts
 * import { createStreamReader, type StreamEnd } from "ralph";
 *
 * const end: StreamEnd = { exitCode: 1, errorOutput: "out of memory" };
 * console.log(createStreamReader("command").end(end).report.errorOutput);
 * ```
 */
export type StreamEnd = Partial<Pick<TurnReport, "exitCode" | "signal" | "errorOutput">>;

/**
 * What the stream is, and what counts as a claim in it.
 *
 * @example
 * ```ts
 * import { createStreamReader, type StreamReaderOptions } from "ralph";
 *
 * const options: StreamReaderOptions = { promise: "SHIPPED", placement: "own-line" };
 * console.log(createStreamReader("command", options).agent);
 * ```
 */
export type StreamReaderOptions = {
  /** The text of a claim: `<promise>TEXT</promise>`. The default of the setting `completionResponse`. */
  promise?: string;
  /** Where a claim may stand; in a sentence of its own. */
  placement?: "own-sentence" | "own-line" | "anywhere";
  /** The flags the agent was started with: some change the form of its output. */
  flags?: readonly string[];
  /** What the agent was asked: an exact echo of it in plain text is not the agent's word. */
  prompt?: string;
};

/**
 * What any agent's stream says, in one vocabulary. Adapters translate into this; nothing of one agent leaks further in.
 * `isSub` marks words and tools of a sub-agent: they are shown, but they never claim.
 *
 * @example
 * ```ts
 * import { type AgentEvent, createStreamReader } from "ralph";
 *
 * const words = (events: AgentEvent[]): string => events.map((event) => (event.type === "text" ? event.text : "")).join("");
 * console.log(words(createStreamReader("command").push("Hello.\n")));
 * ```
 */
export type AgentEvent =
  | {
      type: "session";
      sessionId: string;
      model: string | null;
    }
  /** Visible assistant text. Texts with equal `messageId` are joined by nothing, others by a newline. */
  | {
      type: "text";
      text: string;
      messageId: string;
      isSub: boolean;
    }
  | {
      type: "thinking";
      text: string;
      isSub: boolean;
    }
  /** `canChange`: the tool may change files (an edit or a shell command). `isTodo`: a `todo` event says what it does. */
  | {
      type: "tool-started";
      toolId: string;
      name: string;
      summary: string;
      canChange: boolean;
      isSub: boolean;
      isTodo?: true;
    }
  | {
      type: "tool-ended";
      toolId: string;
      name: string | null;
      output: string;
      isError: boolean;
      isDenied: boolean;
    }
  | {
      type: "todo";
      items: TodoItem[];
    }
  /** The spend of this turn so far (a running total, not a difference). */
  | {
      type: "usage";
      spend: Spend;
    }
  | {
      type: "retry";
      attempt: number;
      attemptsMax: number | null;
      delayMs: number | null;
      reason: string;
    }
  /** A warning of the agent program itself. */
  | {
      type: "notice";
      text: string;
    }
  /** The agent's own closing word; the last one counts. `text` claims only when no assistant text was seen. */
  | {
      type: "result";
      isSuccess: boolean;
      text: string | null;
      failure: Failure | null;
      spend: Spend | null;
    };

/**
 * Why a turn went wrong, as the agent's structured fields and exit codes tell it; never guessed from prose.
 *
 * @example
 * ```ts
 * import { type Failure } from "ralph";
 *
 * const isWorthWaiting = ({ kind, resetAt }: Failure): boolean => kind === "limit" && resetAt !== null;
 * console.log(isWorthWaiting({ kind: "limit", message: "Usage limit reached.", resetAt: Date.now() + 60_000 }));
 * ```
 */
export type Failure = {
  /** `authentication` and `model` cannot be cured by trying again; `limit` can, after `resetAt`. */
  kind: "authentication" | "model" | "limit" | "other";
  message: string;
  /** When a usage limit ends, in ms since the epoch; null when the agent did not say. */
  resetAt: number | null;
};

/**
 * One item of an agent's own todo list.
 *
 * @example
 * ```ts
 * import { type TodoItem } from "ralph";
 *
 * const todos: TodoItem[] = [{ text: "Write the test", status: "done" }, { text: "Make it green", status: "active" }];
 * console.log(todos.filter(({ status }) => status === "done").length);
 * ```
 */
export type TodoItem = {
  text: string;
  status: "pending" | "active" | "done";
};

/**
 * What agent work has cost so far. `usd` is null when the agent does not report a price: unknown is never zero.
 *
 * @example
 * ```ts
 * import { createStreamReader, type Spend } from "ralph";
 *
 * const tokens = ({ inputTokens, outputTokens }: Spend): number => inputTokens + outputTokens;
 * console.log(tokens(createStreamReader("command").end().report.spend));
 * ```
 */
export type Spend = {
  usd: number | null;
  /** Part of the work has no known price: `usd` is the least it cost. */
  isPartial?: true;
  /** The agent told tokens only: `usd` comes from a price table, at least in part. */
  isEstimated?: true;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
};

/**
 * Everything the engine learns of one turn: facts, no judgement.
 *
 * @example
 * ```ts
 * import { createStreamReader, type TurnReport } from "ralph";
 *
 * const hasClaimed = ({ claims }: TurnReport): boolean => claims.isPromised;
 * const reader = createStreamReader("command", { promise: "DONE" });
 * reader.push("It works.\n<promise>DONE</promise>\n");
 * console.log(hasClaimed(reader.end({ exitCode: 0 }).report)); // true
 * ```
 */
export type TurnReport = {
  startError: StartError | null;
  exitCode: number | null;
  signal: string | null;
  timedOut: "idle" | "wall" | null;
  /** Ended by our own order (cancel, second signal, budget). */
  isCut: boolean;
  /** SIGTERM was not enough. */
  isForced: boolean;
  /** The agent's own last closing word. */
  result: "success" | "error" | "none";
  failure: Failure | null;
  claims: ClaimReport;
  sessionId: string | null;
  spend: Spend;
  /** `changes` and `deniedChanges` count tools that can change files: edits and shell commands. */
  tools: {
    calls: number;
    errors: number;
    denied: number;
    deniedChanges: number;
    changes: number;
  };
  /** What to add to the settings so that edits are allowed; from the adapter, when edits were denied. */
  deniedRemedy: string | null;
  /** Whether work tree or commits changed during the turn; null when nobody looked. */
  isTreeChanged: boolean | null;
  output: {
    bytes: number;
    lines: number;
    unparsedLines: number;
  };
  /** The agent ended without a word and without a tool. */
  isEmpty: boolean;
  /** Null in runs that are not supervised. */
  supervised: SupervisedEnd | null;
  /** The DONE file or the wait file was there before the turn, or the turn only looked for them: no agent was started. */
  isSkipped: boolean;
  /** Both ends of what the program wrote on standard error: shown to people, never judged. */
  errorOutput: string;
  /** Processes of the turn that could not be ended. */
  survivors: number[];
};

/**
 * What happens in a run: something was seen and ordered, or the shell has a remark.
 *
 * @example
 * ```ts
 * import { type JournalNews } from "ralph";
 *
 * const note: JournalNews = { kind: "note", at: Date.now(), level: "info", text: "The disk is nearly full." };
 * console.log(note.text);
 * ```
 */
export type JournalNews = {
  at: number;
} & (
  | {
      kind: "step";
      observation: Observation;
      effects: Effect[];
    }
  | {
      kind: "note";
      level: "info" | "warning";
      text: string;
      /** Only where a newer version took the run over: entries after this one fold on from its state. */
      upgraded?: UpgradeRecord;
      /** Only in an imported session run: lines of the session did not fold, so the entries before this one are not whole. */
      isGap?: true;
    }
);

/**
 * One step of a work run, whose engine is another one.
 *
 * @example
 * ```ts
 * import { type WorkStepNews } from "ralph";
 *
 * const line = ({ observation, effects }: WorkStepNews): string => `${observation.type}: ${effects.length} orders`;
 * console.log(typeof line);
 * ```
 */
export type WorkStepNews = {
  at: number;
  kind: "work-step";
  observation: WorkObservation;
  effects: WorkEffect[];
};

/**
 * Adds one entry to the view; the whole view is `entries.reduce(foldEntry, emptyView)`.
 *
 * @example
 * ```ts
 * import { emptyView, foldEntry, runLoop } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * let view = emptyView;
 * for await (const event of loop.events) if (event.kind === "entry") view = foldEntry(view, event.entry);
 * console.log(view.outcome?.name, view.iterations.length);
 * ```
 */
export declare function foldEntry(view: RunView, entry: JournalNews | WorkStepNews): RunView;

/**
 * A run nothing is known of.
 *
 * @example
 * ```ts
 * import { emptyView, foldEntry, type JournalNews } from "ralph";
 *
 * const journal: JournalNews[] = [{ kind: "note", at: 0, level: "info", text: "A remark." }];
 * console.log(journal.reduce(foldEntry, emptyView).notes.length); // 1
 * ```
 */
export declare const emptyView: RunView;

/**
 * One iteration as people see it. A turn repeated after a crash is an iteration view of its own with the same number.
 *
 * @example
 * ```ts
 * import { type IterationView } from "ralph";
 *
 * const redChecks = ({ guardrails }: IterationView): string[] =>
 *   guardrails.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
 * console.log(typeof redChecks);
 * ```
 */
export type IterationView = {
  number: number;
  effectId: number;
  startedAt: number;
  endedAt: number | null;
  /** What the agent was, and on which task, in a run with a task list. */
  assignment: Assignment | null;
  /** What the prompt told the agent about the iteration before. */
  feedback: Feedback[];
  report: TurnReport | null;
  /** Checks told by their output, in the order they ran. */
  guardrails: ShownVerdict[];
  /** Checks told by their reason. */
  criteria: ShownVerdict[];
  delivery: {
    commit: string | null;
    problem: string | null;
  } | null;
  /** Illegal edits of the task list that were undone after the turn. */
  violations: string[];
};

/**
 * What every view of a run reads: a fold of its journal.
 *
 * @example
 * ```ts
 * import { emptyView, type RunView } from "ralph";
 *
 * const tookMs = ({ startedAt, endedAt }: RunView): number => (endedAt ?? Date.now()) - (startedAt ?? Date.now());
 * console.log(tookMs(emptyView));
 * ```
 */
export type RunView = {
  startedAt: number | null;
  endedAt: number | null;
  iterations: IterationView[];
  outcome: Outcome | null;
  notes: {
    at: number;
    level: "info" | "warning";
    text: string;
  }[];
  /** The order of the turn being prepared, until its process starts. */
  next: Pick<IterationView, "feedback" | "number" | "assignment"> | null;
  /** The gate in flight, or the last one. */
  gate: Gate | null;
  /** Time spent waiting for usage limits to end, without a wait that is not over. */
  limitMs: number;
  /** Since when it waits for a usage limit to end. */
  limitSince: number | null;
};

/**
 * A run as `ralph show` prints it: the outcome first, then each iteration with its evidence.
 *
 * @example
 * ```ts
 * import { emptyView, foldEntry, formatRun, runLoop, wire } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * let view = emptyView;
 * for await (const event of loop.events) if (event.kind === "entry") view = foldEntry(view, event.entry);
 * const { store } = await wire();
 * const [run] = await store.find(loop.id);
 * if (run !== undefined) console.log(formatRun({ run, view }));
 * await store.close();
 * ```
 */
export declare function formatRun(shown: ShownRun): string;

/**
 * A run to show: its record of the store, and the fold of its journal.
 *
 * @example
 * ```ts
 * import { formatRun, type ShownRun } from "ralph";
 *
 * const print = (shown: ShownRun): void => console.log(formatRun({ ...shown, isDriven: false }));
 * console.log(typeof print);
 * ```
 */
export type ShownRun = {
  run: RunRecord;
  view: RunView;
  /** The state folder: paths of evidence begin with it. */
  folder?: string;
  /** Whether a driver is at work on it; a run without an outcome is taken for one that is. */
  isDriven?: boolean;
};

/**
 * Makes a loop for a host's sessions (S0-06, S0-08).
 *
 * @example
 * ```ts
 * import { createRalphLoopHook } from "ralph";
 *
 * const messages = [{ role: "user", content: "Fix the tests." }];
 * const hook = createRalphLoopHook({
 *   workdir: process.cwd(),
 *   config: { stateDir: "loops", continuationDelay: 0 },
 *   getMessages: async () => messages,
 *   injectPrompt: async (_, prompt) => void messages.push({ role: "user", content: prompt }),
 *   criteria: null,
 * });
 * hook.startLoop("session-1", "Fix the tests.", { maxIterations: 25 });
 * messages.push({ role: "assistant", content: "They are green.\n<promise>DONE</promise>" });
 * await hook.handler({ event: "session.idle", sessionId: "session-1" });
 * await hook.settled();
 * console.log(hook.isLoopActive("session-1")); // false
 * hook.dispose();
 * ```
 */
export declare function createRalphLoopHook(options?: RalphLoopOptions): RalphLoopHook;

/**
 * The events a loop lives on (S0-08), and the word of a person where the host tells of it.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type RalphLoopEvent } from "ralph";
 *
 * const event: RalphLoopEvent = { event: "session.deleted", sessionId: "session-1" };
 * const hook = createRalphLoopHook();
 * await hook.handler(event);
 * hook.dispose();
 * ```
 */
export type RalphLoopEvent = {
  event: string;
  sessionId?: string;
  data?: unknown;
};

/**
 * A loop for the sessions of a host. Its handler never throws: a hook of ours never breaks its host.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type RalphLoopHook } from "ralph";
 *
 * const registry = new Map<string, RalphLoopHook>();
 * const hook = createRalphLoopHook();
 * registry.set(hook.name, hook);
 * console.log(registry.get("ralph-loop")?.events);
 * hook.dispose();
 * ```
 */
export type RalphLoopHook = {
  name: string;
  description: string;
  /** Recovery hooks come first. */
  priority: number;
  /** A list of its own, typed as narrowly as hosts type theirs. */
  events: ("session.idle" | "session.error" | "session.deleted")[];
  handler(event: RalphLoopEvent): Promise<void>;
  /** The first prompt is the caller's to give. False, with a warning, when there is no loop now. */
  startLoop(sessionId: string, prompt: string, options?: StartLoopOptions): boolean;
  cancelLoop(sessionId: string): boolean;
  /** Without a session, the newest loop of the directory. */
  getState(sessionId?: string): RalphLoopState | null;
  isLoopActive(sessionId: string): boolean;
  /** Settles when what is known of one session is heard: a prompt given after it is not taken for an older one. */
  heard(sessionId: string): Promise<void>;
  /** Settles when nothing is at work and no continuation waits. */
  settled(): Promise<void>;
  /** Drops every wait; stored loops continue with the next idle event of their session. */
  dispose(): void;
};

/**
 * What a host offers; every callback is optional, guarded and limited to five seconds (S0-07, CW-0J).
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type RalphLoopOptions } from "ralph";
 *
 * const options: RalphLoopOptions = {
 *   workdir: process.cwd(),
 *   getMessages: async () => [{ role: "assistant", content: "<promise>DONE</promise>" }],
 *   injectPrompt: async (sessionId, prompt) => console.log(sessionId, prompt),
 * };
 * createRalphLoopHook(options).dispose();
 * ```
 */
export type RalphLoopOptions = {
  config?: Partial<RalphLoopConfig>;
  /** Where the sessions work; the current directory. */
  workdir?: string;
  /** The name of this program: only its own sessions can be orphans. */
  hostName?: string;
  /** All messages of a session, oldest first. Without it no promise is ever seen. */
  getMessages?: (sessionId: string) => Promise<readonly SessionMessage[]>;
  /** Gives the agent a prompt. Resolving means that it was taken. */
  injectPrompt?: (sessionId: string, prompt: string) => Promise<unknown>;
  showToast?: (toast: Toast) => unknown;
  /** Without it no loop is ever taken for an orphan. */
  checkSessionExists?: (sessionId: string) => Promise<boolean>;
  /** Work that the agent left in the background and that will wake it: the loop waits for it (R-38). */
  hasPendingWork?: (sessionId: string) => Promise<boolean>;
  /**
   * Whether anything has changed since the loop began; null: nobody can tell. With it a loop without checks refuses a
   * promise as long as nothing has.
   */
  hasChanged?: (sessionId: string) => Promise<boolean | null>;
  /**
   * Checks that must pass before a promise completes the loop. Absent: the guardrails and criteria of the project in
   * `workdir`, as they are when the loop starts. Null: none, the promise alone completes.
   */
  criteria?: SessionChecks | null;
  /** The console. */
  log?: LoopLog;
  clock?: Clock;
  /** Instead of files. */
  store?: SessionStore;
  /** Readers of each step of a loop, once it is stored. */
  sinks?: Sink[];
};

/**
 * `/cancel-ralph`: says so when there was nothing to cancel (S0-42).
 *
 * @example
 * ```ts
 * import { cancelLoopCommand, createRalphLoopHook } from "ralph";
 *
 * const hook = createRalphLoopHook({ config: { stateDir: "loops" }, criteria: null });
 * const showToast = ({ title }: { title: string }): void => console.log(title); // No Active Loop
 * console.log(cancelLoopCommand(hook, { showToast }, "session-1")); // false
 * hook.dispose();
 * ```
 */
export declare function cancelLoopCommand(
  hook: Pick<RalphLoopHook, "cancelLoop">,
  host: Pick<LoopCommandHost, "showToast">,
  sessionId: string,
): boolean;

/**
 * What a command needs of its host.
 *
 * @example
 * ```ts
 * import { type LoopCommandHost } from "ralph";
 *
 * const host: LoopCommandHost = { injectPrompt: async (sessionId, prompt) => console.log(sessionId, prompt) };
 * await host.injectPrompt("session-1", "Fix the tests.");
 * ```
 */
export type LoopCommandHost = {
  injectPrompt: (sessionId: string, prompt: string) => Promise<unknown>;
  showToast?: (toast: Toast) => unknown;
};

/**
 * `/ralph "task" …`: starts the loop and, when it started, gives its first prompt (S0-40). A text says what was wrong.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, runLoopCommand } from "ralph";
 *
 * const hook = createRalphLoopHook({ config: { stateDir: "loops" }, criteria: null });
 * const host = { injectPrompt: async (sessionId: string, prompt: string) => console.log(sessionId, prompt) };
 * const problem = await runLoopCommand(hook, host, { sessionId: "session-1", line: '/ralph "Fix the tests"' });
 * console.log(problem ?? "started");
 * hook.dispose();
 * ```
 */
export declare function runLoopCommand(
  hook: Pick<RalphLoopHook, "startLoop" | "cancelLoop">,
  host: LoopCommandHost,
  order: {
    sessionId: string;
    line: string;
  },
): Promise<string | null>;

/**
 * What `/ralph …` asks for.
 *
 * @example
 * ```ts
 * import { type LoopCommand, parseLoopCommand } from "ralph";
 *
 * const command: LoopCommand | string = parseLoopCommand('/ralph "Fix the tests"');
 * console.log(typeof command === "string" ? command : command.prompt); // Fix the tests
 * ```
 */
export type LoopCommand = {
  prompt: string;
  options: StartLoopOptions;
};

/**
 * How `/ralph` is used.
 *
 * @example
 * ```ts
 * import { loopCommandUsage } from "ralph";
 *
 * console.log(`Usage: ${loopCommandUsage}`);
 * ```
 */
export declare const loopCommandUsage = '/ralph "task description" [--max-iterations=N] [--completion-promise=TEXT]';

/**
 * Reads the arguments of `/ralph "task" [--max-iterations=N] [--completion-promise=TEXT]` (S0-40); a text says what is
 * wrong with them. Both options also take their value after a space, in quotes where it has several words (R-51).
 *
 * @example
 * ```ts
 * import { parseLoopCommand } from "ralph";
 *
 * const command = parseLoopCommand('/ralph "Fix all errors" --max-iterations=25 --completion-promise=ALL_FIXED');
 * if (typeof command !== "string") console.log(command.prompt, command.options.maxIterations); // Fix all errors 25
 * ```
 */
export declare function parseLoopCommand(line: string): LoopCommand | string;

/**
 * Removes every loop of a working directory; true also when there was none, false when one could not be removed.
 *
 * @example
 * ```ts
 * import { clearState, readState } from "ralph";
 *
 * console.log(clearState(process.cwd()), readState(process.cwd())); // true null
 * ```
 */
export declare function clearState(workdir: string, stateDir?: string): boolean;

/**
 * Counts one iteration more in the loop of a working directory; null without a loop or when it cannot be stored.
 *
 * @example
 * ```ts
 * import { incrementIteration, writeState } from "ralph";
 *
 * const startedAt = new Date().toISOString();
 * const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", startedAt };
 * writeState(process.cwd(), { ...loop, prompt: "Fix the tests.", sessionId: "session-1" }, "loops");
 * console.log(incrementIteration(process.cwd(), "loops")?.iteration); // 2
 * ```
 */
export declare function incrementIteration(workdir: string, stateDir?: string): RalphLoopState | null;

/**
 * The loop of a working directory, the active one that was started last where several sessions have one; null when there is
 * none or it cannot be read, which the console says.
 *
 * @example
 * ```ts
 * import { readState } from "ralph";
 *
 * const state = readState(process.cwd());
 * console.log(state === null ? "no loop" : `Iteration ${state.iteration}/${state.maxIterations}`);
 * ```
 */
export declare function readState(workdir: string, stateDir?: string): RalphLoopState | null;

/**
 * Stores a loop of a working directory under its session, whole or not at all; false when that fails.
 *
 * @example
 * ```ts
 * import { readState, writeState } from "ralph";
 *
 * const startedAt = new Date().toISOString();
 * const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", startedAt };
 * writeState(process.cwd(), { ...loop, prompt: "Fix the tests.", sessionId: "session-1" }, "loops");
 * console.log(readState(process.cwd(), "loops")?.sessionId); // session-1
 * ```
 */
export declare function writeState(workdir: string, state: RalphLoopState, stateDir?: string): boolean;

/**
 * Whether a text claims the promise, by the rules of every claim (S0-16, CB-01).
 *
 * @example
 * ```ts
 * import { detectCompletionPromise } from "ralph";
 *
 * console.log(detectCompletionPromise("All tests pass.\n<promise>DONE</promise>", "DONE")); // true
 * ```
 */
export declare function detectCompletionPromise(text: string, promise: string): boolean;

/**
 * Whether the agent's own words, from message `since` on, claim the promise.
 *
 * @example
 * ```ts
 * import { detectInMessages } from "ralph";
 *
 * const messages = [{ role: "user", content: "Fix it." }, { role: "assistant", content: "<promise>DONE</promise>" }];
 * console.log(await detectInMessages(messages, "DONE")); // true
 * ```
 */
export declare function detectInMessages(
  messages: readonly SessionMessage[],
  promise: string,
  since?: number,
): Promise<boolean>;

/**
 * Whether the agent claims the promise in a transcript. In a file with one JSON object per line only the text of the
 * assistant's own messages counts; any other file is taken as the agent's words. False without a path, and when the file is
 * not there or cannot be read.
 *
 * @example
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { detectInTranscript } from "ralph";
 *
 * writeFileSync("transcript.jsonl", '{"role":"assistant","content":"<promise>DONE</promise>"}\n');
 * console.log(detectInTranscript("transcript.jsonl", "DONE")); // true
 * ```
 */
export declare function detectInTranscript(transcriptPath: string | undefined, promise: string): boolean;

/**
 * Fills a continuation in one pass; values are never scanned again (S0-20, CW-0C).
 *
 * @example
 * ```ts
 * import { buildContinuationPrompt } from "ralph";
 *
 * const state = { iteration: 2, maxIterations: 5, completionPromise: "DONE", prompt: "Fix the tests." };
 * console.log(buildContinuationPrompt("{{ITERATION}}/{{MAX}}: {{PROMPT}}", state)); // 2/5: Fix the tests.
 * ```
 */
export declare function buildContinuationPrompt(
  template: string,
  state: Pick<RalphLoopState, "iteration" | "maxIterations" | "completionPromise" | "prompt">,
): string;

/**
 * What an agent reads when its turn ended without the promise; `buildContinuationPrompt` fills it.
 *
 * @example
 * ```ts
 * import { CONTINUATION_PROMPT_TEMPLATE } from "ralph";
 *
 * console.log(CONTINUATION_PROMPT_TEMPLATE.split("\n")[0]); // [RALPH LOOP - ITERATION {{ITERATION}}/{{MAX}}]
 * ```
 */
export declare const CONTINUATION_PROMPT_TEMPLATE: string;

/**
 * The promise of a loop that sets none.
 *
 * @example
 * ```ts
 * import { DEFAULT_COMPLETION_PROMISE } from "ralph";
 *
 * console.log(`<promise>${DEFAULT_COMPLETION_PROMISE}</promise>`); // <promise>DONE</promise>
 * ```
 */
export declare const DEFAULT_COMPLETION_PROMISE: string;

/**
 * What a hook is configured with where its options do not say otherwise.
 *
 * @example
 * ```ts
 * import { DEFAULT_CONFIG } from "ralph";
 *
 * console.log(DEFAULT_CONFIG.defaultMaxIterations); // 100
 * ```
 */
export declare const DEFAULT_CONFIG: RalphLoopConfig;

/**
 * Milliseconds between the end of a turn and its continuation.
 *
 * @example
 * ```ts
 * import { DEFAULT_CONTINUATION_DELAY } from "ralph";
 *
 * console.log(DEFAULT_CONTINUATION_DELAY); // 500
 * ```
 */
export declare const DEFAULT_CONTINUATION_DELAY: number;

/**
 * Iterations of a loop that sets none.
 *
 * @example
 * ```ts
 * import { DEFAULT_MAX_ITERATIONS } from "ralph";
 *
 * console.log(DEFAULT_MAX_ITERATIONS); // 100
 * ```
 */
export declare const DEFAULT_MAX_ITERATIONS: number;

/**
 * The name of the hook, and the head of every line it logs.
 *
 * @example
 * ```ts
 * import { HOOK_NAME } from "ralph";
 *
 * console.log(`[${HOOK_NAME}] It begins.`);
 * ```
 */
export declare const HOOK_NAME = "ralph-loop";

/**
 * What a host may set for all of its loops (S0-02).
 *
 * @example
 * ```ts
 * import { DEFAULT_CONFIG, type RalphLoopConfig } from "ralph";
 *
 * const config: RalphLoopConfig = { ...DEFAULT_CONFIG, defaultMaxIterations: 20 };
 * console.log(config.continuationDelay); // 500
 * ```
 */
export type RalphLoopConfig = {
  enabled: boolean;
  defaultMaxIterations: number;
  defaultCompletionPromise: string;
  /** Milliseconds between the end of a turn and its continuation. */
  continuationDelay: number;
  /** Where the states are kept instead of ralph's own folder. */
  stateDir?: string;
};

/**
 * What one loop may set; what is left out comes from the configuration (S0-05).
 *
 * @example
 * ```ts
 * import { type StartLoopOptions } from "ralph";
 *
 * const options: StartLoopOptions = { maxIterations: 50, completionPromise: "REFACTOR_COMPLETE" };
 * console.log(options.maxIterations);
 * ```
 */
export type StartLoopOptions = {
  maxIterations?: number | undefined;
  completionPromise?: string | undefined;
  description?: string | undefined;
};

/**
 * A line of the log; `text` bears the hook's name, `fields` the facts (S0-48).
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type LogLine } from "ralph";
 *
 * const log = ({ level, text }: LogLine): void => console.log(level, text);
 * createRalphLoopHook({ log }).dispose();
 * ```
 */
export type LogLine = {
  level: "info" | "warning" | "error";
  text: string;
  fields: Record<string, unknown>;
};

/**
 * A short message on the host's screen.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type Toast } from "ralph";
 *
 * const showToast = ({ title, message }: Toast): void => console.log(`${title}: ${message}`);
 * createRalphLoopHook({ showToast }).dispose();
 * ```
 */
export type Toast = {
  title: string;
  message: string;
  variant: "info" | "success" | "warning" | "error";
  duration?: number;
};

/**
 * A loop in a host's session as its users see it (S0-01).
 *
 * @example
 * ```ts
 * import { type RalphLoopState, readState } from "ralph";
 *
 * const state: RalphLoopState | null = readState(process.cwd());
 * console.log(state === null ? "no loop" : `Iteration ${state.iteration}/${state.maxIterations}`);
 * ```
 */
export type RalphLoopState = {
  active: boolean;
  /** The iteration in progress, from 1. */
  iteration: number;
  maxIterations: number;
  completionPromise: string;
  /** ISO 8601. */
  startedAt: string;
  prompt: string;
  sessionId: string;
  lastIterationAt?: string;
  description?: string;
};

/**
 * A piece of a message's content.
 *
 * @example
 * ```ts
 * import { type MessagePart } from "ralph";
 *
 * const parts: MessagePart[] = [{ type: "reasoning", text: "Hm." }, { type: "text", text: "It works." }];
 * console.log(parts.filter(({ type }) => type === "text").length);
 * ```
 */
export type MessagePart = {
  type: string;
  text?: string;
  synthetic?: boolean;
};

/**
 * One message of a host's session. A part that is not of type `text`, or is synthetic, is nobody's words.
 *
 * @example
 * ```ts
 * import { detectInMessages, type SessionMessage } from "ralph";
 *
 * const messages: SessionMessage[] = [{ role: "assistant", content: "<promise>DONE</promise>", createdAt: Date.now() }];
 * console.log(await detectInMessages(messages, "DONE")); // true
 * ```
 */
export type SessionMessage = {
  /** Without one the message is nobody's. */
  role?: string;
  content?: string | readonly MessagePart[] | null;
  /** Milliseconds since 1970, or ISO 8601. */
  createdAt?: number | string;
};

/**
 * What the checks of a session are asked for.
 *
 * @example
 * ```ts
 * import { type SessionCheckRequest } from "ralph";
 *
 * const label = ({ sessionId, iteration }: SessionCheckRequest): string => `${sessionId}, iteration ${iteration}`;
 * const { signal } = new AbortController();
 * console.log(label({ sessionId: "session-1", iteration: 2, wallMs: null, signal, contractHash: "" }));
 * ```
 */
export type SessionCheckRequest = {
  sessionId: string;
  iteration: number;
  wallMs: number | null;
  signal: AbortSignal;
  /** Of the checks that the loop began with, as `contract` gave it; empty when it gave none. */
  contractHash: string;
};

/**
 * Criteria of a loop in a session. `run` gives one verdict each, in their order.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type SessionChecks } from "ralph";
 *
 * const criteria: SessionChecks = { count: 0, run: async () => [] };
 * createRalphLoopHook({ criteria }).dispose();
 * ```
 */
export type SessionChecks = {
  /** Of all sessions, or of the one whose loop starts now. */
  count: number | ((sessionId: string) => number);
  /** What they are, for the run of the loop that starts now; absent: nobody says. */
  contract?: (sessionId: string) => SessionContract;
  run(request: SessionCheckRequest): Promise<Verdict[]>;
};

/**
 * The loop: every rule of it, and nothing else. Pure, deterministic, total. One iteration is
 * turn → gates of every turn → with a claim: gates before delivery → delivery → with a claim: the other gates → final
 * delivery → completed; each part optional. Gates are data: none is known here by its kind.
 *
 * @example
 * ```ts
 * import { decide, newRun, parseSettings, runPolicy } from "ralph";
 *
 * const run = newRun(runPolicy(parseSettings([])));
 * const [state, effects] = decide(run, { type: "run-started", at: Date.now(), upMs: 0 });
 * console.log(state.iteration, effects.map(({ type }) => type)); // 0 [ "begin-turn" ]
 * ```
 */
export declare function decide(stored: RunState, observation: Observation): Step;

/**
 * Orders to the driver, as data. Each has an id; its answer repeats it. `begin-turn`, `run-gate`, `deliver` and
 * `set-timer` are answered exactly once; `cut` and `end-run` are not answered.
 *
 * @example
 * ```ts
 * import { type Effect } from "ralph";
 *
 * const describe = (effect: Effect): string => (effect.type === "end-run" ? effect.outcome.reason : effect.type);
 * console.log(describe({ type: "end-run", id: 7, outcome: { name: "cancelled", reason: "You cancelled it." } }));
 * ```
 */
export type Effect =
  | {
      type: "begin-turn";
      id: number;
      iteration: number;
      iterationsMax: number | null;
      feedback: Feedback[];
      /** Why the claim of the iteration before was refused: its DONE file must not count again. */
      refusal: string | null;
      /** How the newest claims fared. */
      attempts: Attempt[];
      /** The role and the task of this turn, in a run with a task list. */
      assignment: Assignment | null;
      /** The agent's session to continue, or null for a fresh context. */
      sessionId: string | null;
      limits: TurnLimits;
      /**
       * Starts no agent. The turns are used up and the DONE file gets a last look, or a task list has nothing left to do; or
       * a host's turn, that was taken for ended, is looked at again.
       */
      isRecheck: boolean;
    }
  | {
      type: "cut";
      id: number;
      effectId: number;
    }
  | {
      type: "run-gate";
      id: number;
      gate: Gate;
      iteration: number;
      /** The tree this iteration's gates speak for; null where nobody can tell. */
      candidate: string | null;
      /** This iteration claims completion. */
      hasClaim: boolean;
      /** The turn did not fail, and every gate before this one is green: only then may the gate approve anything. */
      isGreenSoFar: boolean;
      /** The turn is left before every gate before this one was asked: nobody knows whether they are green. */
      isUnproven?: true;
      /** The gate's own memory, as its last answer left it. */
      slot: Json;
      /** The gate's limit, or what is left of the time budget when that is less. */
      wallMs: number | null;
    }
  | {
      type: "deliver";
      id: number;
      iteration: number;
      of: DeliveryOf;
      /** What the gates saw; a completion delivers nothing else. */
      candidate: string | null;
    }
  | {
      type: "set-timer";
      id: number;
      reason: TimerReason;
      durationMs: number;
      dueAt: number;
    }
  | {
      type: "end-run";
      id: number;
      outcome: Outcome;
    };

/**
 * News for the engine. Answers carry the id of the effect they answer.
 *
 * @example
 * ```ts
 * import { type Observation } from "ralph";
 *
 * const asked: Observation = { type: "asked", request: "pause", seq: null, at: Date.now(), upMs: performance.now() };
 * console.log(asked.type);
 * ```
 */
export type Observation = Moment &
  (
    | {
        type: "run-started";
        /** What the run begins with beside its policy: the journal must tell it. Absent: as `newRun(policy)`. */
        begin?: RunStart;
      }
    | {
        type: "run-resumed";
        /** Found in the raw stream of a turn that died with its driver. */
        lostSpend: Spend | null;
        answer: TextRef | null;
        change: PolicyChange;
        /** Requests made while nobody drove the run: a cancel still counts, an old pause does not. */
        missed: {
          isCancelAsked: boolean;
          lastSeq: number;
        } | null;
        /** What the gates found as people left it; null when an agent was at work since they last ran. */
        begin: RunBegin | null;
        /** What people changed in the task list. */
        revision?: Revision;
      }
    | {
        type: "turn-started";
        effectId: number;
        pid: number;
        startTime: string;
        /** The PID namespace that the process made for the agent, where it made one. */
        ownNamespace?: string;
      }
    | {
        type: "turn-progressed";
        effectId: number;
        spend: Spend;
        sessionId: string | null;
      }
    | {
        type: "turn-ended";
        effectId: number;
        report: TurnReport;
        /** The tree that a delivery would commit now, fixed before the gates; absent outside git and without a claim. */
        candidate?: string | null;
      }
    | ({
        type: "gate-finished";
        effectId: number;
      } & GateAnswer)
    | {
        type: "delivery-finished";
        effectId: number;
        isCut: boolean;
        /** The commit made, or null when there was nothing to commit or it failed. */
        commit: string | null;
        /** What went wrong, in one sentence; a failed push or pull request leaves the outcome as it is. */
        problem: string | null;
        /** The commit failed: what was checked is nowhere but in the work tree, so no claim completes the run. */
        isUncommitted?: boolean;
        spend: Spend;
        /** The tree that is delivered now; absent when nobody could tell. */
        tree?: string | null;
        /** Where it differs from the candidate. */
        differing?: string[];
      }
    | {
        type: "timer-fired";
        effectId: number;
      }
    /** The host of a session is not done with its turn, whatever it says within the next seconds. */
    | {
        type: "turn-unsettled";
        because: Unsettled;
      }
    /** During a wait something was said in the session: its turn is not over. */
    | {
        type: "turn-reopened";
      }
    /** `seq` numbers requests of other commands, so that each is heard once; signals have none. */
    | {
        type: "asked";
        request: Request;
        seq: number | null;
        /** With `interrupt-now`: what ends the run instead of a signal, as the work run it belongs to says it. */
        because?: Outcome;
        /** With `go-on`: what the gates found as people left it, and what people changed in the task list. */
        begin?: RunBegin;
        revision?: Revision;
        change?: PolicyChange;
      }
  );

/**
 * A run before its first observation.
 *
 * @example
 * ```ts
 * import { newRun, parseSettings, runPolicy } from "ralph";
 *
 * const state = newRun(runPolicy(parseSettings([{ source: "example", value: { maximumIterations: 3 } }])));
 * console.log(state.policy.iterationsMax); // 3
 * ```
 */
export declare function newRun(policy: Policy, begin?: RunBegin): RunState;

/**
 * Everything the engine remembers. Plain JSON; what is not here does not exist after a restart.
 *
 * @example
 * ```ts
 * import { newRun, parseSettings, runPolicy, type RunState } from "ralph";
 *
 * const left = ({ policy, iteration }: RunState): number => (policy.iterationsMax ?? Infinity) - iteration;
 * console.log(left(newRun(runPolicy(parseSettings([])))));
 * ```
 */
export type RunState = {
  version: typeof runStateVersion;
  policy: Policy;
  /** The iteration in progress, or the last one; it counts once its agent has started. */
  iteration: number;
  nextEffectId: number;
  /** The one effect in flight, or held back by a pause or an ended run. */
  pending: PendingEffect | null;
  isHeld: boolean;
  facts: IterationFacts;
  feedback: Feedback[];
  /** Why the last iteration's claim was refused; null when it claimed nothing. */
  refusal: string | null;
  /** The memory of gates, by gate id. */
  slots: Record<string, Json>;
  /** The role and the task of the next turn, in runs whose work is a list. */
  assignment: Assignment | null;
  /** False: no further turn has anything to do. */
  isWorkLeft: boolean;
  /** Gates that must run before the turn is left: an agent was, or may have been, at work since they last ran. */
  dueGates: string[];
  /** What continues once the due gates have run. */
  afterGates: {
    pending: PendingEffect | null;
    isHeld: boolean;
  } | null;
  /** Checks before the first turn: they change words, never gates. */
  baseline:
    | {
        name: string;
        isPassed: boolean;
      }[]
    | null;
  /** The newest attempts, for the next prompt. */
  attempts: Attempt[];
  /** The process of the turn in flight, to end it after a crash, and the PID namespace that it made for the agent. */
  turnProcess: {
    pid: number;
    startTime: string;
    ownNamespace?: string;
  } | null;
  failuresInRow: number;
  startFailuresInRow: number;
  limitWaitsInRow: number;
  unchangedInRow: number;
  /** Turns in a row that answered nothing at all. */
  emptyInRow: number;
  /** A change of tree or commits was seen since the run began. */
  isAnythingChanged: boolean;
  /** Outcome of the checks of the iteration before, to notice a change. */
  lastCheckResults: string;
  /** The host is not done with the turn: since when, and until when its end is not believed. */
  unsettled: {
    since: number;
    until: number;
  } | null;
  /** The three newest iterations with verdicts, for views. */
  recentVerdicts: {
    iteration: number;
    isPassed: boolean;
    reason: string;
  }[];
  sessionId: string | null;
  spend: Spend;
  /** Of the turn in flight; replaced by its report. */
  liveSpend: Spend;
  usedMs: number;
  lastUpMs: number;
  /** The newest request of another command that was heard. */
  lastRequestSeq: number;
  isCancelAsked: boolean;
  isPauseAsked: boolean;
  isInterruptAsked: boolean;
  ending: Ending | null;
  outcome: Outcome | null;
  deliveryProblem: string | null;
};

/**
 * What a run was started with. Stored once, used by resume; an edit of the files meanwhile changes nothing.
 *
 * @example
 * ```ts
 * import { type FrozenRun, runLoop, wire } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * await loop.outcome;
 * const { store } = await wire();
 * const frozen: FrozenRun | undefined = (await store.find(loop.id))[0]?.frozen;
 * console.log(frozen?.settings.maximumIterations);
 * await store.close();
 * ```
 */
export type FrozenRun = {
  version: string;
  projectDir: string;
  prompt: PromptSource;
  settings: Settings;
  /** The content of the settings files by path; an edit during the run has no effect and is reported. */
  settingsFiles: Record<string, unknown>;
  /** The engine's numbers at start; `newRun(policy)` and the journal give every later state. */
  policy: Policy;
  /** The project's own criteria, as they were before the first turn; absent before they are read. */
  projectCriteria?: RoleCriterion[];
  /** Checks that the agent never sees, with where their files lie at the start; absent: none. Never printed. */
  heldOut?: (HeldOutCheck & {
    sources: string[];
  })[];
  /** What done means for it; absent only before the run is stored. */
  contract?: Contract;
  /** HEAD at start, or null outside git. */
  startCommit: string | null;
  /**
   * Files that git neither knew nor ignored at start, by their path from the top of the repository. Absent outside git
   * and in runs of an older version: then a commit takes no new file.
   */
  untrackedAtStart?: string[];
  /** Only in a supervised run: its task. */
  supervised?: SupervisedTask;
  /** Only in a role's run on a task: what its claim is verified against. */
  criterion?: RoleCriterion;
  /** Only in a role's run on a task: the task and how it came to this role. */
  task?: RoleTask;
  /** Only in the record of a work run, whose role runs are its children. */
  work?: WorkPlan;
  /** Only in a run on a task list. */
  prd?: PrdRun;
};

/**
 * The rules of a work run, and nothing else: pure, deterministic, total. Each task waits for what it depends on and for
 * a slot, goes through its roles, is merged in the order of the tasks, and is done when every gate of the project is
 * green on the merged tip. Role runs, merges and gates are effects; several may be in flight.
 *
 * @example
 * ```ts
 * import { decideWork, newWork, parseSettings, runPolicy, type WorkObservation } from "ralph";
 *
 * const task = { id: "greet", dependencies: [], iteration: 0, isKept: false, place: null };
 * const started: WorkObservation = {
 *   type: "work-started",
 *   at: Date.now(),
 *   upMs: 0,
 *   rules: { roles: ["coder", "reviewer"], rounds: 3, jobs: 1, hasWorktrees: false, gates: [] },
 *   tasks: [{ ...task, standing: { status: "ready", progress: null } }],
 * };
 * const [state, effects] = decideWork(newWork(runPolicy(parseSettings([]))), started);
 * console.log(state.outcome, effects.map(({ type }) => type)); // null [ "set-timer", "open-place" ]
 * ```
 */
export declare function decideWork(state: WorkState, observation: WorkObservation): WorkStep;

/**
 * Orders of a work run, as data. Each has an id; its answer repeats it. Several may be in flight. `tell-role`,
 * `cut-role` and `cut` name the effect they are for and are not answered, nor is `end-run`; every other effect is
 * answered exactly once.
 *
 * @example
 * ```ts
 * import { type WorkEffect } from "ralph";
 *
 * const order: WorkEffect = { type: "open-place", id: 2, taskId: "greet" };
 * console.log(order.type);
 * ```
 */
export type WorkEffect =
  | {
      type: "open-place";
      id: number;
      taskId: string;
    }
  | {
      type: "start-role";
      id: number;
      taskId: string;
      runId: string;
      progress: TaskProgress;
      start: RoleStart;
    }
  /** Passes on what people asked of the work run. */
  | {
      type: "tell-role";
      id: number;
      effectId: number;
      request: Request;
    }
  /** Ends a role run at once and for this reason. */
  | {
      type: "cut-role";
      id: number;
      effectId: number;
      because: Outcome;
    }
  /** Finds the commit that the next merge goes onto, so that it is stored before the merge. */
  | ({
      type: "find-tip";
      id: number;
      taskId: string;
    } & Partial<TipQuestion>)
  | ({
      type: "merge-task";
      id: number;
      taskId: string;
      before: string | null;
    } & Partial<TipQuestion>)
  /** Compares the main work tree with the commit that a task was merged into, and looks at its branch. */
  | ({
      type: "compare-tip";
      id: number;
      taskId: string;
      commit: string;
    } & TipQuestion)
  /** Asks one gate on the merged tip. `runId` is the last role run, whose words a judge reads. */
  | {
      type: "verify-tip";
      id: number;
      taskId: string;
      runId: string | null;
      gate: Gate;
      iteration: number;
      wallMs: number | null;
      /** Absent: it is verified where it lies. */
      sealed?: SealedTip;
    }
  /** Takes a red merge back; `merge` is null when ralph made no merge commit. */
  | {
      type: "undo-merge";
      id: number;
      taskId: string;
      merge: string | null;
      reason: string;
    }
  /** Removes what a merged task no longer needs. */
  | {
      type: "clear-place";
      id: number;
      taskId: string;
    }
  | {
      type: "set-timer";
      id: number;
      durationMs: number;
      dueAt: number;
    }
  /** Cuts the gate that is asked on the tip. */
  | {
      type: "cut";
      id: number;
      effectId: number;
    }
  | {
      type: "end-run";
      id: number;
      outcome: Outcome;
    };

/**
 * News for the engine of a work run. Answers carry the id of the effect they answer.
 *
 * @example
 * ```ts
 * import { type WorkObservation } from "ralph";
 *
 * const news: WorkObservation = { type: "task-merged", at: Date.now(), upMs: 5, effectId: 7, problem: null, merge: null };
 * console.log(news.type);
 * ```
 */
export type WorkObservation = Moment &
  /** `tip`: the branch that tasks are merged into, as it was found. */
  (
    | {
        type: "work-started";
        rules: WorkOrderRules;
        tasks: FoundTask[];
        tip?: BranchTip;
      }
    | {
        type: "work-resumed";
        rules: WorkOrderRules;
        tasks: FoundTask[];
        roles: FoundRole[];
        help: WorkHelp;
        change: PolicyChange;
        /** Requests made while nobody drove the run: a cancel still counts, an old pause does not. */
        missed: {
          isCancelAsked: boolean;
          lastSeq: number;
        };
        /** The branch that tasks are merged into; counts only for a work run that does not know where it left it. */
        tip?: BranchTip;
        /** Only when a version without a work engine stored the run: its state, from which the journal folds on. */
        takenOver?: RunState;
      }
    /** `runId` is the id that the role run gets; it is stored before the run is made. */
    | {
        type: "place-opened";
        effectId: number;
        place: RolePlace;
        runId: string;
      }
    /** `isEnding`: the role run ends by itself, with its own reason. */
    | {
        type: "role-progressed";
        effectId: number;
        use: RoleUse;
        isEnding: boolean;
      }
    | {
        type: "role-ended";
        effectId: number;
        use: RoleUse;
        end: RoleEnd;
      }
    /** HEAD before a merge; null where nothing is merged. */
    | {
        type: "tip-found";
        effectId: number;
        head: string | null;
        place?: TipFacts;
      }
    /** `problem`: why it is not merged. `merge`: the merge commit of ours, if there is one. */
    | {
        type: "task-merged";
        effectId: number;
        problem: string | null;
        merge: string | null;
        place?: TipFacts;
      }
    /** `foreign`: paths of the main work tree that are not as in the commit, without a person's earlier changes. */
    | {
        type: "tip-compared";
        effectId: number;
        place: TipFacts;
        foreign: string[];
      }
    /** `said` is what the first red verdict printed; null: none is red. */
    | ({
        type: "gate-finished";
        effectId: number;
        said: string | null;
      } & GateAnswer)
    /** `tip`: where the branch is left then. */
    | {
        type: "merge-undone";
        effectId: number;
        problem: string | null;
        tip?: string | null;
      }
    | {
        type: "place-cleared";
        effectId: number;
      }
    /** What a person can repair: it ends this task for now, and nothing else. */
    | {
        type: "operation-failed";
        effectId: number;
        reason: string;
      }
    | {
        type: "timer-fired";
        effectId: number;
      }
    | {
        type: "asked";
        request: Request;
        seq: number | null;
      }
  );

/**
 * A work run before its first observation.
 *
 * @example
 * ```ts
 * import { newWork, parseSettings, runPolicy } from "ralph";
 *
 * console.log(newWork(runPolicy(parseSettings([]))).work.tasks.length); // 0
 * ```
 */
export declare function newWork(policy: Policy): WorkState;

/**
 * Everything the engine of a work run remembers. What it shares with every run (policy, spend, time, requests, outcome)
 * are the fields of `RunState`, so that views read both alike; `pending` is the gate asked on a merged tip.
 *
 * @example
 * ```ts
 * import { type WorkState } from "ralph";
 *
 * const open = ({ work }: WorkState): string[] => work.tasks.filter(({ isOver }) => !isOver).map(({ id }) => id);
 * console.log(typeof open);
 * ```
 */
export type WorkState = RunState & {
  work: WorkBook;
};

/**
 * Merges the layers, later ones winning, and checks them. Throws a `RalphError` naming file, line, setting and value.
 *
 * @example
 * ```ts
 * import { parseSettings } from "ralph";
 *
 * const settings = parseSettings([
 *   { source: "the team", value: { maximumIterations: 20 } },
 *   { source: "me", value: { guardrails: [{ command: "npm test", failAction: "APPEND" }] } },
 * ]);
 * console.log(settings.maximumIterations, settings.guardrails.length); // 20 1
 * ```
 */
export declare function parseSettings(layers: readonly SettingsLayer[]): Settings;

/**
 * The engine's numbers for a `ralph run`, from its settings.
 *
 * @example
 * ```ts
 * import { parseSettings, runPolicy } from "ralph";
 *
 * const policy = runPolicy(parseSettings([{ source: "example", value: { completionResponse: "SHIPPED" } }]));
 * console.log(policy.completionText); // SHIPPED
 * ```
 */
export declare function runPolicy(settings: Settings): Policy;

/**
 * Settings after defaults and validation.
 *
 * @example
 * ```ts
 * import { parseSettings, type Settings } from "ralph";
 *
 * const settings: Settings = parseSettings([]);
 * console.log(settings.agent.command, settings.completion.placement);
 * ```
 */
export type Settings = {
  $schema?: string;
  maximumIterations: number | "unbounded";
  loop: {
    enabled: boolean;
  };
  completionResponse: string;
  outputTruncateChars: number;
  outputTruncate: "both" | "head" | "tail";
  streamAgentOutput: boolean;
  display: {
    useEmoji: boolean | null;
    useColor: boolean | null;
    showTimestamp: boolean;
    maxOutputLines: number;
    maxOutputChars: number;
    showReasoning: boolean;
  };
  includeIterationCountInPrompt: boolean;
  agent: {
    command: string | null;
    flags: string[];
    model: string | null;
    timeout: number | null;
    idleTimeout: number | null;
    resultGrace: number | null;
    retryDelay: number | null;
    context: "continue" | "reset";
    keepEnv: string[];
    promptVia: "argument" | "stdin" | null;
    guard: boolean;
    namespace: boolean;
  };
  guardrails: {
    command: string;
    failAction: "APPEND" | "PREPEND" | "REPLACE";
    hint?: string;
  }[];
  guardrailTimeout: number | null;
  completion: {
    placement: "anywhere" | "own-line" | "own-sentence";
    instruction: boolean;
    signals: ("promise" | "response")[];
    requireProgress: boolean | null;
    requireChecks: boolean;
  };
  breaker: {
    failures: number | null;
    noProgress?: number | null;
  };
  budget: {
    spend: number | null;
    tokens: number | null;
    time: number | null;
  };
  restart: {
    backoff: boolean;
  };
  prices: {
    model: string;
    input: number;
    output: number;
    cacheRead?: number;
    cacheWrite?: number;
  }[];
  children: {
    wait: number | null;
    onTimeout: "orphan" | "terminate";
  };
  verification: {
    default: "external" | "multi_stage" | "semantic" | "string_match" | null;
    timeout: number | null;
    onJudgeError: "reject" | "string_match" | "wait";
    judge: {
      mode: "agent" | "words";
      agent: string | null;
      flags: string[];
      model: string | null;
      tries: number;
    };
  };
  review: {
    cap: number;
    atCap: "approve" | "hold";
    agent: {
      command: string | null;
      flags: string[] | null;
      model: string | null;
    };
  };
  scm: {
    command: string;
    tasks: string[];
    stage: "all" | "run" | "tracked";
    hooks: boolean;
  } | null;
  baseline: boolean;
  work: {
    roles: ("coder" | "qa" | "reviewer" | "tester")[];
    rounds: number;
    maxIterations: {
      coder: number | null;
      reviewer: number | null;
      tester: number | null;
      qa: number | null;
    };
    loops: {
      coder: boolean;
      reviewer: boolean;
      tester: boolean;
      qa: boolean;
    };
    promises: {
      coder: string;
      reviewer: string;
      tester: string;
      qa: string;
    };
    verification: {
      coder: "external" | "multi_stage" | "semantic" | "string_match" | null;
      reviewer: "external" | "multi_stage" | "semantic" | "string_match" | null;
      tester: "external" | "multi_stage" | "semantic" | "string_match" | null;
      qa: "external" | "multi_stage" | "semantic" | "string_match" | null;
    };
    agents: {
      coder: {
        command: string | null;
        flags: string[] | null;
        model: string | null;
      };
      reviewer: {
        command: string | null;
        flags: string[] | null;
        model: string | null;
      };
      tester: {
        command: string | null;
        flags: string[] | null;
        model: string | null;
      };
      qa: {
        command: string | null;
        flags: string[] | null;
        model: string | null;
      };
    };
  };
  missingSpec: "defaults" | "error" | "single-pass";
  verifyCommand: string | null;
  seal: {
    checks: "claims" | "off";
    protect: string[];
    allow: string[];
    writable: string[];
    include: string[];
    env: string[];
    tests: "count" | "free" | "keep";
    effort: "quick" | "standard" | "thorough";
    repeat: number;
    probe: boolean;
    mutants: number;
    forbid: {
      tsIgnore: boolean;
      asAny: boolean;
      anyType: boolean;
      eslintDisable: boolean;
      noqa: boolean;
      typeIgnore: boolean;
      noCover: boolean;
      coverageIgnore: boolean;
      only: boolean;
    };
    network: "host" | "loopback";
    isolation: "auto" | "copy" | "namespace";
    timeout: number | null;
  };
  redact: {
    enabled: boolean;
    variables: string[];
  };
  store: {
    keep: {
      days: number;
      bytes: number;
    };
  };
};

/**
 * How a surface listens to a run and speaks to it.
 *
 * @example
 * ```ts
 * import { type RunConnection } from "ralph";
 *
 * const quiet: RunConnection = {
 *   sink: { entry: () => {}, agentEvent: () => {} },
 *   onRequest: () => () => {},
 *   onCheck: () => {},
 *   onStderr: () => undefined,
 *   onTaken: () => {},
 * };
 * console.log(Object.keys(quiet).length);
 * ```
 */
export type RunConnection = {
  sink: RunSink;
  onRequest: (listener: (request: Request, because?: Outcome) => void) => () => void;
  onCheck: RunContext["onCheck"];
  onPrompt?: (prompt: string) => void;
  onStderr: RunContext["onStderr"];
  /** Told just before the run is stored or taken: from here on a signal to this process is a request to the run. */
  onTaking?: () => void;
  /** Told what is done while a run is sealed, before it is stored. */
  onSealing?: (line: string) => void;
  /** Told once, before anything starts. */
  onTaken: (run: TakenRun) => void;
  /** Told of messages and waits of a supervised task. Must not throw. */
  onSupervised?: (news: SupervisedNews) => void;
};

/**
 * A run that ended, or was ended by a fault of the store (then it rejects).
 *
 * @example
 * ```ts
 * import { type RunEnd } from "ralph";
 *
 * const word = ({ id, state }: RunEnd): string => `${id}: ${state.outcome?.name ?? "no outcome"}`;
 * console.log(typeof word);
 * ```
 */
export type RunEnd = {
  id: string;
  state: RunState;
};

/**
 * Starts a new run in its project directory and drives it to its outcome.
 *
 * @example
 * ```ts
 * import { type FrozenRun, type RunConnection, startRun, wire } from "ralph";
 *
 * // Prefer `runLoop`; this is for a program that has frozen a run itself, for example to run it once more.
 * export async function runAgain(frozen: FrozenRun, connection: RunConnection): Promise<string> {
 *   const machine = await wire();
 *   const { state } = await startRun(machine, frozen, connection);
 *   await machine.store.close();
 *   return state.outcome?.name ?? "";
 * }
 * ```
 */
export declare function startRun(machine: Machine, frozen: FrozenRun, connection: RunConnection): Promise<RunEnd>;

/**
 * What we know of one agent program. Data first: everything here can be shown by `ralph doctor`.
 *
 * @example
 * ```ts
 * import { type AgentAdapter, type CommonOptions } from "ralph";
 *
 * const adapter: AgentAdapter = {
 *   name: "my-agent",
 *   commands: ["my-agent"],
 *   reportsCost: false,
 *   spendCovers: "process",
 *   readUsage: null,
 *   keyVariables: ["MY_AGENT_KEY"],
 *   hostMarkers: [],
 *   signIn: null,
 *   editFlags: null,
 *   env: {},
 *   invocation: ({ command, flags, prompt }) => ({
 *     argv: [command, ...flags],
 *     stdin: prompt,
 *     usesAnswerFile: false,
 *     isReadOnly: false,
 *   }),
 *   createReader: () => null, // plain text
 * };
 * const options: CommonOptions = { agents: [adapter], agent: "my-agent" };
 * console.log(options.agents?.length);
 * ```
 */
export type AgentAdapter = {
  name: string;
  /** Basenames of commands this adapter speaks for. */
  commands: readonly string[];
  /** Whether the stream tells US dollars. */
  reportsCost: boolean;
  /** Public prices of the models of its provider, for every agent that is billed by token. */
  prices?: PriceTable;
  /** Its work is billed by the tokens it tells, so a price per token gives an estimate of its cost. */
  isBilledByToken?: true;
  /** What the told spend adds up: this process, or the whole session that it continues. */
  spendCovers: "process" | "session";
  /** Reads the `usageFile`; an invalid file yields null. Null: the stream reports the spend. */
  readUsage: ((text: string) => Spend | null) | null;
  /** Variables with this provider's key; other providers' keys are removed when several are set. Empty: all are kept. */
  keyVariables: readonly string[];
  /** Keys that this agent signs in with and other agents' tools need too: hidden in every output, never removed. */
  sharedKeyVariables?: readonly string[];
  /** Variables this agent sets for its own tools, removed from every agent's environment. A trailing `*` means any rest. */
  hostMarkers: readonly string[];
  /** Without either of these the program waits for a login; `file` lies in the home folder. Null: it says so and ends. */
  signIn: {
    variable: string;
    file: string;
  } | null;
  /** What to add to `agent.flags` so that edits are allowed. */
  editFlags: string | null;
  /** What to add instead where `tools`, which run commands, were denied, or `editFlags` are there already. */
  commandFlags?: {
    tools: readonly string[];
    flags: string;
  };
  /** What `ralph init` offers, the proposed one first. Absent: nothing is known of its permissions. */
  permissionModes?: readonly PermissionMode[];
  /**
   * Added where nobody is there to be asked for a permission, a person has agreed to that or a guard watches, and `flags`
   * do not decide otherwise. Absent: the agent needs none.
   */
  unattendedFlags?(flags: readonly string[]): string[];
  /**
   * Added for a judge of sealed work: it obeys settings, hooks and servers of the user, none of the project. Absent: the program has no
   * such flags.
   */
  sealedFlags?(flags: readonly string[]): string[];
  /**
   * Makes its sessions call ralph's hooks, which `hook` starts: those of this kind of run. Null: `flags` leave no room
   * for that. Absent: the program has no hooks that we know.
   */
  hookFlags?(hook: readonly string[], flags: readonly string[], kind: HookedRun): string[] | null;
  /**
   * The same by variables, for a program that loads a plugin. `env` is what ralph was started with. Null: flags or
   * variables leave no room for it.
   */
  pluginEnv?(options: PluginEnvOptions): Record<string, string> | null;
  /** Set for the agent's process, on top of the cleaned environment. */
  env: Readonly<Record<string, string>>;
  /** Words before a first prompt when the program is started on a terminal, for people. Absent: it takes none there. */
  terminalWords?: readonly string[];
  invocation(request: InvocationRequest): Invocation;
  /** Null: with these flags the stream is plain text. */
  createReader(flags: readonly string[]): StreamReader | null;
};

/**
 * The answer of a gate that knows nothing beyond its verdicts.
 *
 * @example
 * ```ts
 * import { type GateKind, plainAnswer } from "ralph";
 *
 * const always: GateKind = { name: "always", gatesOf: () => [], open: () => async () => plainAnswer([]) };
 * console.log(always.name);
 * ```
 */
export declare function plainAnswer(verdicts: Verdict[], spend?: Spend): GateAnswer;

/**
 * One kind of gate: which gates a run has of it, and how they are asked.
 *
 * @example
 * ```ts
 * import { type GateKind, plainAnswer, runLoop } from "ralph";
 *
 * const moonPhase: GateKind = {
 *   name: "moon-phase",
 *   gatesOf: () => [
 *     {
 *       id: "moon",
 *       kind: "moon-phase",
 *       name: "the moon",
 *       when: "on-claim",
 *       isBeforeDelivery: true,
 *       isAlways: false,
 *       origin: "my program",
 *       limits: { wallMs: null },
 *       tells: "reason",
 *       spec: null,
 *     },
 *   ],
 *   open: () => async () => {
 *     const facts = { exitCode: 0, isTimedOut: false, durationMs: 0, output: { text: "" }, logFile: null };
 *     return plainAnswer([{ ...facts, index: 0, name: "the moon", isPassed: true, reason: "It is full." }]);
 *   },
 * };
 * const agent = (): string => "<promise>DONE</promise>";
 * console.log((await runLoop({ prompt: "Wait for it.", agent, gates: [moonPhase] }).outcome).name); // completed
 * ```
 */
export type GateKind = {
  name: string;
  /** Pure: the same sources give the same gates. */
  gatesOf(sources: ContractSources): ContractGate[];
  /** Rejects with a `RalphError` when these gates could never be asked here. Absent: the kind needs nothing. */
  prepare?(gates: readonly ContractGate[], context: PrepareContext): Promise<void>;
  /** Opens the kind for one run; null where the run lacks what it needs. */
  open(context: GateContext): PerformGate | null;
};

/**
 * The world a run lives in: every port, and what is known of this machine. Tests put fakes in its places.
 *
 * @example
 * ```ts
 * import { type Machine, wire } from "ralph";
 *
 * const machine: Machine = await wire({ killGraceMs: 1000 });
 * console.log(machine.host, machine.folder);
 * await machine.store.close();
 * ```
 */
export type Machine = {
  clock: Clock;
  processes: Processes;
  /** What tells whether the processes that records of runs name are alive. */
  liveness: LivenessWorld;
  disk: Disk;
  store: Store;
  artefacts: Artefacts;
  /** Holds the store and the raw streams. */
  folder: string;
  host: string;
  env: Readonly<Record<string, string>>;
  agents: AdapterList;
  /** Starts this program again. */
  selfArgv: readonly string[];
  /** Every kind of gate, in the order of an iteration. */
  gateKinds: readonly GateKind[];
  /** Readers of every run that this machine drives, beside the surface that started it. */
  sinks: readonly Sink[];
  random: () => number;
  killGraceMs: number;
  /**
   * A text that differs when work tree or commits of a directory differ. For the progress of a run, through its own store:
   * when the work tree or what is committed differs.
   */
  fingerprint: GateTools["fingerprint"];
  /** Merges the commits of tasks; absent: by git, beside every work tree. */
  mergeTrees?: MergeTrees;
  /**
   * Whether a driver on this very host is alive, by pid and start time. Must not be asked about another host, where the pid
   * means nothing. Rejects when nobody can tell.
   */
  isOwnerAlive: (owner: Owner) => Promise<boolean>;
};

/**
 * Runs, journal, agent events, requests and blobs. Every write of a driver to its run is fenced: it carries the epoch that
 * `take` gave, and rejects with code `lost-lock` once another driver took the run. A write is durable when it resolves;
 * agent events, and news of a turn or a role at work that orders nothing, survive a power cut only from the next write on.
 *
 * @example
 * ```ts
 * import { type Store, wire } from "ralph";
 *
 * const newest = async (store: Store): Promise<string | null> => {
 *   const [run] = await store.list({ directory: process.cwd(), limit: 1 });
 *   return run?.id ?? null;
 * };
 * const { store } = await wire();
 * console.log(await newest(store));
 * await store.close();
 * ```
 */
export type Store = TaskStore & {
  /**
   * Creates the run and takes its directory in one transaction. Leases of drivers on the owner's host are judged by
   * `answers` alone, those of other hosts by their end and the clock of the store.
   */
  create(run: NewRun, owner: Owner, answers: readonly LivenessAnswer[]): Promise<Taken>;
  /**
   * Takes an existing run (for resume or to write its end), raising its epoch, and removes the leases of its children whose
   * drivers are dead. A run of an older version is one of this
   * version from then on, and its journal says so; one that cannot be used rejects with code `store`.
   */
  take(runId: string, owner: Owner, answers: readonly LivenessAnswer[]): Promise<Taken>;
  /**
   * Moves the end of a lease to 30 s from now by the store's own clock, also when it has passed. Rejects with code
   * `lost-lock` when the lease passed on or was given up; then its driver has to end.
   */
  renew(lease: Pick<Lease, "runId" | "epoch">): Promise<void>;
  /** Gives up the directory. Idempotent. */
  release(runId: string, epoch: number): Promise<void>;
  /** Observation, state and effects in one transaction. Also ends or reopens the record as `state.outcome` says. */
  commit(step: StepCommit): Promise<void>;
  note(entry: { runId: string; epoch: number; at: number; level: "info" | "warning"; text: string }): Promise<void>;
  /**
   * Adds an ended run that was driven outside of this store, with its whole journal, and takes no directory. Idempotent:
   * entries are numbered from 1, and those that are there already are left as they are.
   */
  importRun(run: NewRun, journal: readonly JournalNews[], endedAt: number): Promise<void>;
  /** Numbers them per run in the order of arrival; keeps the first 5 000 of a turn. All of them or none. */
  appendAgentEvents(
    lease: Pick<Lease, "runId" | "epoch">,
    events: Omit<AgentEventRecord, "runId" | "seq">[],
  ): Promise<void>;
  ask(runId: string, request: AskedRequest["request"], at: number): Promise<void>;
  readRequests(runId: string, afterSeq: number): Promise<AskedRequest[]>;
  putBlob(text: string): Promise<string>;
  getBlob(hash: string): Promise<string | null>;
  /** By whole id, else all whose id begins with it, else all whose id has it anywhere. Rejects with code `store` when this version cannot use the run. */
  find(part: string): Promise<RunRecord[]>;
  /** Newest first. `directory` null: all projects. With `parentId` only the children of that run. */
  list(filter: RunFilter): Promise<RunRecord[]>;
  /** The runs that `list` leaves out because this version cannot use them. */
  listUnusable(filter: RunFilter): Promise<UnusableRun[]>;
  /** Entries after `afterSeq`, unchanged. The first of a chain has in its body what `hashFrozen` makes of the run's start. */
  readChain(runId: string, afterSeq: number, limit: number): Promise<JournalChain>;
  readJournal(runId: string, afterSeq: number, limit: number): Promise<JournalEntry[]>;
  readAgentEvents(runId: string, afterSeq: number, limit: number): Promise<AgentEventRecord[]>;
  /** Removes ended runs older than `days`, and the oldest ones while the store is larger than `bytesMax`. */
  prune(
    keep: {
      days: number;
      bytesMax: number;
    },
    now: number,
  ): Promise<string[]>;
  close(): Promise<void>;
};

/**
 * A reader of runs while they happen: of every run that a machine drives, whatever its kind. `runId` says which: a run, a
 * work run, one of its role runs, or a session run. It is never waited for, and what it throws reaches nobody: no display
 * can hold up or break a run.
 *
 * @example
 * ```ts
 * import { runLoop, type Sink } from "ralph";
 *
 * const sink: Sink = {
 *   entry: (entry, state, runId) => console.log(runId, state.iteration, entry.kind),
 *   agentEvent: (event) => console.log(event.type),
 * };
 * const agent = (): string => "<promise>DONE</promise>";
 * await runLoop({ prompt: "Say that it is done.", agent, checks: ["true"], sinks: [sink] }).outcome;
 * ```
 */
export type Sink = {
  entry(entry: JournalNews | WorkStepNews, state: RunState, runId: string): void;
  agentEvent(event: AgentEvent, effectId: number, runId: string): void;
};

/**
 * Opens the store of this user and everything else that a run needs. What is given takes the place of a part; a store that
 * is opened here is yours to close.
 *
 * @example
 * ```ts
 * import { wire } from "ralph";
 *
 * const { store } = await wire();
 * for (const { id, outcome } of await store.list({ directory: null, limit: 5 })) console.log(id, outcome?.name);
 * await store.close();
 * ```
 */
export declare function wire(parts?: Partial<Machine>): Promise<Machine>;

/** The adapters of this program; `fallback` speaks for any command that no other knows. */
type AdapterList = {
  known: readonly AgentAdapter[];
  fallback: AgentAdapter;
};

/** An event of an agent's stream as it is remembered: body cut at 2 KB. */
type AgentEventRecord = {
  runId: string;
  effectId: number;
  seq: number;
  at: number;
  event: AgentEvent;
};

/** Names one artefact. A name is made of letters, digits, `_`, `-` and dots, that of a check begins with its role: `coder/001_make`. */
type Artefact = {
  runId: string;
  kind: ArtefactKind;
  name: string;
};

/**
 * What is kept of a run beside the rows of the store. `stream`: the raw output of a turn; `usage`: what its agent wrote of
 * its own use; `turn-text`: the words of a turn, for who judges them; `answer`: an agent's answer to a question; `delivery`:
 * how far a delivery got; `check`: the output of a check, the evidence of its verdict; `receipt`: which tree a run has verified.
 */
type ArtefactKind = "stream" | "usage" | "turn-text" | "answer" | "delivery" | "check" | "receipt";

/**
 * Everything large that is kept of runs, for this user alone. Every call rejects or throws on a name that could lead out of
 * the run, which is a fault of the caller.
 */
type Artefacts = {
  /** Replaces what is there: a reader finds the former content or all of this. Durable when it resolves. */
  put(artefact: Artefact, content: string | Uint8Array): Promise<void>;
  /**
   * Opens a log that keeps head and tail beyond `keepBytesMax`. Where one of that name is, `replace` puts the new one in its
   * place and `number` adds a number to the name, so that nothing is overwritten; `artefact` is what was opened. A fault of
   * the disk shows in `close`.
   */
  append(
    artefact: Artefact,
    keepBytesMax: number,
    taken: "replace" | "number",
  ): LogFile & {
    artefact: Artefact;
  };
  /** The text, or null when there is none. Rejects above `bytesMax` (16 MiB). */
  read(artefact: Artefact, bytesMax?: number): Promise<string | null>;
  /** Head and tail of what `append` kept, in order. Empty when there is none. */
  readLog(artefact: Artefact): AsyncIterable<Uint8Array>;
  /** The names of one kind, sorted. */
  list(runId: string, kind: ArtefactKind): Promise<string[]>;
  /** Every run that has files, also one whose rows are gone. */
  sizes(): Promise<KeptFiles[]>;
  /** Removes all artefacts of a run. Idempotent. */
  remove(runId: string): Promise<void>;
  /**
   * A path on this host, for people and for a program that reads or writes the artefact itself; a store elsewhere has to
   * fetch it before and take it back after. Nothing need be there.
   */
  localPath(artefact: Artefact): string;
};

/** Carries out the engine's order to ask a gate. */
type AskGate = (
  effect: Extract<
    Effect,
    {
      type: "run-gate";
    }
  >,
  signal: AbortSignal,
) => Promise<GateAnswer>;

/** What another process asks of a run, in the order of asking. */
type AskedRequest = {
  seq: number;
  request: "cancel" | "pause" | "go-on";
  at: number;
};

/** Who works on what next. */
type Assignment = {
  role: TurnRole;
  taskId: string;
};

/** How one iteration's claim fared, for the next prompt and the closing sentence (S2-14, CW-2O). */
type Attempt = {
  iteration: number;
  isClaimed: boolean;
  isVerified: boolean;
  reason: string;
};

/** How a red check stood before the first turn. The word changes, the gate never does. */
type BaselineLabel = "baseline-broken" | "regressed";

/** What of a copy nobody may write during a run, by paths from its top. */
type BindPlan = {
  /** Files, and folders of which every file is protected. */
  readOnly: string[];
  /** Folders above them, outermost first: each becomes a mount, so that none can be renamed and replaced. */
  pinned: string[];
  /** Folders below read-only ones that a suite fills: they must be there before the mounts are made. */
  filled: string[];
};

/** A moment told by the machine's births, threads included: how many since its start, and the pid given out last. */
type Births = {
  count: number;
  lastPid: number;
};

/** Where ralph left the branch that tasks are merged into. */
type BranchTip = {
  branch: string;
  commit: string;
};

/** A bwrap that works here. `userFlags`: how much of a user namespace this machine lets it have. */
type Bubblewrap = {
  program: string;
  userFlags: readonly string[];
};

/** What is left of the budgets of the whole work. */
type BudgetRest = Pick<Policy, "budgetUsd" | "budgetTokens" | "budgetMs">;

/** A journal entry as it is stored and hashed. `body` is parsed, or null when it is not JSON any more. */
type ChainLink = {
  runId: string;
  seq: number;
  at: number;
  kind: string;
  version: number;
  body: Record<string, unknown> | null;
  /** Null: a version without hashes wrote it. */
  hash: string | null;
};

/** A check on the base. `tests` is null where it gives no report. */
type CheckBase = {
  command: string;
  exitCode: number;
  durationMs: number;
  tests: TestCase[] | null;
  /** False: it ends the same whatever the tests expect, as a formatter does; the probe does not ask it. */
  isListening: boolean;
  /** Ids of tests that stay green with false expectations. */
  deaf: string[];
  /** Helpers of the tests that were heard: their calls are assertions; absent: none was. */
  helpers?: string[];
  /** Groups of tests whose names vary from run to run; absent: none do. */
  counted?: CountedGroup[];
  /** Ids of tests that were red and green on the base; absent: none was. */
  flaky?: string[];
  /** Expectations that are made false one at a time, in the order of their worth; absent: the report tells tests apart. */
  spots?: KnownSpot[];
};

/**
 * Progress of a check: it starts (no verdict yet) or has ended. `output`: how the output of a red one begins, for people. `step`: where a
 * check of several long steps stands.
 */
type CheckProgress = {
  gate: Pick<Gate, "name" | "tells">;
  verdict: Verdict | null;
  output?: string;
  step?: StepProgress;
};

/** The claims found in one turn's main-thread text, already reduced to what the gates need. */
type ClaimReport = {
  /** The text of the first `<response>` claim; it decides alone. */
  response: string | null;
  /** A `<promise>` claim equal to the expected text was made. */
  isPromised: boolean;
  /** The first `<promise>` claim with another text. */
  wrongPromise: string | null;
  /** The reason of a `<promise>BLOCKED: …</promise>` claim. */
  blocked: string | null;
  /** The question of a `<promise>DECIDE: …</promise>` claim. */
  question: string | null;
  /** The reason of a `<promise>REJECT: …</promise>` claim; a wrong promise too, where nobody may reject. */
  rejected: string | null;
  /** The expected tag was written somewhere, but not as a claim. */
  isMentioned: boolean;
};

/** Time. `now` may jump with the wall clock; `upMs` never goes back and starts near zero with the program. */
type Clock = {
  now(): number;
  upMs(): number;
  /**
   * Resolves true after `durationMs`, false when aborted before. Must not reject. A wait in the background does not keep
   * the program alive by itself.
   */
  wait(durationMs: number, signal: AbortSignal, place?: "background"): Promise<boolean>;
};

/** How a command of a check ended: facts, no judgement. */
type CommandEnd =
  | {
      kind: "cut";
    }
  | {
      kind: "not-started";
      message: string;
      evidence: string | null;
    }
  | {
      kind: "ended";
      exitCode: number;
      isTimedOut: boolean;
      durationMs: number;
      output: string;
      /** The full output, relative to the state folder. */
      evidence: string | null;
    };

/** One command in the copy. */
type CommandInCopy = SealedContent & {
  turnMarker: string;
  /** From the project; empty for the project itself. */
  workingDir: string;
  report: SealedRunOptions["report"];
};

/** How the tests of now stand against those of the base. */
type Comparison = {
  isAccepted: boolean;
  refusals: Refusal[];
  counts: {
    passed: number;
    failed: number;
    skipped: number;
    missing: number;
    added: number;
  };
  /** Red now; those that were red at the base are in `stillFailed` instead. */
  failed: NumberedTest[];
  /** Of the inventory, and not run now. */
  missing: NumberedTest[];
  /** Skipped now, and not at the base. */
  skipped: NumberedTest[];
  /** Green now, and not at the base: red, skipped or absent. */
  turned: NumberedTest[];
  /** All of the inventory that stand worse than at the base. */
  worse: NumberedTest[];
  /** Not in the inventory. */
  added: NumberedTest[];
  stillFailed: NumberedTest[];
  /** Flaky tests that failed now, which refuses nothing. */
  excused: NumberedTest[];
};

/** What done means for a task, fixed when the task is created (S2-03, S2-06). */
type CompletionSpec = {
  outcome: string;
  acceptanceCriteria: string[];
  criteria: Partial<Record<Role, Criterion>>;
  /** Limits of roles without a criterion of their own; absent: none. */
  limits?: Partial<Record<Role, number>>;
};

/** What done means for one run: resolved once, frozen at start. */
type Contract = {
  /** How often people have changed it between turns. */
  revision: number;
  /** Of the canonical text: equal on every machine for equal gates. */
  hash: string;
  gates: ContractGate[];
};

/** A gate with what its performer needs: the command, the criterion. The engine sees only the gate. */
type ContractGate = Gate & {
  /** Plain JSON that only the gate's kind reads. */
  spec: unknown;
};

/** The part of the settings that becomes gates. */
type ContractSettings = {
  guardrails: readonly {
    command: string;
  }[];
  guardrailTimeout: number | null;
  children: {
    wait: number | null;
  };
  /** Absent in runs of versions that sealed nothing. */
  seal?: SealSettings;
};

/** Where the conditions of done come from. */
type ContractSources = {
  surface: RunKind;
  settings: ContractSettings;
  /** The files the settings were read from, each with what it held. */
  settingsFiles: Readonly<Record<string, unknown>>;
  /** Guardrails from this place on are verify commands of the task list; null: none are. */
  verifyCommandsFrom: number | null;
  /** The criterion of the role whose run this is. */
  role: RoleCriterion | null;
  /** Only of a work run itself: the criteria of all its roles, each of which is verified in a run of its own. */
  workCriteria?: readonly RoleCriterion[];
  /** The criteria of the project, for every surface. */
  projectCriteria: readonly RoleCriterion[];
  /** Checks also run once before the first turn; the results only change words. */
  hasBaseline: boolean;
  /** The run began at a commit: without one there is no base to seal. */
  isInRepository?: boolean;
  /** Checks that the agent never sees; absent: none. */
  heldOut?: readonly HeldOutCheck[];
  /** The task of a role's run. */
  taskId?: string | null;
};

/** What a copy is to hold. `overlay`: contents in the place of files of the tree, or beside them. */
type CopyContent = {
  tree: string;
  overlay?: ReadonlyMap<string, string | Uint8Array>;
};

/** The history that suites see when they ask git. Without a head there is the candidate's commit alone. */
type CopyHistory = {
  head: string | null;
  branch: string;
  isShallow: boolean;
  /** Commits or tag objects by name. */
  tags: Readonly<Record<string, string>>;
};

/** A file (or a suite, where files are unknown) whose tests are compared by number; null: the whole report. */
type CountedGroup = {
  group: string | null;
  passedMin: number;
  failedMax: number;
};

/** What a caller wants to have verified: one of the two, or neither for the criteria of the project. */
type CriteriaSource = {
  criteria?: CompletionDocument | CriterionDocument;
  task?: TaskDocument;
  role?: Role;
};

/** What one role must claim, and how the claim is verified (S2-02). */
type Criterion = {
  promise: string;
  description: string;
  /** Null: the role's default (S2-43). */
  maxIterations: number | null;
  verification: Verification_2;
};

/** When a delivery comes: after each iteration with green gates, or once, when nothing else stands before completion. */
type DeliveryOf = "iteration" | "completion";

/** A folder of the project that was copied. */
type DependencyFolder = {
  /** Its place from the top of the project. */
  path: string;
  /** The copy; read-only. */
  source: string;
  /** Programs write into it (`target`): a copy gets files of its own. */
  isWritten: boolean;
};

/** The file system, as far as the loop touches it. */
type Disk = SharedFiles & {
  /**
   * The text of a regular file, or of one that `path` links to. Null when there is no such file; rejects with a
   * `RalphError` for a pipe, a device, a folder, a file above `bytesMax` (16 MiB) and any other fault. Never blocks.
   */
  readText(path: string, bytesMax?: number): Promise<string | null>;
  /**
   * Temp file, fsync, rename; never through a link. Creates parent folders. `mode` is that of a program or of a file for its
   * owner alone, which makes new folders so too; else that of any new file. Rejects when it cannot, leaving the old content.
   * `unsynced`: without the fsync, for files that no run depends on; after a power cut the file may be empty or missing.
   */
  writeAtomic(path: string, content: string | Uint8Array, mode?: number, sync?: "unsynced"): Promise<void>;
  /**
   * Creates parent folders. Must not reject: a fault shows in `close`. A `private` log, and each folder made for it, is
   * for its owner alone.
   */
  openLog(path: string, keepBytesMax: number, access?: "private"): LogFile;
  /** Head and tail of a file written by `openLog`, in order. Empty when there is none. */
  readLog(path: string): AsyncIterable<Uint8Array>;
};

/** What stands at a path: the thing itself, for a link is never followed. `other`: a link, a pipe, a device. */
type DiskEntry = {
  kind: "file" | "folder" | "other";
  bytes: number;
  /** By the wall clock, when its content last changed. */
  changedAt: number;
  /** Names the file whatever its path; another file gets it only after this one is gone. */
  identity: string;
};

/** A stop already decided; it takes effect when the operation in flight has answered. */
type Ending = {
  outcome: Outcome;
};

/** One reason that goes into the next prompt. */
type Feedback =
  | {
      /** A red check told by its output: a command. */
      kind: "output";
      name: string;
      exitCode: number;
      logFile: string | null;
      output: TextRef;
      label?: BaselineLabel;
    }
  /** A red check told by its reason. */
  | {
      kind: "reason";
      name: string;
      reason: string;
      output: TextRef;
      label?: BaselineLabel;
    }
  /** A sentence of a gate. */
  | {
      kind: "note";
      text: string;
    }
  | {
      kind: "unchanged";
    }
  | {
      kind: "mentioned";
    }
  | {
      kind: "wrong-promise";
      found: string;
      expected: string;
    }
  | {
      kind: "answer";
      text: TextRef;
    };

/** The texts of a report, or why there is none. */
type FoundReport =
  | {
      kind: "found";
      texts: string[];
    }
  | {
      kind: "none";
      reason: "missing" | "there-before" | "not-regular" | "older-than-run" | "too-large" | "outside";
    };

/** A role run of this work run; without an end its driver died. */
type FoundRole = RoleUse & {
  runId: string;
  end: RoleEnd | null;
};

/** A task as the work run finds it when it starts or is resumed. */
type FoundTask = {
  id: string;
  dependencies: string[];
  /** Iterations that earlier work runs used on it. */
  iteration: number;
  /** How far it is; null: it was removed. */
  standing: Pick<TaskStanding, "status" | "progress"> | null;
  /** Its stored definition asks for other work than the one that the run keeps. */
  isEdited?: boolean;
  /** What former roles did is where the next one will look. */
  isKept: boolean;
  /** Its work tree and branch; null in the project directory. */
  place: {
    path: string;
    branch: string;
  } | null;
};

/**
 * One condition of done, as data. The engine walks gates in their order and knows them by `when`, `isBeforeDelivery` and
 * `isAlways` only; what a kind does is known to the file that performs it.
 */
type Gate = {
  /** Unique within a run. */
  id: string;
  kind: string;
  /** Its name for people: the command or the criterion's description. */
  name: string;
  when: GateWhen;
  /** A red verdict prevents the delivery. Only for gates on a claim: gates of every turn always run before it. */
  isBeforeDelivery: boolean;
  /** Also runs after a failed or cut turn, and before any way out of a turn. Only for `every-turn`. */
  isAlways: boolean;
  /** The file and key, flag, task or version it comes from. */
  origin: string;
  limits: GateLimits;
  /** How a red verdict reaches the next prompt: by its output, by its reason, or only by the notes of its word. */
  tells: "output" | "reason" | "notes";
  /** The run's claim alone meets it: it is green with every claim and never counts as a check. */
  isClaimOnly?: true;
};

/** What a gate found. */
type GateAnswer = {
  /** At least one, unless it was cut or could not be asked (`stop`): a gate without a verdict is not green. */
  verdicts: Verdict[];
  isCut: boolean;
  spend: Spend;
  /** Why the run must end here: a review held at the cap, dependencies that never end. */
  stop: GateStop | null;
  /** The gate's memory from now on; null leaves it as it was. */
  slot: Json;
  /** Null for a gate that knows nothing beyond its verdicts. */
  word: GateWord | null;
};

/** A run as its gates see it. */
type GateContext = {
  context: Omit<RunContext, "askGate">;
  tools: GateTools;
  own: OwnGates;
};

/** Limits the performer keeps; null means none. */
type GateLimits = {
  wallMs: number | null;
};

/** What a gate is asked for. */
type GateRequest = {
  effectId: number;
  gate: ContractGate;
  iteration: number;
  /** The role of the turn that is judged, `run` where it has none: evidence is kept by it. */
  role: string;
  /** The tree this iteration's gates speak for; null where nobody can tell. */
  candidate: string | null;
  hasClaim: boolean;
  /** A task list may approve something after this turn. */
  mayApprove: boolean;
  isGreenSoFar: boolean;
  /** Gates before this one were not asked: the run is left. */
  isUnproven?: true;
  slot: Json;
  wallMs: number | null;
  signal: AbortSignal;
};

/** How a gate may end a run, where no further turn helps: only evidence completes one, and only people cancel or interrupt it. */
type GateStop = {
  name: (typeof gateStopNames)[number];
  reason: string;
};

/** What of the machine gates use. */
type GateTools = {
  agents: AdapterList;
  /** Starts this program again. */
  selfArgv: readonly string[];
  fingerprint: (
    directory: string,
    run?: {
      runId: string;
    } & GitCaller,
  ) => Promise<string>;
};

/** When a gate runs: before the first turn (only for words), after every judged turn, or on a claim. */
type GateWhen = "before-first-turn" | "every-turn" | "on-claim";

/**
 * What a gate reports about the run besides verdicts. Only in a run whose claim comes from a gate, the task list, it says whether
 * completion is claimed and who works on what next; elsewhere its notes and its remark alone count.
 */
type GateWord = {
  isClaim: boolean;
  /** False: no work is left for another turn. */
  isWorkLeft: boolean;
  /** The role and the task of the next turn. */
  assignment: Assignment | null;
  /** Sentences for the next prompt. */
  notes: string[];
  /** For the closing sentence. */
  remark: string | null;
};

/** Who calls: the turn marker of its processes, what ends them, and the repository where it is known from before. */
type GitCaller = {
  turnMarker: string;
  signal?: AbortSignal;
  repository?: Repository;
};

/** A check whose command, files and output only people see. */
type HeldOutCheck = {
  name: string;
  command: string;
  files: HeldOutFile[];
  /** What the agent is told when it fails; null: only that one failed. */
  hint: string | null;
  /** Tasks that it belongs to; empty: every run. */
  tasks: string[];
};

/** A file that the check finds at `.held-out/<path>`, frozen with the run. */
type HeldOutFile = {
  path: string;
  hash: string;
};

/** Which hooks an agent gets: of any run the guard, on a task list also the context monitor and the stop checks. */
type HookedRun = "run" | "list";

type Invocation = {
  argv: string[];
  stdin: string | null;
  /** The answer is in `answerFile` instead of standard output. */
  usesAnswerFile: boolean;
  /** The command line forbids edits, so a turn cannot change anything. */
  isReadOnly: boolean;
};

/** What a turn, a judge or a message call wants of an agent program. */
type InvocationRequest = {
  /** As configured; its basename chose the adapter. */
  command: string;
  /** Argv items of the settings, already split. */
  flags: readonly string[];
  model: string | null;
  prompt: string;
  /** `stream`: events as they come. `text`: only the last message, for judges and messages. */
  mode: "stream" | "text";
  /** A turn of the run, not a question beside it. */
  isTurn?: boolean;
  /** The session to continue, or null for a fresh context. */
  sessionId: string | null;
  /** Overrides the adapter's own way. */
  promptVia: "stdin" | "argument" | null;
  /** The file for an agent that writes its answer to a file; deleted before and read after the call. */
  answerFile: string;
  /** The file for an agent that writes its spend to a file; absent when nobody reads it. */
  usageFile?: string;
};

/** What the iteration in progress has shown so far. Emptied when the next turn begins. */
type IterationFacts = {
  report: TurnReport | null;
  /** By gate id. */
  verdicts: Record<string, Verdict[]>;
  /** By gate id, of gates that said more than their verdicts. */
  words: Record<string, GateWord>;
  /** A delivery was tried; it need not have committed anything. */
  isDelivered: boolean;
  /** The tree the verdicts speak for; null outside git and without a claim. */
  candidate: string | null;
  /** The gates are asked again, because another tree was delivered than they had seen. */
  isRecheck: boolean;
  /**
   * The claim is refused, because what is delivered is not what the gates saw, though they were asked again: the paths
   * that differ, or none when the commit failed.
   */
  unstablePaths: string[] | null;
};

/**
 * Entries of a journal as they are stored; `head` is the hash of its last entry, read first; null when no entry has one.
 * `frozenHash`, read first too, is that of what the run was started with, as it is stored now.
 */
type JournalChain = {
  links: ChainLink[];
  head: string | null;
  frozenHash: string;
};

/** News as the journal remembers it, numbered within its run. */
type JournalEntry = {
  runId: string;
  seq: number;
} & (JournalNews | WorkStepNews);

/** Plain JSON. */
type Json =
  | null
  | boolean
  | number
  | string
  | Json[]
  | {
      [key: string]: Json;
    };

/** Stores a long text as a blob, keeps a short one in place. */
type KeepText = (text: string) => Promise<TextRef>;

/** The files of a run and how much they take. `changedAt`: when a file was last added, by the wall clock. */
type KeptFiles = {
  runId: string;
  bytes: number;
  changedAt: number;
};

/**
 * One false expectation that is tried on its own, as the base knows it. `isHeard`: the check of the base noticed it, or that the same
 * assertion was turned around; otherwise nobody knows whether the assertion is reached.
 */
type KnownSpot = {
  id: string;
  isHeard: boolean;
};

/**
 * The right to drive a run. `epoch` fences: it is raised whenever the lease passes on, and a write with an older one is
 * refused. `expiresAt` is for other hosts alone; null: stored by a version that did not renew, so time never ends it.
 */
type Lease = {
  runId: string;
  owner: Owner;
  epoch: number;
  expiresAt: number | null;
};

/** A task on its way through the work run. */
type LedTask = FoundTask & {
  /** It had its turn in this work run; before that its standing is left alone. */
  isBegun: boolean;
  /** It was done before this work run: nothing of it is stored again. */
  isOver: boolean;
  /** Where it stands on its way through the roles. */
  progress: TaskProgress | null;
  phase: TaskPhase;
};

/** A file of the candidate that a sealed copy does not have. */
type LeftOut = {
  path: string;
  protection: Protection;
  reason: "new" | "in-the-way";
};

/** Whether the driver that held this very lease, in this epoch, was alive when somebody looked. It says nothing of another. */
type LivenessAnswer = Omit<Lease, "expiresAt"> & {
  isAlive: boolean;
};

/** The world a run's processes are looked for in. */
type LivenessWorld = {
  table: Pick<ProcessTable, "readAll" | "readOne">;
  /** Asks the kernel for a process group. A group of another user is `denied`: it is there. */
  askGroup: (pgid: number) => "there" | "denied" | "gone";
  /** The wall clock at the start of a process of the table; null when nobody can tell. */
  startedAtMs: (row: TableRow) => number | null;
  /** Whether a process is of the user this program runs as, as far as anybody can tell. */
  isOurs: (pid: number) => boolean;
};

/** A file that takes any amount of output and keeps its head and its tail. */
type LogFile = {
  /** Returns a promise only when the caller has to wait (back-pressure). Never rejects; see `close`. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** `problem` says why output could not be kept (disk full); the run continues. */
  close(): Promise<{
    bytes: number;
    droppedBytes: number;
    problem: string | null;
  }>;
};

/** Where a hook's log lines go. Must not throw; who does is not asked again for that line. */
type LoopLog = (line: LogLine) => void;

/** Merges two commits of the main work tree. Null: it is no repository any more. Rejects when git cannot tell. */
type MergeTrees = (merged: Merged) => Promise<MergedTree | null>;

/** Two commits to bring together. */
type Merged = {
  ours: string;
  theirs: string;
};

/** What a merge comes to: its tree, in the repository of the user, or the paths in which it conflicts. */
type MergedTree =
  | {
      tree: string;
    }
  | {
      conflicts: string[];
    };

/** What a model costs, in US dollars per million tokens. */
type ModelPrice = {
  /** As the provider names it, without a date: `gpt-5`. */
  model: string;
  input: number;
  output: number;
  /** Input that came from the provider's cache; absent: as other input. */
  cacheRead?: number;
  /** Input that was written to the cache; absent: as other input. */
  cacheWrite?: number;
};

/** When something was observed: wall clock for people, monotonic time of this driver for budgets. */
type Moment = {
  at: number;
  upMs: number;
};

/** A folder or a file of this machine at another place of the namespace. */
type Mount = {
  source: string;
  target: string;
};

/** A tree of git, and the commit that holds it; null: an index or a work tree does. */
type NamedTree = {
  tree: string;
  commit: string | null;
};

/** What a namespace holds. Everything else of this machine is not there: no store, no project, no HOME. */
type NamespaceRules = {
  bubblewrap: Bubblewrap;
  /** The work tree of the copy, and which parts of it are read-only. */
  folder: string;
  binds: BindPlan;
  /** Other folders that may be written: home, temporary files, report. */
  writable: readonly string[];
  /** Dependencies and objects: read-only. */
  readOnly: readonly Mount[];
  /** Folders inside of read-only mounts that programs write caches to: empty, in memory. */
  caches: readonly string[];
  /** Folders of programs and toolchains outside of the system's own, see `programFolders`. */
  programs: readonly string[];
  /** `seal.network`. */
  network: "loopback" | "host";
};

/**
 * What a stop came to, from the run after its checks: it may end, verified, on the agent's word alone or given up, or the
 * agent is sent back.
 */
type NativeVerdict = {
  kind: "verified" | "unverified" | "given-up" | "refused";
  reasons: string;
  red: Verdict[];
};

/** A text (any letter case) or a regular expression to find in the output, the diff or the changed files (CW-2N). */
type NegativePattern = {
  pattern: string;
  isRegex: boolean;
  scope: "output" | "diff" | "files";
};

type NewRun = {
  id: string;
  kind: RunKind;
  /** The locked directory: the project, or the task directory of a supervised task. */
  directory: string;
  parentId: string | null;
  frozen: FrozenRun;
  state: RunState;
  createdAt: number;
};

/** What a person can do next with a run: a few words, and the one command to type. */
type NextCommand = {
  words: string;
  command: string;
};

/** A test with its identity. */
type NumberedTest = TestCase & {
  id: string;
  ordinal: number;
};

/** An open regular file. It stays this very file, whatever its path comes to name. */
type OpenFile = {
  /** As it was when it was opened. */
  entry: DiskEntry;
  size(): number;
  /** Fills `buffer` from `position` on and returns how many bytes there were; 0: the file ends there. */
  read(buffer: Uint8Array, position: number): number;
  /** One write at the end that no other append can come into. Returns how many bytes the disk took. */
  append(bytes: Uint8Array): number;
  close(): void;
};

/** The seal of a run, ready to verify candidates. Commands run one after the other, in one copy. */
type OpenSeal = {
  record: SealRecord;
  /** The top of the copy. */
  folder: string;
  /** Where the objects and files of the seal lie. */
  content: string;
  /** What holds commands in: a namespace, or only the copy; then `problem` says why. */
  isolation:
    | {
        kind: "namespace";
        problem: null;
      }
    | {
        kind: "copy";
        problem: string;
      };
  /** What a copy of a candidate holds, and how it differs from it. Rejects when git cannot tell. */
  written(content: SealedContent): Promise<WrittenTree>;
  /** The files of a tree that the seal holds. */
  files(tree: string): Promise<TreeFiles>;
  /** The text of a file, by its object. */
  text(object: string): Promise<string>;
  /** What a candidate changes in all files, or in some, as a patch without context. */
  difference(candidate: string, files?: readonly string[]): Promise<string>;
  /** Lets somebody look at the project in a copy that holds the content and in which nothing has run; `use` gets its folder. */
  view<Result>(content: SealedContent, use: (directory: string) => Promise<Result>): Promise<Result>;
  /** The texts of all test files of a copy that holds the content and in which nothing has run yet, by path. */
  testTexts(content: SealedContent): Promise<Map<string, string>>;
  /**
   * Runs a command in the copy. Commands with equal content find what the ones before them left, as checks in one work tree do;
   * `afresh` clears it away first.
   */
  run<End>(
    order: CommandInCopy,
    start: (place: SealedContext) => Promise<End>,
    afresh?: "afresh",
  ): Promise<SealedRun<End>>;
  /** Programs that are not those of the seal, a sentence each. */
  toolChanges(): Promise<string[]>;
  /** Removes the copy. */
  close(): void;
};

/** How a run asks gates that only its kind of run can ask, by the gate's kind. */
type OwnGates = Readonly<Record<string, PerformGate>>;

/** Who drives a run: enough to tell later whether that driver still lives. */
type Owner = ProcessIdentity & {
  host: string;
};

/** An effect that is answered, and therefore can be in flight. */
type PendingEffect = Exclude<
  Effect,
  {
    type: "cut" | "end-run";
  }
>;

/** Asks one gate. Must not reject; a cut is a result. */
type PerformGate = (request: GateRequest) => Promise<GateAnswer>;

/** What an agent may do in a run, where nobody is there to answer its questions. */
type PermissionMode = {
  /** One word, such as `edits`. */
  name: string;
  /** For `agent.flags`. */
  flags: readonly string[];
  /** What the agent may do then, as the rest of a sentence: `may edit files …`. */
  meaning: string;
};

/** What a program must be told to load our plugin. */
type PluginEnvOptions = {
  flags: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
};

/** Every number and switch the engine decides by, frozen at start. Commands and texts stay in the frozen settings. */
type Policy = {
  kind: RunKind;
  /** null: unbounded, allowed only with a time, spend or token budget. */
  iterationsMax: number | null;
  /** The text a claim must carry. */
  completionText: string;
  /** Which tags count. */
  signals: ("promise" | "response")[];
  /** A claim without any change since the run began is refused. */
  requireProgress: boolean;
  /**
   * What a claim is: a tag in the agent's words, the DONE file, the word of a gate that looks after a task list, or every
   * stop of a session without a loop; that run continues after a claim, because the session does.
   */
  claimBy: "tag" | "done-file" | "gate" | "stop";
  /** Every condition of done, in order. */
  gates: Gate[];
  /** Which contract the gates are: how often people changed it between turns, and its hash. */
  contract: {
    revision: number;
    hash: string;
  };
  hasDelivery: boolean;
  /** Something is delivered once, after every gate is green: a pull request. */
  hasFinalDelivery: boolean;
  /** `<promise>REJECT: …</promise>` ends the run: the role sends the work back. */
  canReject: boolean;
  /** Turns in a row without any answer that stop the run, each repeated under its number; null: an empty turn counts. */
  emptyTurnsMax: number | null;
  turnIdleMs: number | null;
  turnWallMs: number | null;
  resultGraceMs: number;
  /** Between any two turns, failed or not. */
  restartDelayMs: number;
  /**
   * The restart delay ends with the time budget, and there is none after the last turn. Missing in supervised runs that
   * older versions stored: their journals contain such waits.
   */
  isRestartDelayBounded?: true;
  retryDelayMs: number;
  /** Failed turns in a row that stop the run; null: off. */
  failuresMax: number | null;
  /** Turns in a row without any change that stop the run, or refusals of a stop for one reason; null: off. */
  unchangedMax: number | null;
  budgetUsd: number | null;
  budgetTokens: number | null;
  budgetMs: number | null;
  /** Null where a turn is a process: its end is a fact. */
  settling: Settling | null;
  /** `continue` hands the agent's session on to the next turn. */
  context: "continue" | "reset";
  /** Seeds the jitter, so that `decide` stays deterministic. */
  seed: number;
};

/** What `ralph resume` may raise, and what people's edits of a task list change. */
type PolicyChange = Partial<
  Pick<Policy, "iterationsMax" | "budgetUsd" | "budgetTokens" | "budgetMs" | "gates" | "contract">
>;

/** What a run on a task list was started with. */
type PrdRun = {
  /** The folder of `prd.md`, `tasks.json`, `progress.txt` and `prompt.md`, and its name for people. */
  folder: {
    path: string;
    name: string;
  };
  review: ReviewOptions;
  /** A separate agent for reviews; null: the same agent. */
  reviewer: {
    command: string | null;
    flags: string[] | null;
    model: string | null;
  };
  /** The PRD is read-only: ralph restores this text after a change. */
  prd: string;
  /**
   * How many guardrails come from the settings; verify commands of the list follow them. Absent in runs of older
   * versions, whose commands never change.
   */
  settingsGuardrails?: number;
};

/** A run before it begins: what its gates may look at. */
type PrepareContext = Pick<RunContext, "frozen" | "adapter" | "command" | "flags" | "env" | "killGraceMs"> & {
  agents: AdapterList;
  disk: Disk;
  processes: Processes;
  /** What was found to be in order before; runs that begin together share it. */
  looked: Set<string>;
};

/** The public prices of one provider. */
type PriceTable = {
  /** Where they were published. */
  source: string;
  /** When they were last compared with the source, as `2026-06`. */
  knownAt: string;
  models: readonly ModelPrice[];
};

/** Facts about an ended process. All of its descendants were ended too, but for `survivors`. */
type ProcessEnd = {
  exitCode: number | null;
  signal: string | null;
  timedOut: "idle" | "wall" | null;
  /** `cut` was called before it ended by itself. */
  isCut: boolean;
  /** SIGKILL was needed. */
  isForced: boolean;
  /** Descendants left over by it that had to be ended. */
  leftoverCount: number;
  survivors: number[];
  durationMs: number;
  /** Only of a function in the place of a program: what it needs is not there, and no other try will find it. */
  startError?: StartError;
};

/**
 * A living process, recognised across restarts by its start time: a pid alone is reused. `namespace`: the PID namespace in which
 * the pid means this process; absent: that of whoever reads it, or of a record that does not tell.
 */
type ProcessIdentity = {
  pid: number;
  startTime: string;
  namespace?: string;
};

/** What to start. No shell: `argv[0]` is the program. */
type ProcessOrder = {
  purpose: ProcessPurpose;
  argv: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited beyond it. */
  env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. Null: standard input is empty from the start. */
  stdin: string | Uint8Array | null;
  /**
   * Value of `RALPH_TURN` in `env`; every descendant that still carries it, or one below it (`<marker>/…`), belongs to
   * this order. So processes side by side are told apart, and all of them are found by what they have in common.
   */
  turnMarker: string;
  idleMs: number | null;
  wallMs: number | null;
  /** Between SIGTERM and SIGKILL. */
  killGraceMs: number;
  /** Output as it comes, in memory that the next chunk overwrites. A returned promise holds the stream back. Must not throw. */
  onStdout(chunk: Uint8Array): Promise<void> | undefined;
  onStderr(chunk: Uint8Array): Promise<void> | undefined;
  /**
   * Asked once, before what is left over is ended: processes and groups, by number, that stay alive with all their
   * descendants. Must not reject.
   */
  exempt?(): Promise<ReadonlySet<number>>;
  /** The settings want no PID namespace around this one. */
  isUncontained?: boolean;
};

/**
 * What a process is started for; a sandbox decides by it. `agent`: a turn, or another question to the agent; `judge`: a
 * verdict; `check`: a command of the contract; `git`: a look or a change of ours; `delivery`: commit, push, pull request;
 * `tool`: anything else of ours.
 */
type ProcessPurpose = "agent" | "judge" | "check" | "git" | "delivery" | "tool";

type ProcessStart =
  | {
      isStarted: true;
      process: RunningProcess;
    }
  | {
      isStarted: false;
      kind: "not-found" | "not-executable" | "bad-directory" | "resources";
      message: string;
    };

/** The machine's processes at this moment. Nothing here throws: what vanished or is hidden is left out. */
type ProcessTable = {
  /** All of them; those who were there at `since` may be left out, for reading one takes time. */
  readAll(since: Births | null): TableRow[];
  readOne(pid: number): TableRow | null;
  /** `startedAt` of a recorded `startTime`; null when that was in another boot or cannot be read. */
  startedAtOf(startTime: string): number | null;
  /**
   * Those of `pids` whose environment holds `RALPH_TURN=<marker>` or one below it (`<marker>/…`), and those who show none: a process in the middle of
   * `exec` has none for a moment. Costs one read each: ask about few.
   */
  findCarriers(
    pids: readonly number[],
    turnMarker: string,
  ): {
    carriers: number[];
    blank: number[];
  };
  /** Now. The same count before and after a look means that nobody was born meanwhile. Null: nobody can tell. */
  births(): Births | null;
};

/** Processes of this machine. */
type Processes = {
  /** Starts `order` in a process group of its own. Must not reject; a failed start is a result. */
  start(order: ProcessOrder): Promise<ProcessStart>;
  /**
   * Runs `program` in our own process group with our standard input and output until it ends: a conversation or an editor
   * needs both. Without limits, and what it starts is its own; Ctrl-C is the program's and does not end us meanwhile. Must
   * not reject; a failed start is a result.
   */
  runOnTerminal(program: TerminalProgram): Promise<TerminalEnd>;
  /**
   * Whether exactly this process is alive. A process of another user counts as alive, and one of another PID namespace while
   * that namespace lives, or may live where it cannot be seen.
   */
  isAlive(identity: ProcessIdentity): boolean;
  /**
   * Why what a turn leaves behind may outlive it here, as a clause; null: the kernel ends it with the turn. Absent where turns are
   * no processes of this machine. Must not reject.
   */
  whyUncontained?: () => Promise<string | null>;
  /** The identity of this very process. */
  self(): Promise<ProcessIdentity>;
  /**
   * Ends what a dead driver left behind: the recorded process with its group and descendants, and every process of
   * ours whose environment carries `RALPH_TURN=<marker>`; those of `exempt`, as in an order, stay. Returns how many
   * were ended and which could not be.
   */
  endLeftovers(
    turnMarker: string,
    recorded: ProcessIdentity | null,
    killGraceMs: number,
    exempt?: ReadonlySet<number>,
  ): Promise<{
    ended: number;
    survivors: number[];
  }>;
};

/** Where the base prompt comes from. A file is read again at every iteration; nothing else is. */
type PromptSource =
  | {
      kind: "text";
      text: string;
    }
  | {
      kind: "file";
      path: string;
    };

/**
 * Why a path of the base is restored in a sealed copy. `test`: new ones stay. `runner`, `named` (by a check or by the settings)
 * and `agent` (what agents obey): new ones are left out. `shadow`: a module that would hide one of the runner's; new ones are
 * left out, one of the base is ordinary code.
 */
type Protection = "test" | "runner" | "shadow" | "named" | "agent";

/** Why tests refuse a claim. */
type Refusal =
  | {
      kind: "failed" | "missing" | "skipped";
      tests: NumberedTest[];
    }
  | {
      kind: "fewer";
      group: string | null;
      passedBase: number;
      passedNow: number;
    }
  | {
      kind: "more-failed";
      group: string | null;
      failedBase: number;
      failedNow: number;
    }
  | {
      kind: "empty";
      baseCount: number;
    };

/** What a reader found. A report that is not readable proves nothing. */
type ReportContent =
  | {
      isReadable: true;
      tests: TestCase[];
    }
  | {
      isReadable: false;
      problem: string;
    };

/** Where a runner writes its report: one file, all files with an ending in one folder, or all that fit below a folder. */
type ReportSource =
  | {
      kind: "file";
      path: string;
    }
  | {
      kind: "folder";
      path: string;
      ending: string;
    }
  | {
      kind: "below";
      path: string;
      globs: readonly string[];
    };

/** A repository with a work tree, found by its files alone: no configuration can move it. */
type Repository = {
  /** The top of the work tree. */
  top: string;
  /** `.git`, or in a linked work tree the folder that its `.git` file names. */
  gitDir: string;
  /** Where objects, references and the configuration are; the same as `gitDir` but in a linked work tree. */
  commonDir: string;
  /** What stands at `.git`: `other` is a link. Absent where an older version looked. */
  entry?: DiskEntry["kind"];
  /** From the top to the directory, with a slash at the end; empty at the top. */
  prefix: string;
};

/** What a person, a signal or another command asks of a run. */
type Request = "cancel" | "pause" | "go-on" | "interrupt" | "interrupt-now";

/**
 * The review settings. After `reviewCap` reviews a task is not sent back again: it is approved with open feedback, or held
 * for a person.
 */
type ReviewOptions = {
  isReviewSkipped: boolean;
  reviewCap: number;
  /** The flag that gave the cap, for messages; absent: a setting or its default. */
  capFlag?: string;
  atCap: "approve" | "hold";
};

/** What people changed while no agent was at work; plain JSON, for the journal and the contract. */
type Revision = {
  changes: RevisionChange[] /** Changes beyond those listed. */;
  more: number;
};

/** One thing that people changed between two turns. */
type RevisionChange = {
  kind: "prd" | "list" | "story-added" | "story-removed" | "story" | "criterion" | "command";
  /** Null: the list or the PRD as a whole. */
  taskId: string | null;
  field: string;
  from: unknown;
  to: unknown;
  /** Less is checked than before: a person has to say that this is meant. */
  isCheckRemoved: boolean;
  text: string;
};

/** What the agent is while it works on a task. */
type Role = (typeof roles)[number];

/** What the claim of one role's run is verified against, frozen with the run (S2-06). */
type RoleCriterion = {
  role: Role;
  criterion: Criterion;
  /** The task's own outcome and acceptance criteria, or their defaults. */
  outcome: string;
  acceptanceCriteria: string[];
};

/**
 * How a role's run ended. `rejected` is its reason for sending the work back; a typed claim, never read out of a text.
 * `checks` are what verified its claim, without those that only look for the claim itself.
 */
type RoleEnd = {
  outcome: Outcome;
  rejected: string | null;
  checks?: string[];
  /** A resume would fail in the same way: the flags or the model that are frozen are the cause. */
  needsNewRun?: true;
};

/** The checks that verified a role's claim; none: the claim rests on the agent's word. */
type RoleEvidence = {
  role: Role;
  checks: string[];
};

/** Where a role works, and the commit it starts at. `base`: what sealed checks start from; absent where they are not sealed. */
type RolePlace = {
  projectDir: string;
  startCommit: string | null;
  base?: string;
};

/** How a role run begins. `cancel` starts no agent: it ends a run whose driver died. */
type RoleStart =
  | {
      kind: "new";
      place: RolePlace;
      rest: BudgetRest;
    }
  /** `acceptedTests`: changed tests in dispute that a person accepts, `all` or paths. */
  | {
      kind: "resume";
      change: PolicyChange;
      answer: TextRef | null;
      acceptedTests?: string[];
    }
  | {
      kind: "cancel";
    };

/** The task of a role's run as it was when the work began; later edits have no effect. */
type RoleTask = {
  id: string;
  version: number;
  title: string;
  description: string;
  round: number;
  /** Why later roles sent the task back before this round. */
  reasons: TaskProgress["reasons"];
  /** The project of the task; the role may work in a separate work tree. */
  projectDir: string;
};

/** What one role run used, and for which task. The spend of its living turn is part of it. */
type RoleUse = {
  taskId: string;
  iteration: number;
  spend: Spend;
  usedMs: number;
};

/** What a run begins with beside its policy: what its gates found before the first turn. */
type RunBegin = Pick<RunState, "slots" | "assignment" | "isWorkLeft">;

/** Everything the performers of one run share. */
type RunContext = {
  runId: string;
  frozen: FrozenRun;
  clock: Clock;
  processes: Processes;
  disk: Disk;
  store: Store;
  sink: RunSink;
  /** Asks a gate of the contract. */
  askGate: AskGate;
  artefacts: Artefacts;
  /** The state folder; the git store of the run lies in it. */
  folder: string;
  /** The environment ralph was started with. */
  env: Readonly<Record<string, string>>;
  adapter: AgentAdapter;
  adapters: readonly AgentAdapter[];
  /** The agent program as configured, and its flags split into argv items. */
  command: string;
  flags: readonly string[];
  /** Variables for the agent's process alone. */
  agentEnv: Readonly<Record<string, string>>;
  killGraceMs: number;
  keepText: KeepText;
  /** A text that differs when work tree or commits differ; null when nobody needs to know. For the effect at work. */
  fingerprint: (effectId: number) => Promise<string | null>;
  /** Leaves a remark in the journal. Must not reject. */
  note: (level: "info" | "warning", text: string) => Promise<void>;
  /** A check starts (no verdict) or has ended. */
  onCheck: (progress: CheckProgress) => void;
  /** Where the checks of a claim run sealed; absent: in the tree that the agent works in. */
  seal?: RunSeal;
  /** The prompt of a turn, just before it is sent. Must not throw. */
  onPrompt?: (prompt: string) => void;
  /** What the agent prints on standard error. */
  onStderr: (chunk: Uint8Array) => Promise<void> | undefined;
};

/** Which runs are meant. `isHeld`: only those that a driver, living or dead, holds. */
type RunFilter = {
  directory: string | null;
  limit: number | null;
} & RunTraits;

/** The surface of the run; surfaces differ in policy, never in the loop. */
type RunKind = "run" | "supervise" | "prd" | "work" | "session";

type RunRecord = NewRun & {
  /** With `owner` and `expiresAt` the lease of the run. */
  epoch: number;
  /** Null when nobody drives it. */
  owner: Owner | null;
  expiresAt: number | null;
  updatedAt: number;
  endedAt: number | null;
  outcome: Outcome | null;
};

/** The seal of a run while it is driven. */
type RunSeal = {
  /** Opens it with the first claim. Rejects when it is gone or not the one that the run remembers. */
  open(): Promise<OpenSeal>;
  /** Opens it with a copy of its own, which the caller closes. Rejects likewise. */
  openApart(): Promise<OpenSeal>;
  /** What the checks of a candidate have shown in the copy, by command; forgotten with the next candidate. */
  results(candidate: string): Map<string, SealedResult>;
  /** Of the record, as the run remembers it. */
  hash: string;
  /** The only step of the gate `sealed` that is asked for; null: all of them. */
  step: string | null;
  /** Removes the copy, if there is one. */
  close(): Promise<void>;
};

/** The reader of one run that a surface brings along. Must not throw and is never waited for. */
type RunSink = {
  entry(entry: JournalNews, state: RunState): void;
  agentEvent(event: AgentEvent, effectId: number): void;
};

/** The same, and `lastUpMs` where the program is older than the run: the time before is not used by the run. */
type RunStart = Partial<RunBegin & Pick<RunState, "lastUpMs">>;

/** `isTop`: without the runs that have a parent. */
type RunTraits = {
  parentId?: string;
  isTop?: true;
  isHeld?: true;
  kind?: RunRecord["kind"];
};

type RunningProcess = {
  identity: ProcessIdentity;
  /** The PID namespace that it made for what it starts. */
  ownNamespace?: string;
  /** Settles when the process, its output and all its descendants are gone. Must not reject. */
  ended: Promise<ProcessEnd>;
  /** Ends the whole tree: SIGTERM, grace, SIGKILL. Idempotent. */
  cut(): void;
  /** From now on, `ms` without output end the process as if it had ended by itself (a result was seen). */
  endAfterSilence(ms: number): void;
};

/** What was sealed before the first turn. Objects of git and included files lie beside it. */
type SealRecord = {
  version: 1;
  /** Absent: the run itself. The run beside whose seal the objects and files of this one lie, and the top of its work tree. */
  owner?: {
    runId: string;
    top: string;
  };
  /** The tree that the work began with; with accepted changes, that tree with them. */
  base: string;
  /** Absent: nothing was accepted. The tree before, of which the run's own store has all objects, and what people accepted. */
  accepted?: {
    start: string;
    paths: string[];
  };
  history: CopyHistory;
  /** Where the project lies in its repository; empty: at the top. */
  directory: string;
  /** The commands of all checks. */
  commands: string[];
  /** Files that the commands name. */
  named: string[];
  /** The search path as it was. */
  path: string;
  tools: ToolPrint[];
  dependencies: SealedDependencies;
  /** Files that git ignores and checks need, by path: the hash of what they held. */
  include: Record<string, string>;
  contractHash: string;
  /** Folders beside protected files that the suite of the base makes and fills; absent: it needs none. */
  filled?: string[];
  /** How each check stood on the base, in a sealed copy. */
  checks: CheckBase[];
};

/** The settings of the seal as far as a contract knows them; the rest is told to whoever runs sealed checks. */
type SealSettings = {
  checks: "claims" | "off";
  timeout: number | null;
};

/** How it ended, and the report of its tests; null: it gives none. */
type SealedCheckEnd = {
  end: CommandEnd;
  report: ReportContent | null;
  touched: string[];
};

/** What such a run proves. `comparison` is null where there was no report. */
type SealedCheckVerdict = {
  isPassed: boolean;
  reason: string;
  tests: TestSummary | null;
  comparison: Comparison | null;
  /** Red in nothing but tests of files that the candidate changed; empty otherwise. Its own form of them may be green. */
  disputable: NumberedTest[];
};

/** A command that ran in the sealed copy. `report`: the hash of what its tests showed, by name; null: it gives no report. */
type SealedCommandEnd = {
  command: string;
  exitCode: number;
  report: string | null;
};

/**
 * Which files a command sees: the candidate's, with the tests of the base (A) or its own (B); `overlay` puts texts in their place, and
 * `added` are files beside them that nobody may write. A seal opened apart is the place for the latter.
 */
type SealedContent = {
  candidate: string;
  variant: "A" | "B";
  overlay?: ReadonlyMap<string, string>;
  added?: ReadonlyMap<string, Uint8Array>;
};

/** Where one command runs: like the work tree of the agent for whoever starts it, and sealed. */
type SealedContext = {
  processes: Pick<Processes, "start">;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Where this run's report goes, when the runner is told so: nobody can have written it before. */
  reportPath: string;
};

/** A checkout that no agent has seen, in a folder of its own. One suite at a time uses it. */
type SealedCopy = {
  /** The work tree. */
  folder: string;
  /** What the copy owns beside its work tree; the environment of checks leads there. */
  home: string;
  temporary: string;
  /** Everything of the copy; removed with it. */
  root: string;
  /** Makes it hold exactly `content`: what a suite left behind is gone. Rejects when it cannot. */
  prepare(content: CopyContent): Promise<void>;
  remove(): void;
};

/** Dependencies as they were at the seal. */
type SealedDependencies = {
  key: string;
  folders: DependencyFolder[];
};

/** Where a file of a sealed copy comes from. `merged`: a manifest with the base's protected keys. */
type SealedFile = TreeFile & {
  path: string;
} & (
    | {
        from: "base";
        protection: Protection;
      }
    | {
        from: "candidate";
        protection: Protection | null;
      }
    | {
        from: "merged";
        protection: null;
        baseObject: string | null;
        keys: readonly string[];
      }
  );

/** A check that ran in the copy, and what it proves. */
type SealedResult = SealedCheckEnd & {
  verdict: SealedCheckVerdict;
  /** Every step of a sealed verification has accepted it. */
  isProven?: true;
};

/** What a run came to. `touched`: protected files that were written or exchanged meanwhile, also when they were put back. */
type SealedRun<End> = {
  end: End;
  report: FoundReport | null;
  touched: string[];
};

/** One run in a prepared copy. */
type SealedRunOptions = {
  copy: SealedCopy;
  processes: Pick<Processes, "start">;
  /** All of it, see `sealedEnvironment`. */
  env: Readonly<Record<string, string>>;
  /** From the top of the copy; empty for the top itself. */
  directory: string;
  /** Null: no namespace here, the command runs in the plain copy. */
  namespace: Omit<NamespaceRules, "folder" | "writable"> | null;
  /** Files that nobody may write during the run, from the top of the copy. */
  protectedFiles: readonly string[];
  /** Whether the copy was made with a file at a path from its top; others are left by the commands before. */
  isInTree: (path: string) => boolean;
  /** Which report the place gets; null: the exit code is all there is. */
  report: ((place: Pick<SealedContext, "reportPath" | "cwd">) => ReportSource) | null;
};

/** How a tip is verified where checks are sealed. */
type SealedTip = {
  /** The verified tip before it, or the tree that its task began with; null: what the work run began with. */
  base: string | null;
  /** The merged commit; null: the tip is the project directory. */
  commit: string | null;
  /** Whose held-out checks are asked: tasks that are done, and the one that was merged. */
  tasks: string[];
  isGreenSoFar: boolean;
};

/** What a sealed copy holds, and what it does otherwise than the candidate. */
type SealedTree = {
  files: SealedFile[];
  leftOut: LeftOut[];
  /** Files of the base that the candidate changed or removed and that are as they were. */
  restored: {
    path: string;
    protection: Protection;
    change: "changed" | "removed";
  }[];
  /** Tests of the base that the candidate changed or removed: variant B has to be run. */
  changedTests: string[];
};

/** What a driver has seen of the host: it comes with the steps of the engine, which does not know it. */
type Seen = {
  /** Messages before the iteration in progress; null when nobody could count them. */
  mark: number | null;
  /** Messages seen when the turn was judged: the next iteration's begin. */
  judgedCount: number | null;
  /** What was seen when the host last said it is idle; null while it works. */
  idle: SeenIdle | null;
  /** An error of the host since the iteration began. */
  hostError: string | null;
};

/** An idle host: how many messages it had, and whether it may be at work all the same. */
type SeenIdle = {
  count: number | null;
  isDoubted: boolean;
};

/** What the lines after it fold on from: a run began, or its record came from elsewhere. */
type SessionBegin = {
  because: string;
  record: SessionRecord;
};

/** What is stored at once: the lines of the journal, and the record that they lead to. */
type SessionChange = {
  begin: SessionBegin | null;
  steps: readonly SessionStep[];
  record: SessionRecord;
};

/** What was frozen for a session: the checks' names for people, and the hash of all that decides what they ask. */
type SessionContract = {
  names: readonly string[];
  hash: string;
};

/** One session run per host session: a loop of ours, or stops that are judged without one. */
type SessionKind = "loop" | "stops";

/** What is stored of a session: the loop as users see it, the engine's state, and where its messages stand. */
type SessionRecord = {
  version: typeof sessionVersion;
  loop: RalphLoopState;
  /** The directory the session works in. */
  directory: string;
  /** The program the session lives in: only it can tell whether the session still exists. */
  host: string;
  run: RunState;
} & Seen;

/** What the engine heard, and what it ordered. */
type SessionStep = {
  observation: Observation;
  effects: Effect[];
};

/**
 * Runs of host sessions, one record each; without a kind, loops are meant. Everything is synchronous: a hook may be asked by its host to answer at
 * once, and a change that is never interrupted cannot be overtaken. Nothing here throws.
 */
type SessionStore = {
  /** The run of a session; null when it has none of that kind, or when it has ended. */
  read(sessionId: string, kind?: SessionKind): SessionRecord | null;
  /**
   * Changes one record, alone: nobody else reads between its reading and its writing. `step` gets what is stored, or
   * null, and gives what shall be stored, or null to leave it as it is. The steps are in the journal before the record
   * is stored; a run whose record has an outcome is not read again. A loop ends the run without one; while a loop lives,
   * no other run of its session begins, and `step` is not called. False: it could not be stored, and nothing has changed.
   */
  change(sessionId: string, step: (record: SessionRecord | null) => SessionChange | null, kind?: SessionKind): boolean;
  /** Every readable record that has not ended, at most a thousand. */
  list(kind?: SessionKind): SessionRecord[];
};

/** One source of settings with a name for people: a file's path, a variable or `command line`. */
type SettingsLayer = {
  source: string;
  value: unknown;
  /** The content of the file, for line numbers. */
  text?: string;
};

/** How long a host's turn is left alone after such news, and the longest it may stay so. */
type Settling = {
  waitMs: Record<Unsettled, number>;
  longestMs: number;
};

/**
 * Files that agents and other programs write too. Nothing here follows a link at the end of a path. All of it happens at
 * once: each call takes microseconds, and a lock or an append must not wait in a queue. Throws what the system says.
 */
type SharedFiles = {
  /** Null when nothing is there. */
  look(path: string): DiskEntry | null;
  /** Names in a folder, in any order; null when there is no such folder. */
  list(folder: string):
    | {
        name: string;
        kind: DiskEntry["kind"];
      }[]
    | null;
  /** Opens a regular file, for appending also one that is made then; anything else throws. Null when it is not there. */
  open(path: string, purpose: "read" | "append"): OpenFile | null;
  /** Makes a file with this text, and its parent folders. False when anything stands there: of many, one makes it. */
  createOnce(path: string, text: string): boolean;
  rename(from: string, to: string): void;
  /** Removes a file or a link, if it is there. Never a folder. */
  remove(path: string): void;
};

/** A verdict with the gate it belongs to. */
type ShownVerdict = Verdict & {
  gate: string;
};

/** One stage of `multi_stage`; at most three levels deep (CW-2G). */
type Stage = {
  name: string;
  isRequired: boolean;
  /** Never answered from the cache. */
  isAlways: boolean;
  verification: Verification_2;
};

/** The result of one stage, small enough for the state: long texts are in the log. */
type StageVerdict = {
  name: string;
  method: VerificationMethod;
  isPassed: boolean;
  isRequired: boolean;
  reason: string;
  exitCode: number;
  durationMs: number;
  logFile: string | null;
  evidence?: string | null;
  isCached?: true;
  isFallback?: true;
  isUnverified?: true;
  isSealed?: true;
  tests?: TestSummary;
};

/** Why an agent program could not be started at all. */
type StartError = {
  /** `resources` may pass (too many processes, no memory); the others will not. */
  kind: "not-found" | "not-executable" | "bad-directory" | "prompt" | "sign-in" | "task-file" | "resources";
  message: string;
};

/** A state and the orders that follow from it. */
type Step = [RunState, Effect[]];

/** One step of a run, or of a work run, whose state holds its tasks beside the fields of every run. */
type StepCommit = {
  runId: string;
  epoch: number;
  at: number;
  state: RunState;
} & (
  | {
      kind?: "step";
      observation: Observation;
      effects: Effect[];
    }
  | {
      kind: "work-step";
      observation: WorkObservation;
      effects: WorkEffect[];
    }
);

/** Where a sealed verification stands: the step that begins, its number, and how long the rest takes by the last run of the checks. */
type StepProgress = {
  title: string;
  at: number;
  of: number;
  leftMs: number;
};

/** Reads one turn's lines. Holds what must be remembered between lines; a fresh one for each turn. */
type StreamReader = {
  /** `line` is a parsed JSON value; anything unexpected yields "unknown", never an exception. */
  read(line: unknown): AgentEvent[] | "unknown";
  /** What went wrong last and was not overcome since, for a stream that ends without a result event. */
  failure(): Failure | null;
};

/** Files and exit codes by which a supervised agent speaks. */
type SupervisedEnd = {
  /** DONE is there: the claim of a supervised task. */
  isDone: boolean;
  /** Why the task waits without a restart, as a sentence with the words of the exit code, wait file or bus message; or null. */
  waiting: string | null;
};

/** What a listener hears of a supervised task beyond the journal of its run. */
type SupervisedNews =
  /** A line that was put on the task's bus. */
  | {
      type: "message";
      messageType: string;
      body: string;
    }
  /** `durationMs` is the longest it can take, null without a limit. */
  | {
      type: "waiting";
      waitsFor: "children";
      durationMs: number | null;
    };

/** What a supervised run is about, frozen at its start. */
type SupervisedTask = {
  /** Holds DONE, the bus and the runs; locked while the task is supervised. */
  taskDir: string;
  projectId: string;
  taskId: string;
  /** How often children are looked at while they are waited for. */
  pollMs: number;
  /** What becomes of children that outlive the wait. */
  onChildTimeout: "terminate" | "orphan";
  /** The agent's arguments exactly as they were given; null: those of the settings. */
  flags: string[] | null;
  /** A DONE from before the start is removed. */
  isFresh: boolean;
};

/** One process as the kernel shows it. */
type TableRow = {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  /** With the pid it names one process forever: it tells boots apart too. */
  startTime: string;
  /** Orders processes of this boot by their start; equal within one clock tick. */
  startedAt: number;
  /** Dead, but its parent has not yet asked how it ended. */
  isZombie: boolean;
};

/**
 * Taking a run fails when a living driver holds the directory. With `unknown` leases nobody knows yet: the caller looks
 * whether their drivers are alive and tries again with the answers. Nothing was changed then.
 */
type Taken =
  | {
      isTaken: true;
      epoch: number;
      record: RunRecord;
    }
  | {
      isTaken: false;
      holder: RunRecord;
      unknown: Lease[];
    };

/** A run that begins or continues. `isGuarded` says whether a guard judges the commands of its agents; null: nobody asks. */
type TakenRun = {
  id: string;
  isResumed: boolean;
  isGuarded: boolean | null;
};

/** A unit of work, as it is stored per project. */
type Task = TaskDefinition &
  TaskStanding & {
    /** Raised by every edit; a run keeps the version it began with. */
    version: number;
    createdAt: number;
    updatedAt: number;
  };

/** The definition of a task: the part that files contain and edits change. */
type TaskDefinition = {
  id: string;
  /** The specification it belongs to; free text. */
  spec: string;
  title: string;
  description: string;
  /** 1 is the highest. */
  priority: number;
  dependencies: string[];
  assignee: string | null;
  metadata: Record<string, unknown>;
  /** Null: imported without one; its criteria are the defaults, and runs say so (S2-57). */
  completion: CompletionSpec | null;
  /** Fields of its file that mean nothing here; shown, and written again with it. */
  other?: Record<string, unknown>;
};

/** What a task does now, with the effect in flight for it. */
type TaskPhase =
  /** For what it depends on, or for a slot. */
  | {
      kind: "waiting";
    }
  | {
      kind: "opening";
      effectId: number;
    }
  | {
      kind: "playing";
      effectId: number;
      runId: string;
    }
  /** Between two roles of a paused work run. */
  | {
      kind: "between";
    }
  /** Its roles are over for now; it waits for the tasks before it. */
  | {
      kind: "played";
      status: TaskStatus;
      outcome: Outcome;
    }
  | {
      kind: "finding-tip";
      effectId: number;
      status: TaskStatus;
      outcome: Outcome;
    }
  | {
      kind: "merging";
      effectId: number;
    }
  /** `isGreen`: every gate was green, and nothing may have changed meanwhile; else the gates follow. */
  | {
      kind: "comparing";
      effectId: number;
      merge: string | null;
      isGreen: boolean;
    }
  | {
      kind: "verifying";
      effectId: number;
      merge: string | null;
      said: string | null;
    }
  | {
      kind: "undoing";
      effectId: number;
    }
  | {
      kind: "clearing";
      effectId: number;
      end: TaskEnd;
    }
  | {
      kind: "ended";
      end: TaskEnd;
    };

/** The position of a task in its roles, so that a resume continues there. */
type TaskProgress = {
  role: Role;
  /** 1 for the first pass; each rejection begins another round. */
  round: number;
  /** Why a later role, or the project after the merge, sent the task back, for the coder's next prompt; newest last. */
  reasons: {
    role: Role | "merge";
    round: number;
    text: string;
  }[];
  /** The run of the current role, or of the last one. */
  runId: string | null;
  /** One sentence about the state of the task, for `ralph task show`. */
  note: string;
  /** What the claims of this round's roles rest on so far. */
  evidence?: RoleEvidence[];
  /** The tree or commit that sealed checks of all its roles start from; absent where they are not sealed. */
  base?: string;
  /** Set from before the merge until the merged tip is verified: a task with it is not done. */
  tip?: UnverifiedTip;
};

/** The progress of a task: the part that work changes. */
type TaskStanding = {
  status: TaskStatus;
  /** Iterations used by all roles so far (S2-05). */
  iteration: number;
  /** The task's position in its roles; null before the first one. */
  progress: TaskProgress | null;
};

/** The state of a task. `conflict`: its work is done and waits for a person to merge it. */
type TaskStatus = "ready" | "running" | "done" | "failed" | "conflict";

/**
 * The tasks of each project directory. They outlive the runs that work on them: a prune leaves them. Every write raises
 * `updatedAt`, also when the clock does not, so that it tells one write from another.
 */
type TaskStore = {
  /** All of them or none; rejects with code `conflict` when one is not as expected. */
  putTasks(directory: string, writes: TaskWrite[]): Promise<void>;
  getTask(directory: string, id: string): Promise<Task | null>;
  /** The highest priority first, then the oldest. */
  listTasks(directory: string): Promise<Task[]>;
  /** Writes how far a task is and nothing else; null when it was changed since `expected`, or is gone. */
  updateTask(
    directory: string,
    id: string,
    update: {
      expected: number;
      at: number;
      standing: TaskStanding;
    },
  ): Promise<Task | null>;
  /** False when it was changed since `expected`, or is gone. */
  removeTask(directory: string, id: string, expected: number): Promise<boolean>;
};

/** A task to be stored. `expected` is the `updatedAt` of the one it replaces; null: there must be none of that id yet. */
type TaskWrite = {
  task: Task;
  expected: number | null;
};

/** How a program on the terminal ended; `message` is what the system said when it could not be started. */
type TerminalEnd =
  | {
      isStarted: true;
      exitCode: number | null;
      signal: string | null;
    }
  | {
      isStarted: false;
      message: string;
    };

/** What to run in the foreground of the terminal of the person who asked for it. */
type TerminalProgram = Pick<ProcessOrder, "purpose" | "argv" | "cwd" | "env">;

/** One test of a report. */
type TestCase = {
  /** Relative to the project; null when the report does not name it. */
  file: string | null;
  suite: string;
  name: string;
  status: TestStatus;
  /** Not a test: a file, a suite, a hook or the run, which failed as a whole. Gone when its cause is mended. */
  isWhole?: true;
  /** Passed, but only after an attempt that failed. */
  isRetried?: true;
};

/** How a test ended. What a runner lets fail without turning red (a test that is expected to fail, or still to do) is skipped. */
type TestStatus = "passed" | "failed" | "skipped";

/** How the tests of a report fared against those of the base, with some of the names that matter. */
type TestSummary = {
  passed: number;
  failed: number;
  skipped: number;
  missing: number;
  added: number;
  /** Tests that are red, missing or skipped though they passed before; of many the first ones. */
  names: string[];
  /** Tests of before the first turn that the agent may change (`seal.allow`): only its own form of them counts. Of many the first. */
  allowed?: string[];
  /** Tests that were red and green on the base: they must run, and may fail. Of many the first. */
  flaky?: string[];
};

/** Text that may be long: above 4 KB the store keeps it as a blob, so that state and journal stay small. */
type TextRef =
  | {
      text: string;
    }
  | {
      blob: string;
    };

/** Why a wait between two operations is made. */
type TimerReason = "back-off" | "usage-limit" | "restart-delay" | "continuation-delay" | "recovery";

/** The branch that tasks are merged into, as it stands now. */
type TipFacts = {
  /** The branch checked out in the project directory; null: HEAD is detached. */
  branch: string | null;
  /** The commit of HEAD and its first parent; null: there is none. */
  head: string | null;
  base: string | null;
  /** The merge commit of ours for the task in question, if there is one. */
  merge: string | null;
  /** Of the commits that were verified for tasks, those that the branch no longer holds. */
  lost: string[];
};

/** What is asked of the branch: whether it still holds these commits. `since` is HEAD before the task's merge, where it is known. */
type TipQuestion = {
  verified: string[];
  since: string | null;
};

/** A program as it was found: where, which file that really is, and what the file holds. Null: it was not there. */
type ToolPrint = {
  name: string;
  path: string | null;
  file: string | null;
  hash: string | null;
  /** Inode, size and times of the file: while they are the same its content is not read again. */
  stamp: string | null;
};

/** A file of a tree as git lists it: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
type TreeFile = {
  mode: string;
  object: string;
};

/** The files of a tree by their paths from its top. */
type TreeFiles = ReadonlyMap<string, TreeFile>;

/** Limits the process port keeps on its monotonic clock; null means none. */
type TurnLimits = {
  idleMs: number | null;
  wallMs: number | null;
  resultGraceMs: number;
};

/** What the agent is for one turn of a run with a task list. */
type TurnRole = "implement" | "review" | "review-fix";

/** Why the end of a host's turn is not yet believed. */
type Unsettled = "error" | "background" | "silence";

/** A run that this version cannot use, with the reason as a sentence. */
type UnusableRun = {
  id: string;
  directory: string;
  problem: string;
};

/** A merge that is in progress, or made and not yet verified. */
type UnverifiedTip = {
  /** HEAD before the merge; null without a merge: then the tip is the project as the last role left it. */
  before: string | null;
  /** The tip was red and the merge is being undone; `merge` is null when ralph made no commit. */
  undoing?: {
    merge: string | null;
    reason: string;
  };
};

/** What the journal keeps of an upgrade: the state from which the entries after it fold on. */
type UpgradeRecord = {
  from: number;
  to: number;
  state: RunState;
};

/** The result of one check, with its evidence. Typed: no text of it is ever searched for "passed". */
type Verdict = {
  /** Position in the frozen list of checks of its kind. */
  index: number;
  /** The command or name people see. */
  name: string;
  isPassed: boolean;
  exitCode: number;
  isTimedOut: boolean;
  durationMs: number;
  /** One sentence for people and for the next prompt. */
  reason: string;
  /** Output as the agent will see it: truncated, trailing white space trimmed. */
  output: TextRef;
  /** The copy of the full output for the agent, relative to the project. An agent can rewrite it. */
  logFile: string | null;
  /** The full output, relative to the state folder. Null: nothing is kept; absent: an earlier version stored this. */
  evidence?: string | null;
  /** Only of a criterion: how it was verified. */
  method?: VerificationMethod;
  /** Only of `multi_stage`: what each stage that ran said, inner stages as `outer/inner`. */
  stages?: StageVerdict[];
  /** Answered by an earlier run of the same command on the same tree in the same iteration. */
  isCached?: true;
  /** The judge gave no answer, and the claim alone decided. */
  isFallback?: true;
  /** Passed without evidence: by the agent's word, or by a check that does not look at the work. */
  isUnverified?: true;
  /** The command ran in a sealed copy, where the agent never was; absent: in the tree it works in. */
  isSealed?: true;
  /** The tree that a sealed verdict speaks for. */
  candidate?: string;
  /**
   * Red only in tests that the candidate itself changed: gates before delivery are asked all the same, since one of them may find
   * that a person has to decide. Nothing is delivered or completed with it.
   */
  isDisputable?: true;
  /** What the report of the tests showed; absent: nobody but the exit code tells. */
  tests?: TestSummary;
};

type VerificationMethod = (typeof verificationMethods)[number];

/**
 * What a verification came to. `disputed`: the changed tests pass and those of the base do not, and only a person can say which of
 * them are right.
 */
type VerificationVerdict = "verified" | "refused" | "disputed";

/** How a claim is verified; one shape per method, defaults filled in. */
type Verification_2 =
  | {
      method: "string_match";
      /** Null: the criterion's promise. */
      promise: string | null;
      /** Searches the agent's words instead of a tag (CW-2A). */
      isLoose: boolean;
    }
  | {
      method: "semantic";
      checkFor: string[];
      negativePatterns: NegativePattern[];
      /** Null: the judge's own setting, else the agent's model. */
      model: string | null;
    }
  | {
      method: "external";
      command: string;
      successExitCode: number;
      outputContains: string | null;
      outputNotContains: string | null;
      timeoutMs: number;
      /** Relative to the work tree; must not leave it (CW-2I). */
      workingDir: string;
    }
  | {
      method: "multi_stage";
      stages: Stage[];
      requireAll: boolean;
      /** At most this many stages at once; 1: in order. */
      parallelMax: number;
    }
  | {
      method: "custom";
      /** A module path or an argv; exactly one is given. */
      module: string | null;
      command: string[] | null;
      config: Record<string, unknown>;
      timeoutMs: number;
    };

/** A commit that was verified for a task, which is done since then. */
type VerifiedTip = {
  taskId: string;
  commit: string;
};

/** What only a work run has. Plain JSON. */
type WorkBook = {
  version: typeof workVersion;
  rules: WorkOrderRules;
  /** In the order they were chosen: they are merged in this order. */
  tasks: LedTask[];
  /** The role runs, by run id. */
  roles: Record<
    string,
    RoleUse & {
      end: RoleEnd | null;
      isEnding: boolean;
    }
  >;
  /** What gates on merged tips cost; it belongs to no role. */
  tipSpend: Spend;
  /** Why nothing new may begin; null: continue. */
  asked: Outcome | null;
  /** The task whose red merge could not be undone: nothing is merged onto it. */
  stuckBy: string | null;
  /** Where ralph left the branch that tasks are merged into. Absent where nothing is merged, or an earlier version began. */
  tip?: BranchTip;
  /** What was verified on that branch, oldest first. */
  verified?: VerifiedTip[];
  /** The last look at the branch, in flight when all tasks have ended. */
  closingId?: number;
  help: WorkHelp;
  /** The wait in flight after which time is counted. */
  timerId: number | null;
};

/** What a person brought along when the work run is resumed. */
type WorkHelp = {
  answer: {
    taskId: string | null;
    text: TextRef;
  } | null;
  /** More iterations for a role that has none left. */
  more: number | null;
  /** Changed tests in dispute that become base: `all`, or paths; absent: none do. */
  accepted?: {
    taskId: string | null;
    names: string[];
  };
};

/** The rules of one work run: roles, rounds, slots and the gates of its merged tip. */
type WorkOrderRules = WorkRules & {
  /** Roles at work at once. */
  jobs: number;
  /** Each task has a work tree of its own, which is merged; else all of them work in the project directory. */
  hasWorktrees: boolean;
  /** What is asked on the tip that a task was merged into. */
  gates: Gate[];
  /** Checks of claims and tips run sealed. */
  isSealed?: true;
};

/** What a work run was started with, frozen: its tasks in the chosen order, and its rules. */
type WorkPlan = {
  tasks: WorkTask[];
  roles: Role[];
  rounds: number;
  /** How many tasks run at once; more than one only in separate work trees. */
  jobs: number;
  /**
   * The branch that work trees start from and are merged into, and the project's folder below the top of the repository;
   * null: everything happens in the project directory.
   */
  worktrees: {
    branch: string;
    prefix: string;
  } | null;
  /** The hash of the seal that its roles and merged tips are verified by; absent: its checks are not sealed. */
  seal?: string;
};

/** Which roles a task goes through, and how often it may be sent back. */
type WorkRules = {
  roles: readonly Role[];
  rounds: number;
};

/** A state and the orders that follow from it. */
type WorkStep = [WorkState, WorkEffect[]];

/** A task as it was when the work began. */
type WorkTask = TaskDefinition & {
  version: number;
  /** Iterations that earlier work runs used on it. */
  iteration: number;
};

/** A tree that was written, and how it differs from the candidate. */
type WrittenTree = SealedTree & {
  tree: string;
};

declare const gateStopNames: readonly ["failed", "waiting", "stopped"];

/** The roles of a task in their order; each role is a loop of its own. */
declare const roles: readonly ["coder", "reviewer", "tester", "qa"];

/** Raised with every change of what is stored, and of rules that give other orders; `upgrade/` then gets one more step. */
declare const runStateVersion = 7;

/** Raised with every change of what is stored of a session beside its run. */
declare const sessionVersion = 3;

/** The four methods to verify a claim (S2-01), and `custom` for a project's own. */
declare const verificationMethods: readonly ["string_match", "semantic", "external", "multi_stage", "custom"];

/** Raised with every change of what is stored in `work`; `open-work-state.ts` then gets one more step. */
declare const workVersion = 1;

export {};
