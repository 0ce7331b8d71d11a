import { exitCodes, type Outcome } from "../../../core/run/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
import { prdPolicy, prdSettings } from "../../../core/settings/prd-policy.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { unknownCostWarning } from "../../../core/settings/unknown-cost.ts";
import type { PrdRun } from "../../../core/prd/prd-run.ts";
import { isListComplete } from "../../../core/prd/choose-role.ts";
import { findDependencyFaults } from "../../../core/prd/dependencies.ts";
import { estimateIterations } from "../../../core/prd/review-figures.ts";
import type { ReviewOptions, TaskFile } from "../../../core/prd/task-file.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanMessage } from "../../../core/text/clean-text.ts";
import { chooseAdapter } from "../../../shell/agents/registry.ts";
import { outcomeOf } from "../../../shell/drivers/outer-driver.ts";
import { startRun } from "../../../shell/drivers/start-run.ts";
import type { Machine } from "../../../shell/machine.ts";
import { branchWarning, ignoreWarning, switchBranch } from "../../../shell/prd/branch.ts";
import { settleListFiles } from "../../../shell/prd/commit-list.ts";
import { readOrProblem } from "../../../shell/prd/list-files.ts";
import { requireList, treePlace } from "../../../shell/prd/prd-work.ts";
import { headCommit } from "../../../shell/git/tree-fingerprint.ts";
import { wire, wireProgram } from "../../../shell/wire.ts";
import { checkStart } from "../input/check-start.ts";
import type { Input } from "../input/command-spec.ts";
import { connect } from "../live/connect.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { displayOptions } from "../live/display-options.ts";
import { offerUnfinished } from "../input/offer-unfinished.ts";
import { countOption, isOn, type Options } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { version } from "../../../app/version.ts";
import { refuseUnready } from "./refuse-unready.ts";
import { existingPrdPlace, type PrdPlace } from "./prd-place.ts";

/** `ralph prd run`: works through a task list, every story implemented and reviewed in fresh contexts. */
export default async function run({ options }: Input): Promise<number> {
  const place = existingPrdPlace(options);
  const display = displayOptions(options);
  const program = wireProgram();
  // The schema library is large, and only a new run has settings to check.
  const { loadSettings } = await import("../../../shell/settings/load-settings.ts");
  const { disk, env } = program;
  const loaded = await loadSettings({ disk, env, projectDir: place.projectDir }, settingsGiven(options));
  for (const warning of loaded.warnings) say(`ralph: ${warning}`);
  const review = reviewOptions(options, loaded.settings);
  const { file } = requireList(disk, { folder: place.folder, review });
  const known = outcomeWithoutRun(file, review);
  if (known !== null) return tellOutcome(known, display.isJson);
  const iterations = hasKey(loaded.layers, "maximumIterations") ? loaded.settings.maximumIterations : null;
  const settings = prdSettings(loaded.settings, { iterations, verifyCommands: file.verifyCommands });
  const frozen = await freeze(program, place, {
    settings,
    settingsFiles: loaded.files,
    review,
    settingsGuardrails: loaded.settings.guardrails.length,
  });
  await refuseUnready(program, frozen, { isSandboxed: options["sandbox"] === true, isUnsafe: isOn(options, "unsafe") });
  const machine = await wire(program);
  const { days, bytes: bytesMax } = settings.store.keep;
  await machine.store.prune({ days, bytesMax }, machine.clock.now());
  const connection = connect(settings, display);
  const { id, state } = await connection.closeAfter(async () => {
    const resumed = await offerUnfinished(machine, place.projectDir, connection);
    if (resumed !== null) return resumed;
    const isFree = await isDirectoryFree(machine, place.projectDir);
    // A directory that is worked on is left as it is; the start says who holds it.
    if (isFree) await prepare(machine, { frozen, file, options });
    await checkStart(machine, settings, {
      projectDir: place.projectDir,
      isDirtyAllowed: isOn(options, "allowDirty"),
    });
    if (isFree) warnOfCost(machine, settings);
    if (isFree && !isListComplete(file, review)) sayBudget(file, frozen);
    return startRun(machine, frozen, connection);
  });
  const outcome = outcomeOf(state);
  if (!display.isJson && outcome.name !== "completed" && outcome.name !== "cancelled")
    say(`Go on with: ralph resume ${id}`);
  await machine.store.close();
  return exitCodes[outcome.name];
}

