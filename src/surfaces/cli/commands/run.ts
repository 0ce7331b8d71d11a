import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { exitCodes } from "../../../core/engine/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { FrozenRun, PromptSource } from "../../../core/settings/frozen-run.ts";
import { parseSettings, type SettingsLayer } from "../../../core/settings/parse-settings.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { splitFlags } from "../../../core/settings/split-flags.ts";
import { outcomeOf } from "../../../shell/drivers/outer-driver.ts";
import { startRun } from "../../../shell/drivers/start-run.ts";
import type { Machine } from "../../../shell/machine.ts";
import { headCommit, trackedChanges } from "../../../shell/scm/tree-fingerprint.ts";
import { readSettingsFiles } from "../../../shell/settings-files.ts";
import { wire } from "../../../shell/wire.ts";
import type { Input } from "../command-tree.ts";
import { connect } from "../connect.ts";
import { offerUnfinished } from "../offer-unfinished.ts";
import {
  amountOption,
  countOption,
  durationOption,
  isOn,
  type Options,
  projectDirOption,
  textOption,
} from "../read-input.ts";
import { redacted } from "../verbose-sink.ts";
import { version } from "../version.ts";

/** `ralph run`: from prompt to verified completion. */
export default async function run({ options }: Input): Promise<number> {
  const projectDir = projectDirOption(options);
  const source = promptOptions(options);
  const flags = flagLayer(options);
  const isVerbose = isOn(options, "verbose");
  const tell = (line: string): void => void (isVerbose ? process.stderr.write(`[ralph] ${line}\n`) : null);
  const machine = await wire();
  const layers = await readSettingsFiles(machine.disk, projectDir);
  for (const { source: file } of layers) tell(`Loading settings from ${file}`);
  const settings = parseSettings([...layers, flags]);
  const prompt = await readPrompt(machine, projectDir, source);
  const startCommit = await checkStart(settings, projectDir, isOn(options, "allowDirty"));
  const frozen: FrozenRun = { version, projectDir, prompt, settings, startCommit };
  tell(`Settings: ${JSON.stringify(redacted(settings))}`);
  tell(`Agent command: ${[settings.agent.command, ...splitFlags(settings.agent.flags).argv].join(" ")}`);
  for (const { command } of settings.guardrails) tell(`Guardrail: ${command}`);
  if (prompt.kind === "text") tell(`Prompt: ${prompt.text.slice(0, 200)}`);
  await machine.store.prune(
    { days: settings.store.keep.days, bytesMax: settings.store.keep.bytes },
    machine.clock.now(),
  );
  const connection = connect(settings, { isJson: isOn(options, "json"), isVerbose });
  const resumed = await offerUnfinished(machine, projectDir, connection);
  const { id, state } = resumed ?? (await startRun(machine, frozen, connection));
  const outcome = outcomeOf(state);
  if (!isOn(options, "json") && outcome.name !== "completed" && outcome.name !== "cancelled")
    process.stderr.write(`Go on with: ralph resume ${id}\n`);
  await machine.store.close();
  return exitCodes[outcome.name];
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

async function readPrompt(
  machine: Machine,
  projectDir: string,
  given: { text: string } | { path: string },
): Promise<PromptSource> {
  const source = await promptSource(projectDir, given);
  const text = source.kind === "text" ? source.text : await readPromptFile(machine, source.path);
  if (text.trim() !== "") return source;
  throw new RalphError("prompt", "The prompt is empty.", "Say what the agent shall do.");
}

async function promptSource(projectDir: string, given: { text: string } | { path: string }): Promise<PromptSource> {
  if ("text" in given) return { kind: "text", text: given.text };
  if (given.path !== "-") return { kind: "file", path: resolve(projectDir, given.path) };
  return { kind: "text", text: (await readAll(process.stdin)).replace(/[\r\n]+$/, "") };
}

async function readPromptFile(machine: Machine, path: string): Promise<string> {
  const text = await machine.disk.readText(path).catch((cause: unknown) => {
    throw new RalphError("prompt", `The prompt file ${path} cannot be read: ${String(cause)}.`, null, cause);
  });
  if (text === null)
    throw new RalphError("prompt", `The prompt file ${path} does not exist.`, "Check the path given with -f.");
  return text;
}

/** Only flags that were given become settings: an absent flag never overrides (S1-06). */
function flagLayer(options: Options): SettingsLayer {
  const given = (entries: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null && value !== undefined));
  const agent = given({ command: textOption(options, "agent"), model: textOption(options, "model") });
  const budget = given({
    spend: amountOption(options, "maxCost", "--max-cost"),
    tokens: countOption(options, "maxTokens", "--max-tokens"),
    time: durationOption(options, "maxTime", "--max-time"),
  });
  const iterations = textOption(options, "maximumIterations");
  return {
    source: "command line",
    value: given({
      maximumIterations:
        iterations === "unbounded" ? iterations : countOption(options, "maximumIterations", "--maximum-iterations"),
      completionResponse: textOption(options, "completionResponse"),
      streamAgentOutput: options["streamAgentOutput"],
      ...(Object.keys(agent).length > 0 ? { agent } : {}),
      ...(Object.keys(budget).length > 0 ? { budget } : {}),
    }),
  };
}

/** With delivery, changes that are already there would be committed as the agent's; a person decides that. */
async function checkStart(settings: Settings, projectDir: string, isDirtyAllowed: boolean): Promise<string | null> {
  const startCommit = await headCommit(projectDir);
  if (settings.scm === null || isDirtyAllowed) return startCommit;
  const changes = (await trackedChanges(projectDir)) ?? [];
  if (changes.length === 0) return startCommit;
  throw new RalphError(
    "scm",
    `${changes.length} tracked files have changes that are not committed (${changes[0]?.slice(3) ?? ""}).`,
    "Commit or stash them, or start with --allow-dirty.",
  );
}
