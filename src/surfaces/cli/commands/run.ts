import { exitCodes } from "../../../core/run/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import { redacted, redactedText } from "../../../core/settings/redact.ts";
import { runPolicy } from "../../../core/settings/run-policy.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { splitFlags } from "../../../core/settings/split-flags.ts";
import { unknownCostWarning } from "../../../core/settings/unknown-cost.ts";
import { cleanLines, cleanMessage } from "../../../core/text/clean-text.ts";
import { chooseAdapter } from "../../../shell/agents/registry.ts";
import { contractLines } from "../../../core/contract/contract-lines.ts";
import { freezeContract } from "../../../shell/gates/freeze-contract.ts";
import { withProjectCriteria } from "../../../shell/gates/project-criteria.ts";
import { outcomeOf } from "../../../shell/drivers/outer-driver.ts";
import { startRun } from "../../../shell/drivers/start-run.ts";
import type { Machine } from "../../../shell/machine.ts";
import { headCommit } from "../../../shell/git/tree-fingerprint.ts";
import { gateKinds, wire, wireProgram } from "../../../shell/wire.ts";
import { checkStart } from "../input/check-start.ts";
import type { Input } from "../input/command-spec.ts";
import { connect } from "../live/connect.ts";
import { dryRun } from "../views/dry-run.ts";
import { displayOptions } from "../live/display-options.ts";
import { offerUnfinished } from "../input/offer-unfinished.ts";
import { readPrompt } from "../input/read-prompt.ts";
import { isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { version } from "../../../app/version.ts";

/** `ralph run`: from prompt to verified completion. */
export default async function run({ options }: Input): Promise<number> {
  const projectDir = projectDirOption(options);
  const source = promptOptions(options);
  const flags = readSettingFlags(options);
  const display = displayOptions(options);
  const tell = (line: string): void =>
    void (display.isVerbose ? process.stderr.write(cleanLines([`[ralph] ${line}`])) : null);
  const program = wireProgram();
  // The schema library is large, and only a new run has settings to check.
  const { loadSettings } = await import("../../../shell/settings/load-settings.ts");
  const { disk, env } = program;
  const onLayer = (name: string): void => tell(`Loading settings from ${name}`);
  const loaded = await loadSettings({ disk, env, projectDir, onLayer }, flags);
  const { settings, files: settingsFiles } = loaded;
  for (const warning of loaded.warnings) process.stderr.write(`ralph: ${cleanMessage(warning)}\n`);
  const prompt = await readPrompt(disk, projectDir, source);
  const frozen: FrozenRun = {
    version,
    projectDir,
    prompt,
    settings,
    settingsFiles,
    policy: runPolicy(settings),
    startCommit: await headCommit(program, projectDir),
  };
  warnOfUnknownCost(program, settings);
  tell(`Settings: ${JSON.stringify(redacted(settings))}`);
  for (const line of agentLines(program, settings)) tell(redactedText(line));
  if (display.isVerbose) {
    const { policy } = await freezeContract(gateKinds, await withProjectCriteria(disk, frozen));
    for (const line of contractLines(policy)) tell(redactedText(line));
  }
  if (prompt.kind === "text") tell(`Prompt: ${prompt.text.slice(0, 200)}`);
  if (isOn(options, "dryRun")) return dryRun(program, frozen, isOn(options, "json"));
  const machine = await wire(program);
  await machine.store.prune(
    { days: settings.store.keep.days, bytesMax: settings.store.keep.bytes },
    machine.clock.now(),
  );
  const connection = connect(settings, display);
  const { id, state } = await connection.closeAfter(async () => {
    const resumed = await offerUnfinished(machine, projectDir, connection);
    if (resumed !== null) return resumed;
    await checkStart(machine, settings, { projectDir, isDirtyAllowed: isOn(options, "allowDirty") });
    return startRun(machine, frozen, connection);
  });
  const outcome = outcomeOf(state);
  if (!display.isJson && outcome.name !== "completed" && outcome.name !== "cancelled")
    process.stderr.write(`Go on with: ralph resume ${id}\n`);
  await machine.store.close();
  return exitCodes[outcome.name];
}

/** What is known before a run begins. */
type Program = Pick<Machine, "disk" | "env" | "agents">;

function warnOfUnknownCost(machine: Program, settings: Settings): void {
  if (settings.agent.command === null) return;
  const warning = unknownCostWarning(settings, chooseAdapter(settings.agent.command, machine.agents));
  if (warning !== null) process.stderr.write(cleanLines([warning]));
}

/** The command line a turn will have, and flags that were taken apart (S1-67, CW-1D). */
function agentLines(machine: Program, { agent }: Settings): string[] {
  if (agent.command === null) return [];
  const { argv: flags, split } = splitFlags(agent.flags);
  const { argv } = chooseAdapter(agent.command, machine.agents).invocation({
    command: agent.command,
    flags,
    model: agent.model,
    prompt: "PROMPT",
    mode: "stream",
    sessionId: null,
    promptVia: agent.promptVia,
    answerFile: "",
  });
  return [`Agent command: ${argv.join(" ")}`, ...split.map((flag) => `Flag taken apart at its spaces: ${flag}`)];
}

/** Exactly one of the two (S1-04). */
function promptOptions(options: Options): { text: string } | { path: string } {
  const text = textOption(options, "prompt");
  const path = textOption(options, "promptFile");
  if (text !== null && path === null) return { text };
  if (path !== null && text === null) return { path };
  throw new RalphError(
    "usage",
    text === null ? "A prompt is missing." : "Both --prompt and --prompt-file are given.",
    'Give exactly one: ralph run -p "Make the tests pass", or ralph run -f prompt.md.',
  );
}
