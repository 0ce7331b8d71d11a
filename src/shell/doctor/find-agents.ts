import type { Settings } from "../../core/settings/settings.ts";
import { splitFlags } from "../../core/text/split-flags.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { agentEnvironment } from "../agents/environment.ts";
import { type AdapterList, chooseAdapter } from "../agents/registry.ts";
import { findProgram } from "../lib/find-program.ts";
import { askVersion, type VersionContext } from "../processes/ask-version.ts";
import type { Finding } from "./finding.ts";

/** What is needed to look for agents. */
export type AgentsContext = VersionContext & { agents: AdapterList; projectDir: string };

/**
 * The agent of the settings first, then every other one this program knows; of settings that do not hold (null) nothing
 * is said. All are asked at once.
 */
export async function findAgents(context: AgentsContext, agent: Settings["agent"] | null): Promise<Finding[]> {
  const { agents } = context;
  const command = agent?.command ?? null;
  const chosen = command === null ? null : chooseAdapter(command, agents);
  const others = agents.known.filter((adapter) => adapter !== chosen).map((adapter) => knownAgent(context, adapter));
  if (agent === null) return Promise.all(others);
  const first = command === null ? Promise.resolve(noAgent) : configuredAgent(context, agent, command);
  return Promise.all([first, ...others]);
}

const noAgent: Finding = {
  name: "agent",
  state: "warn",
  text: "none is configured",
  remedy: "Choose one with `ralph init`, or give one with --agent.",
};

async function configuredAgent(context: AgentsContext, agent: Settings["agent"], command: string): Promise<Finding> {
  const adapter = chooseAdapter(command, context.agents);
  const { argv } = adapter.invocation({
    command,
    flags: splitFlags(agent.flags).argv,
    model: agent.model,
    prompt: "<prompt>",
    mode: "stream",
    sessionId: null,
    promptVia: agent.promptVia,
    answerFile: "",
  });
  const found = await lookFor(context, adapter, { command, argv });
  const name = `agent ${command}`;
  if ("remedy" in found) return { name, state: "broken", text: found.text, remedy: found.remedy, argv };
  return { name, state: "ok", text: `${found.text}, configured here`, remedy: null, argv, ...version(found) };
}

/** With its own defaults: the flags of the settings are another agent's. */
async function knownAgent(context: AgentsContext, adapter: AgentAdapter): Promise<Finding> {
  const command = adapter.commands[0] ?? adapter.name;
  const name = `agent ${command}`;
  const order = { command, flags: [], model: null, prompt: "<prompt>", sessionId: null, promptVia: null };
  const { argv } = adapter.invocation({ ...order, mode: "stream", answerFile: "" });
  const found = await lookFor(context, adapter, { command, argv });
  if ("remedy" in found) {
    const state = found.isThere ? "warn" : "missing";
    return { name, state, text: found.text, remedy: found.remedy };
  }
  return { name, state: "ok", text: found.text, remedy: null, argv, ...version(found) };
}

type Found = { text: string; version: string | null } | { text: string; remedy: string; isThere: boolean };

type Sought = { command: string; argv: readonly string[] };

async function lookFor(context: AgentsContext, adapter: AgentAdapter, { command, argv }: Sought): Promise<Found> {
  // An adapter that starts another program than the one named brings its own.
  if (argv[0] !== command) return { text: "part of ralph", version: null };
  const { env, projectDir, agents } = context;
  const file = await findProgram(command, { env, directory: projectDir });
  if (file === null)
    return { text: "not found", remedy: `Install ${command}, or add its folder to PATH.`, isThere: false };
  // Nobody knows what another program does with --version; it might go to work.
  if (adapter === agents.fallback) return { text: `${file}, a program ralph reads as plain text`, version: null };
  const own = agentEnvironment({ base: env, adapter, adapters: agents.known, keepEnv: [], extra: {} });
  const answer = await askVersion(file, { ...context, env: own });
  if ("version" in answer) return { text: `${answer.version}, ${file}`, version: answer.version };
  return { text: `${file}: ${answer.problem}`, remedy: `See what \`${command} --version\` says.`, isThere: true };
}

function version(found: { version: string | null }): { version?: string } {
  return found.version === null ? {} : { version: found.version };
}
