import { posix, win32 } from "node:path";
import type { AgentAdapter } from "./adapter.ts";

/** The adapters of this program; `fallback` speaks for any command that no other knows. */
export type AdapterList = { known: readonly AgentAdapter[]; fallback: AgentAdapter };

/** Chooses by the command's basename, so that a path to an agent is the same agent. */
export function chooseAdapter(command: string, { known, fallback }: AdapterList): AgentAdapter {
  const name = commandName(command);
  return known.find((adapter) => adapter.commands.includes(name)) ?? fallback;
}

/** The basename without the endings of Windows programs. */
function commandName(command: string): string {
  const base = win32.basename(posix.basename(command));
  return base.replace(/\.(?:exe|cmd|bat|ps1)$/i, "");
}
