import { relative } from "node:path";
import { isLooped } from "../../../core/settings/run/is-looped.ts";
import { restartLimitsDefault } from "../../../core/settings/run/supervise-policy.ts";
import { valueAt } from "../../../core/settings/settings-layer.ts";
import { durationText, parseDuration } from "../../../core/text/duration.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
import { programName } from "../../../core/text/program-name.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { idsOfFolder, taskFolderAt } from "../../../shell/supervise/records/task-folder.ts";

type Frozen = RunRecord["frozen"];

/** The command that starts the same work again, from the directory of the run, with all that the first command line gave. */
export function startAgain(frozen: Frozen): string[] {
  const { task, work, prd, supervised } = frozen;
  if (task !== undefined) return ["ralph", "work", ...agentWords(frozen), ...flagWords(frozen), task.id];
  if (work !== undefined) return ["ralph", "work", ...workWords(frozen), ...work.tasks.map(({ id }) => id)];
  if (prd !== undefined) return ["ralph", "prd", "run"];
  const prompt = typedPrompt(frozen);
  if (supervised !== undefined) return ["ralph", "supervise", ...superviseWords(frozen, prompt)];
  return ["ralph", "run", ...prompt, ...runWords(frozen), ...flagWords(frozen)];
}

/** A prompt of several lines, or longer than this, is no part of a command that people type. */
const promptCharsMax = 300;

function typedPrompt(frozen: Frozen): string[] {
  const { prompt } = frozen;
  const isTyped = prompt.kind === "file" || (prompt.text.length <= promptCharsMax && !prompt.text.includes("\n"));
  return isTyped ? promptWords(frozen) : ["-f", "prompt.md"];
}

/** The prompt of a run as words of a command line. */
export function promptWords({ prompt, projectDir }: Frozen): string[] {
  return prompt.kind === "file" ? ["-f", pathFrom(projectDir, prompt.path)] : ["-p", prompt.text];
}

/** What the command line of `ralph run` gave beyond the settings files: without it a new run would be another one. */
export function runWords(frozen: Frozen): string[] {
  const { maximumIterations, completionResponse } = frozen.settings;
  return [
    ...agentWords(frozen),
    ...guardWords(frozen),
    ...valueWords(frozen, ["-m", ["maximumIterations"], maximumIterations, 10]),
    ...valueWords(frozen, ["-c", ["completionResponse"], completionResponse, "DONE"]),
    ...budgetWords(frozen),
  ];
}

/** The same of `ralph work`: its roles and tasks at once, too. */
function workWords(frozen: Frozen): string[] {
  const { settings, work } = frozen;
  const isNarrowed = work !== undefined && work.roles.join() !== settings.work.roles.join();
  return [
    ...(isNarrowed ? ["--roles", work.roles.join(",")] : []),
    ...(work === undefined || work.worktrees === null ? [] : ["--worktrees"]),
    ...(work === undefined || work.jobs === 1 ? [] : ["-j", String(work.jobs)]),
    ...agentWords(frozen),
    ...guardWords(frozen),
    ...flagWords(frozen),
    ...budgetWords(frozen),
  ];
}

