import { failActions, type Settings, settingsSchema } from "../../../core/settings/settings.ts";
import {
  type InitialSettings,
  initialSettings,
  type Offers,
  proposedMode,
  settingsWithoutQuestions,
} from "../../../app/setup/first-settings.ts";
import { closest } from "../../../core/text/closest.ts";
import { listOf } from "../../../core/text/list-of.ts";
import type { Dialogue } from "../input/dialogue.ts";
import { askPermissions } from "./ask-permissions.ts";

type Guardrail = Settings["guardrails"][number];

/**
 * The questions with their fixed wording and order (S1-21..28). A blank first answer takes the agent that was found, every
 * check and the defaults, a number the same with another agent; then only the permissions are asked for.
 */
export async function askSettings(dialogue: Dialogue, { agents, checks }: Offers): Promise<InitialSettings> {
  const { command, isFound } = await askAgent(dialogue, { agents, checks });
  return isFound ? askPermissionsOnly(dialogue, command, checks) : askEverything(dialogue, command, checks);
}

/** Whether a question with `(y/N)` was answered with yes. */
export async function isYes(dialogue: Dialogue, prompt: string): Promise<boolean> {
  for (;;) {
    const answer = await dialogue.ask(prompt);
    if (/^(?:n|no)?$/i.test(answer)) return false;
    if (/^y(?:es)?$/i.test(answer)) return true;
    dialogue.say(`"${answer}" is neither yes nor no.`);
  }
}

const defaults = settingsSchema.parse({});

/** `isFound`: it was chosen among the agents found, so everything else is taken as it was found, too. */
async function askAgent(dialogue: Dialogue, offers: Offers): Promise<{ command: string; isFound: boolean }> {
  sayOffers(dialogue, offers);
  const { agents } = offers;
  for (;;) {
    const answer = await dialogue.ask("Agent command (e.g., claude, codex, amp, or other LLM CLI): ", agents);
    const chosen = agents[answer === "" ? 0 : Number(answer) - 1];
    if (chosen !== undefined) return { command: chosen, isFound: true };
    const isNumber = agents.length > 0 && /^\d+$/.test(answer);
    if (answer !== "" && !isNumber) return { command: answer, isFound: false };
    dialogue.say(
      isNumber
        ? `There is no agent ${answer}: ${agents.length} found on this machine.`
        : "An agent is needed: its program's name, or a path to it. None was found on this machine.",
    );
  }
}

function sayOffers(dialogue: Dialogue, { agents, checks }: Offers): void {
  const [first, ...others] = agents;
  if (first !== undefined) dialogue.say(`Agents found on this machine: ${agents.join(", ")}`);
  if (checks.length > 0) dialogue.say(`Checks found in this repository: ${checks.join(", ")}`);
  const found = checks.length === 0 ? "no checks" : "these checks";
  if (first !== undefined) dialogue.say(`Enter takes ${first}, ${found} and the defaults; an answer asks for all.`);
  const numbered = others.map((agent, index) => `${index + 2} ${agent}`);
  if (numbered.length > 0) dialogue.say(`A number takes another agent in the same way: ${numbered.join(", ")}`);
}

async function askPermissionsOnly(
  dialogue: Dialogue,
  command: string,
  checks: readonly string[],
): Promise<InitialSettings> {
  const flags = await askPermissions(dialogue, command);
  return { ...settingsWithoutQuestions(command, checks), agent: { command, flags } };
}

async function askEverything(dialogue: Dialogue, command: string, checks: readonly string[]): Promise<InitialSettings> {
  const flags = await askFlags(dialogue, command);
  const maximumIterations = await askIterations(dialogue);
  const completionResponse = (await dialogue.ask(`Completion response [${defaults.completionResponse}]:`)) || null;
  const guardrails = await askGuardrails(dialogue, checks);
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

/** The document's questions have no place for permissions: what the answer leaves open is chosen and said. */
async function askFlags(dialogue: Dialogue, command: string): Promise<string[]> {
  const flags = listOf(await dialogue.ask("Agent flags (comma-separated, optional): "));
  const mode = proposedMode({ command, flags });
  if (mode === null) return flags;
  dialogue.say(`Added ${mode.flags.join(" ")}: ${command} ${mode.meaning}.`);
  return [...flags, ...mode.flags];
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
  const guardrails: Guardrail[] = [];
  for (;;) {
    const command = await dialogue.ask("Add guardrail command (leave blank to finish): ", checks);
    if (command === "") {
      // A blank answer ends the question (S1-25), so it cannot take them.
      if (guardrails.length === 0 && checks.length > 0)
        dialogue.say(`Left out, though found here: ${checks.join(", ")}. To choose again: ralph init --force`);
      return guardrails;
    }
    const failAction = await askFailAction(dialogue);
    const hint = await dialogue.ask("  Hint (optional, guidance for agent on failure): ");
    guardrails.push({ command, failAction, ...(hint === "" ? {} : { hint }) });
  }
}

/** Blank: the failure comes after the prompt. */
async function askFailAction(dialogue: Dialogue): Promise<Guardrail["failAction"]> {
  for (;;) {
    const answer = await dialogue.ask("  Fail action (APPEND|PREPEND|REPLACE): ", failActions);
    const action = failActions.find((each) => each === (answer || failActions[0]).toUpperCase());
    if (action !== undefined) return action;
    dialogue.say(`  "${answer}" is not one of them: the failure comes after the prompt, before it, or instead of it.`);
  }
}

async function askScm(dialogue: Dialogue): Promise<{ command: string; tasks: string[] } | null> {
  if (!(await isYes(dialogue, "Configure SCM? (y/N):"))) return null;
  const command = (await dialogue.ask("  SCM command (e.g., git): ")) || "git";
  return { command, tasks: await askTasks(dialogue, command) };
}

const knownTasks = ["commit", "push", "pr"];

/** Any command of the program may be a task (S1-63), so an unknown one is only taken when it is given twice. */
async function askTasks(dialogue: Dialogue, command: string): Promise<string[]> {
  let before = "";
  for (;;) {
    const answer = await dialogue.ask("  SCM tasks (comma-separated, e.g., commit,push): ", ["commit"]);
    const tasks = listOf(answer);
    const unknown = tasks.find((task) => !knownTasks.includes(task));
    if (tasks.length === 0) return ["commit"];
    if (unknown === undefined || answer === before) return tasks;
    before = answer;
    const meant = closest(unknown, knownTasks);
    dialogue.say(`  Unknown task "${unknown}"${meant === null ? "." : `; did you mean "${meant}"?`}`);
    dialogue.say("  commit, push: after green guardrails; pr: a pull request, once, at the end.");
    dialogue.say(`  Others run as "${command} ${unknown}": give the same answer again if you mean that.`);
  }
}