/** The branch, and on it the files of the list: committed with delivery, else a sentence says how. */
async function prepare(
  machine: Machine,
  { frozen, file, options }: { frozen: PrdFrozen; file: TaskFile; options: Options },
): Promise<void> {
  // Of this process alone: what is left of a call is ended by its marker, and others may start at the same moment.
  const { git } = treePlace({ ...machine, runId: `start-${process.pid}`, frozen }, frozen.prd);
  const isSwitched = isOn(options, "createBranch");
  const word = isSwitched ? await switchBranch(git, file.branchName) : await branchWarning(git, file.branchName);
  const { scm } = frozen.settings;
  const hasDelivery = scm !== null && scm.tasks.includes("commit");
  const list = await settleListFiles(git, { folder: frozen.prd.folder.name, hasDelivery });
  for (const line of [word, list, await ignoreWarning(git)]) if (line !== null) say(line);
}

async function isDirectoryFree(machine: Machine, directory: string): Promise<boolean> {
  const runs = await machine.store.list({ directory, limit: 100 });
  return !runs.some((each) => isDriven(machine, each));
}

type PrdFrozen = FrozenRun & Required<Pick<FrozenRun, "prd">>;

/** What the run is started with; resume uses the same. */
async function freeze(
  program: Pick<Machine, "disk" | "env" | "processes">,
  { projectDir, folder }: PrdPlace,
  given: { settings: Settings; settingsFiles: Record<string, unknown> } & Pick<PrdRun, "review" | "settingsGuardrails">,
): Promise<PrdFrozen> {
  const { disk } = program;
  const { settings, settingsFiles, ...ofList } = given;
  const prd = readOrProblem(disk, folder, "prd.md");
  if (typeof prd !== "string") throw new RalphError("task", `${prd.problem}.`, "Restore it from git.");
  const prompt = readOrProblem(disk, folder, "prompt.md");
  if (typeof prompt !== "string") throw new RalphError("prompt", `${prompt.problem}.`, "Restore it from git.");
  if (prompt.trim() === "")
    throw new RalphError("prompt", `${folder.name}/prompt.md is empty.`, "Restore it from git.");
  return {
    version,
    projectDir,
    prompt: { kind: "file", path: `${folder.path}/prompt.md` },
    settings,
    settingsFiles,
    policy: prdPolicy(settings),
    startCommit: await headCommit(program, projectDir),
    prd: { folder: { path: folder.path, name: folder.name }, ...ofList, reviewer: settings.review.agent, prd },
  };
}

/** A list that can never be finished needs no run (CW-4G). A finished one does: its checks are still to be asked. */
function outcomeWithoutRun(file: TaskFile, review: ReviewOptions): Outcome | null {
  if (isListComplete(file, review)) return null;
  const faults = findDependencyFaults(file);
  if (faults.length === 0) return null;
  return { name: "stopped", reason: `the list can never be finished. ${faults.join(" ")}` };
}

function tellOutcome({ name, reason }: Outcome, isJson: boolean): number {
  const exitCode = exitCodes[name];
  if (isJson) process.stdout.write(jsonLine({ kind: "outcome", outcome: name, reason, exitCode }));
  else say(`${name}: ${reason}`);
  return exitCode;
}

/** How many iterations it may take, against how many there are (S4-92, S4-98). */
function sayBudget(file: TaskFile, { prd, policy }: PrdFrozen): void {
  const { sentence, minimum, worst } = estimateIterations(file, prd.review);
  const { iterationsMax } = policy;
  const limit = iterationsMax === null ? "no limit" : `${iterationsMax} at most`;
  say(`${sentence} (at least ${minimum}, in the worst case ${worst}; ${limit}).`);
  if (iterationsMax !== null && minimum > iterationsMax)
    say(`${iterationsMax} iterations cannot be enough; give more with -n, or resume later with -m.`);
}

function reviewOptions(options: Options, { review }: Settings): ReviewOptions {
  return {
    isReviewSkipped: isOn(options, "skipReview"),
    reviewCap: review.cap,
    ...(countOption(options, "reviewCap", "--review-cap") === null ? {} : { capFlag: "--review-cap" }),
    atCap: review.atCap,
  };
}

/** The flags that are settings too; document 004 has its own letters for some. */
function settingsGiven(options: Options): SettingsLayer {
  const { source, value } = readSettingFlags(options);
  const cap = countOption(options, "reviewCap", "--review-cap");
  return { source, value: cap === null ? value : mergeLayers(value, { review: { cap } }) };
}

function warnOfCost({ agents }: Pick<Machine, "agents">, settings: Settings): void {
  const { command } = settings.agent;
  const warning = command === null ? null : unknownCostWarning(settings, chooseAdapter(command, agents));
  if (warning !== null) say(warning);
}

function hasKey(layers: readonly SettingsLayer[], key: string): boolean {
  return layers.some(({ value }) => typeof value === "object" && value !== null && key in value);
}

/** Words for people, apart from what an agent or `--json` prints. */
function say(line: string): void {
  process.stderr.write(`${cleanMessage(line)}\n`);
}