/** The same of `ralph supervise`; a command that was named comes last. */
function superviseWords(frozen: Frozen, prompt: readonly string[]): string[] {
  const { policy, projectDir, settings, supervised } = frozen;
  if (supervised === undefined) return [];
  const { taskDir, projectId, taskId, pollMs, isFresh } = supervised;
  const folder = taskFolderAt(taskDir);
  const ids = idsOfFolder(folder);
  const isOwnPrompt = frozen.prompt.kind === "file" && frozen.prompt.path === folder.taskFile;
  const isPrompted = !isOwnPrompt && !(frozen.prompt.kind === "text" && frozen.prompt.text === "");
  const named = supervised.flags === null ? null : [settings.agent.command ?? "", ...supervised.flags];
  return [
    ...(taskDir === projectDir ? [] : ["--task-dir", taskDir]),
    ...(projectId === ids.projectId ? [] : ["--project", projectId]),
    ...(taskId === ids.taskId ? [] : ["--task", taskId]),
    ...(isPrompted ? prompt : []),
    ...(policy.iterationsMax === restartLimitsDefault.restartsMax || !isLooped(settings)
      ? []
      : ["--max-restarts", String(policy.iterationsMax)]),
    ...durationWords("--restart-delay", policy.restartDelayMs, restartLimitsDefault.restartDelayMs),
    ...durationWords("--agent-timeout", policy.turnWallMs, settings.agent.timeout),
    ...durationWords("--idle-timeout", policy.turnIdleMs, fileDuration(frozen, ["agent", "idleTimeout"], null)),
    ...durationWords("--child-wait", settings.children.wait, fileDuration(frozen, ["children", "wait"], 300_000)),
    ...durationWords("--poll-interval", pollMs, 1000),
    ...(isFresh ? ["--fresh"] : []),
    ...(named === null ? agentWords(frozen) : []),
    ...budgetWords(frozen),
    ...(named === null ? [] : ["--", ...named]),
  ];
}

/** The flags of the agent that only the command line gave. A flag with a comma cannot be given there. */
function flagWords(frozen: Frozen): string[] {
  const { command, flags } = frozen.settings.agent;
  const files = filesOf(frozen);
  const usual = valueAt(files, ["agent", "command"]);
  const isOther = typeof usual === "string" && programName(usual) !== programName(command ?? usual);
  const found = isOther ? [] : (valueAt(files, ["agent", "flags"]) ?? []);
  const isGiven = JSON.stringify(found) !== JSON.stringify(flags) && !flags.some((flag) => flag.includes(","));
  return isGiven ? [`--agent-flags=${flags.join(",")}`] : [];
}

function agentWords(frozen: Frozen): string[] {
  const { command, model } = frozen.settings.agent;
  return [
    ...valueWords(frozen, ["--agent", ["agent", "command"], command, null]),
    ...valueWords(frozen, ["--model", ["agent", "model"], model, null]),
  ];
}

/** Runs of an older version have no such setting. */
function guardWords(frozen: Frozen): string[] {
  const isGuarded: boolean | undefined = frozen.settings.agent.guard;
  if (isGuarded === undefined || isGuarded === (valueAt(filesOf(frozen), ["agent", "guard"]) ?? true)) return [];
  return [isGuarded ? "--guard" : "--no-guard"];
}

function budgetWords(frozen: Frozen): string[] {
  const { spend, tokens, time } = frozen.settings.budget;
  return [
    ...valueWords(frozen, ["--max-cost", ["budget", "spend"], spend, null]),
    ...valueWords(frozen, ["--max-tokens", ["budget", "tokens"], tokens, null]),
    ...durationWords("--max-time", time, fileDuration(frozen, ["budget", "time"], null)),
  ];
}

type Given = [flag: string, path: string[], value: string | number | null, usual: unknown];

function valueWords(frozen: Frozen, [flag, path, value, usual]: Given): string[] {
  return value === null || value === (valueAt(filesOf(frozen), path) ?? usual) ? [] : [flag, String(value)];
}

function durationWords(flag: string, ms: number | null, usual: number | null): string[] {
  if (ms === null || ms === usual) return [];
  return [flag, ms === 0 ? "0" : durationText(ms)];
}

function fileDuration(frozen: Frozen, path: string[], usual: number | null): number | null {
  const value = valueAt(filesOf(frozen), path);
  return typeof value === "string" || typeof value === "number" ? parseDuration(value) : usual;
}

function filesOf({ settingsFiles }: Frozen): unknown {
  return Object.values(settingsFiles).reduce<unknown>(mergeLayers, {});
}

function pathFrom(projectDir: string, path: string): string {
  const inside = relative(projectDir, path);
  return inside.startsWith("..") ? path : inside;
}
