import { RalphError } from "../../core/ralph-error.ts";
import { agentEnvironment } from "../agents/environment.ts";
import type { AdapterList } from "../agents/registry.ts";
import { missingSignIn } from "../agents/sign-in.ts";
import { askVersion } from "../processes/ask-version.ts";
import { findProgram } from "../lib/find-program.ts";
import type { Disk, Processes } from "../ports.ts";
import { type JudgeContext, judgePlace } from "./judge.ts";

/** Where a judge is looked for before anything begins. */
export type JudgeLook = JudgeContext & {
  agents: AdapterList;
  env: Readonly<Record<string, string>>;
  disk: Pick<Disk, "readText">;
  processes: Pick<Processes, "start">;
  killGraceMs: number;
  /** Programs that were found to be in order: the roles of a work run look at each once. */
  looked: Set<string>;
};

/** Refuses to begin when the judge that the run needs could not be asked, as far as that can be seen without a call. */
export async function requireJudge(look: JudgeLook): Promise<void> {
  const { verification } = look.frozen.settings;
  if (verification.judge.mode === "words") return;
  const place = judgePlace(look, look.agents);
  if (look.looked.has(place.command)) return;
  const problem = await problemOf(place);
  if (problem !== null) throw new RalphError("agent", `The judge cannot be asked: ${problem}`, remedyOf(look));
  look.looked.add(place.command);
}

async function problemOf(place: JudgeLook): Promise<string | null> {
  const { adapter, agents, command, env, frozen } = place;
  const order = { command, flags: place.flags, model: null, prompt: "", sessionId: null, promptVia: null };
  const { argv } = adapter.invocation({ ...order, mode: "text", answerFile: "" });
  // An adapter that starts another program than the one named brings its own.
  if (argv[0] !== command) return null;
  const file = await findProgram(command, { env, directory: frozen.projectDir });
  if (file === null) return `${command} was not found.`;
  // Nobody knows what another program does with --version; it might go to work.
  if (adapter === agents.fallback) return null;
  const { keepEnv } = frozen.settings.agent;
  const own = agentEnvironment({ base: env, adapter, adapters: agents.known, keepEnv, extra: {} });
  const answer = await askVersion(file, { ...place, env: own });
  if ("problem" in answer) return `${command} does not work: ${answer.problem}.`;
  return (await missingSignIn(place))?.message ?? null;
}

function remedyOf({ frozen, command }: JudgeLook): string {
  const { agent } = frozen.settings.verification.judge;
  const now = agent === null ? `null: the run's own agent, ${command}` : agent;
  return `Mend it, name another program in verification.judge.agent (now ${now}), or set verification.judge.mode to "words".`;
}
