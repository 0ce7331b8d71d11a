import { failActions, type Settings, settingsSchema } from "../../../core/settings/settings.ts";
import { type InitialSettings, initialSettings, type Offers } from "../../../app/setup/first-settings.ts";
import type { Dialogue } from "../input/dialogue.ts";

type Guardrail = Settings["guardrails"][number];

/** The questions with their fixed wording and order (S1-21..28). */
export async function askSettings(dialogue: Dialogue, offers: Offers): Promise<InitialSettings> {
  if (offers.agents.length > 0) dialogue.say(`Agents found on this machine: ${offers.agents.join(", ")}`);
  const command = await askRequired(
    dialogue,
    "Agent command (e.g., claude, codex, amp, or other LLM CLI): ",
    offers.agents,
  );
  const flags = listOf(await dialogue.ask("Agent flags (comma-separated, optional): "));
  const maximumIterations = await askIterations(dialogue);
  const completionResponse = (await dialogue.ask(`Completion response [${defaults.completionResponse}]:`)) || null;
  const guardrails = await askGuardrails(dialogue, offers.checks);
  const scm = await askScm(dialogue);
  return {
    ...initialSettings(command),
    maximumIterations,
    completionResponse: completionResponse ?? defaults.completionResponse,
    agent: { command, flags },
    guardrails,
    ...(scm === null ? {} : { scm }),
  };
}

/** Whether a question with `(y/N)` was answered with yes. */
export async function isYes(dialogue: Dialogue, prompt: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await dialogue.ask(prompt));
}

const defaults = settingsSchema.parse({});

async function askRequired(dialogue: Dialogue, prompt: string, offers: readonly string[] = []): Promise<string> {
  for (;;) {
    const answer = await dialogue.ask(prompt, offers);
    if (answer !== "") return answer;
  }
}

async function askIterations(dialogue: Dialogue): Promise<Settings["maximumIterations"]> {
  for (;;) {
    const answer = await dialogue.ask(`Maximum iterations [${defaults.maximumIterations}]:`);
    if (answer === "") return defaults.maximumIterations;
    const count = Number(answer);
    if (/^\d+$/.test(answer) && Number.isSafeInteger(count) && count >= 1) return count;
    dialogue.say(`A whole number of at least 1 is needed, found "${answer}".`);
  }
}

async function askGuardrails(dialogue: Dialogue, checks: readonly string[]): Promise<Guardrail[]> {
  if (checks.length > 0) dialogue.say(`Checks found in this repository: ${checks.join(", ")}`);
  const guardrails: Guardrail[] = [];
  for (;;) {
    const command = await dialogue.ask("Add guardrail command (leave blank to finish): ", checks);
    if (command === "") return guardrails;
    const failAction = await askFailAction(dialogue);
    const hint = await dialogue.ask("  Hint (optional, guidance for agent on failure): ");
    guardrails.push({ command, failAction, ...(hint === "" ? {} : { hint }) });
  }
}

async function askFailAction(dialogue: Dialogue): Promise<Guardrail["failAction"]> {
  for (;;) {
    const answer = await dialogue.ask("  Fail action (APPEND|PREPEND|REPLACE): ", failActions);
    const action = failActions.find((each) => each === answer.toUpperCase());
    if (action !== undefined) return action;
  }
}

async function askScm(dialogue: Dialogue): Promise<{ command: string; tasks: string[] } | null> {
  if (!(await isYes(dialogue, "Configure SCM? (y/N):"))) return null;
  const command = await askRequired(dialogue, "  SCM command (e.g., git): ");
  for (;;) {
    const tasks = listOf(await dialogue.ask("  SCM tasks (comma-separated, e.g., commit,push): "));
    if (tasks.length > 0) return { command, tasks };
  }
}

/** Split at commas; `--model,opus` are two elements. */
function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
