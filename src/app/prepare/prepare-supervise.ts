import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun, PromptSource } from "../../core/settings/run/frozen-run.ts";
import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import type { Settings } from "../../core/settings/settings.ts";
import {
  type RestartLimits,
  restartLimitsDefault,
  supervisedSettings,
  supervisePolicy,
} from "../../core/settings/run/supervise-policy.ts";
import type { SupervisedTask } from "../../core/supervise/supervised-task.ts";
import type { LoadedSettings } from "../../shell/settings/load-settings.ts";
import { idsOfFolder, type TaskFolder } from "../../shell/supervise/records/task-folder.ts";
import { freezeRun } from "./freeze-run.ts";
import type { Program } from "./load-run-settings.ts";
import { type GivenPrompt, readPrompt } from "./read-prompt.ts";
import { withHeldOut } from "./with-held-out.ts";

/** What a person asks of a supervised run. Null: as the settings say, or the default. */
export type SuperviseWish = {
  projectDir: string;
  folder: TaskFolder;
  loaded: LoadedSettings;
  /** Null: `TASK.md` of the folder, or none where a command needs none. */
  prompt: GivenPrompt | null;
  /** The flags of a command that is named instead of the agent of the settings. */
  flags: readonly string[] | null;
  /** How often children are looked at. */
  pollMs: number | null;
  limits: { [Name in keyof RestartLimits]: RestartLimits[Name] | null };
  projectId: string | null;
  taskId: string | null;
  isFresh: boolean;
};

/** How often children are checked (S3-02). */
const pollMsDefault = 1000;

/** Freezes a supervised run. Rejects with a `RalphError` when it has no prompt. */
export async function prepareSupervise(program: Program, wish: SuperviseWish): Promise<FrozenRun> {
  const { projectDir, folder, loaded } = wish;
  const settings = supervisedSettings(loaded.settings);
  const prompt = await promptOf(program, wish);
  const frozen = await freezeRun(program, {
    projectDir,
    prompt: prompt ?? { kind: "text" as const, text: "" },
    settings: prompt === null ? withPromptOnStdin(settings) : settings,
    settingsFiles: loaded.files,
    policy: supervisePolicy(settings, restartLimits(wish, settings)),
    supervised: taskOf(wish, folder, settings),
  });
  return withHeldOut(program, frozen, { file: null });
}

function taskOf({ projectId, taskId, pollMs, flags, isFresh }: SuperviseWish, folder: TaskFolder, settings: Settings) {
  const inferred = idsOfFolder(folder);
  const task: SupervisedTask = {
    taskDir: folder.path,
    projectId: projectId ?? inferred.projectId,
    taskId: taskId ?? inferred.taskId,
    pollMs: pollMs ?? pollMsDefault,
    onChildTimeout: settings.children.onTimeout,
    flags: flags === null ? null : [...flags],
    isFresh,
  };
  return task;
}

/** The idle timeout applies only when it is given: the default here is none (CW-3A). */
function restartLimits({ limits, loaded }: SuperviseWish, { agent }: Settings): RestartLimits {
  const isIdleGiven = loaded.layers.some((layer) => isGiven(layer, "idleTimeout"));
  return {
    restartsMax: limits.restartsMax ?? restartLimitsDefault.restartsMax,
    restartDelayMs: limits.restartDelayMs ?? restartLimitsDefault.restartDelayMs,
    turnIdleMs: limits.turnIdleMs ?? (isIdleGiven ? agent.idleTimeout : null),
    turnWallMs: limits.turnWallMs ?? agent.timeout,
  };
}

function isGiven({ value }: SettingsLayer, key: string): boolean {
  return fieldOf(fieldOf(value, "agent"), key) !== undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(key) : undefined;
}

/** Null: a command that needs no prompt. */
async function promptOf({ disk }: Program, wish: SuperviseWish): Promise<PromptSource | null> {
  const { projectDir, folder, prompt, flags } = wish;
  if (prompt !== null) return readPrompt(disk, projectDir, prompt);
  if ((await disk.readText(folder.taskFile)) !== null) return readPrompt(disk, projectDir, { path: folder.taskFile });
  if (flags !== null) return null;
  throw new RalphError(
    "usage",
    `A prompt is missing, and there is no ${folder.taskFile}.`,
    "Give -p TEXT or -f FILE, write TASK.md, or name a command after --.",
  );
}

/** A command without a task is started exactly as given. */
function withPromptOnStdin(settings: Settings): Settings {
  return { ...settings, agent: { ...settings.agent, promptVia: "stdin" } };
}
