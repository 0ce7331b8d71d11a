import { programName } from "../../core/text/program-name.ts";
import type { AgentAdapter } from "./adapter.ts";

/** The adapters of this program; `fallback` speaks for any command that no other knows. */
export type AdapterList = { known: readonly AgentAdapter[]; fallback: AgentAdapter };

/** Chooses by the command's basename, so that a path to an agent is the same agent. */
export function chooseAdapter(command: string, { known, fallback }: AdapterList): AgentAdapter {
  const name = programName(command);
  return known.find((adapter) => adapter.commands.includes(name)) ?? fallback;
}
