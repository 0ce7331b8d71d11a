/** How a supervised run stands. `stopped`: it waits without restart. `unknown`: its record is missing or broken. */
export type RunStatus = "running" | "completed" | "failed" | "stopped" | "unknown";

/** One run of an agent below a task, as `run-info.yaml` keeps it. */
export type SupervisedRun = {
  runId: string;
  parentRunId: string | null;
  /** The run this one restarted. */
  previousRunId: string | null;
  projectId: string;
  taskId: string;
  agent: string;
  processOwnership: "managed" | "external";
  /** 0: none yet. */
  pid: number;
  pgid: number;
  /** Names the process `pid` across a clock jump and a reused pid; null in records of other tools. */
  processStart: string | null;
  startedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  /** -1 while it runs. */
  exitCode: number;
  status: RunStatus;
  cwd: string;
  promptPath: string;
  outputPath: string;
  stdoutPath: string;
  stderrPath: string;
  commandline: string;
  errorSummary: string;
  agentVersion: string;
};

/** Fields of other tools, kept as they are when a record is written again. */
export type ForeignFields = Record<string, unknown>;

/** A record, or why it cannot be read. */
export type RunReading =
  | { isRead: true; run: SupervisedRun; foreign: ForeignFields }
  | { isRead: false; problem: "broken" | "newer-version"; message: string };

/** Reads the fields of a record. Only what tells a run apart must be there; a newer version is refused. */
export function parseRunRecord(value: unknown): RunReading {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { isRead: false, problem: "broken", message: "it holds no fields" };
  const fields = new Map<string, unknown>(Object.entries(value));
  const version = fields.get("version") ?? 1;
  if (typeof version !== "number") return { isRead: false, problem: "broken", message: "its version is not a number" };
  if (version > versionKnown)
    return { isRead: false, problem: "newer-version", message: `it has version ${version}, known is ${versionKnown}` };
  const runId = text(fields, "run_id");
  if (runId === "") return { isRead: false, problem: "broken", message: "it has no run_id" };
  const foreign = Object.fromEntries([...fields].filter(([name]) => !ownNames.has(name)));
  return { isRead: true, run: readRun(fields, runId), foreign };
}

/** The fields of a record, in the order and with the names other tools know. */
export function runRecordFields(run: SupervisedRun, foreign: ForeignFields): Record<string, unknown> {
  return {
    version: versionKnown,
    run_id: run.runId,
    parent_run_id: run.parentRunId ?? "",
    previous_run_id: run.previousRunId ?? "",
    project_id: run.projectId,
    task_id: run.taskId,
    agent: run.agent,
    process_ownership: run.processOwnership,
    pid: run.pid,
    pgid: run.pgid,
    ...(run.processStart === null ? {} : { process_start: run.processStart }),
    start_time: new Date(run.startedAt).toISOString(),
    end_time: run.endedAt === null ? zeroTime : new Date(run.endedAt).toISOString(),
    exit_code: run.exitCode,
    status: run.status,
    cwd: run.cwd,
    prompt_path: run.promptPath,
    output_path: run.outputPath,
    stdout_path: run.stdoutPath,
    stderr_path: run.stderrPath,
    commandline: run.commandline,
    error_summary: run.errorSummary,
    agent_version: run.agentVersion,
    ...foreign,
  };
}

/** A run nobody knows anything of but its folder. */
export function unknownRun(runId: string): SupervisedRun {
  return { ...readRun(new Map(), runId), status: "unknown" };
}

const versionKnown = 1;

/** What other tools write for a time that has not come. */
const zeroTime = "0001-01-01T00:00:00Z";

function readRun(fields: ReadonlyMap<string, unknown>, runId: string): SupervisedRun {
  const startedAt = time(fields, "start_time") ?? 0;
  const endedAt = time(fields, "end_time");
  const status = text(fields, "status");
  return {
    runId,
    parentRunId: text(fields, "parent_run_id") || null,
    previousRunId: text(fields, "previous_run_id") || null,
    projectId: text(fields, "project_id"),
    taskId: text(fields, "task_id"),
    agent: text(fields, "agent"),
    processOwnership: text(fields, "process_ownership") === "external" ? "external" : "managed",
    pid: whole(fields, "pid", 0),
    pgid: whole(fields, "pgid", 0),
    processStart: text(fields, "process_start") || null,
    startedAt,
    endedAt,
    exitCode: whole(fields, "exit_code", -1),
    status: statuses.find((each) => each === status) ?? "unknown",
    cwd: text(fields, "cwd"),
    promptPath: text(fields, "prompt_path"),
    outputPath: text(fields, "output_path"),
    stdoutPath: text(fields, "stdout_path"),
    stderrPath: text(fields, "stderr_path"),
    commandline: text(fields, "commandline"),
    errorSummary: text(fields, "error_summary"),
    agentVersion: text(fields, "agent_version"),
  };
}

const statuses: readonly RunStatus[] = ["running", "completed", "failed", "stopped", "unknown"];

const ownNames = new Set([...Object.keys(runRecordFields(unknownRun(""), {})), "process_start"]);

function text(fields: ReadonlyMap<string, unknown>, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function whole(fields: ReadonlyMap<string, unknown>, name: string, missing: number): number {
  const value = fields.get(name);
  return typeof value === "number" && Number.isSafeInteger(value) ? value : missing;
}

/** Null for a time that is missing, unreadable or the zero of other tools. */
function time(fields: ReadonlyMap<string, unknown>, name: string): number | null {
  const at = Date.parse(text(fields, name));
  return Number.isNaN(at) || at <= 0 ? null : at;
}
