import { basename } from "node:path";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { functionCommand } from "../functions/own-functions.ts";

/** What stands between the agent and the machine, in one line at the start of every run: nothing yet (S4-08). */
export function safetyLine({ settings, prd, work }: Pick<FrozenRun, "settings" | "prd" | "work">): string {
  const others = work === undefined ? [] : Object.values(settings.work.agents);
  const named = [settings.agent, ...(prd === undefined ? others : [prd.reviewer])].flatMap(
    ({ command }) => command ?? [],
  );
  const own = named.filter((command) => command !== functionCommand);
  const programs = [...new Set(own.map((command) => basename(command)))];
  const who =
    programs.length === 0 ? "the agent works" : `${programs.join(", ")} ${programs.length === 1 ? "works" : "work"}`;
  return `unsandboxed: ${who} directly on this machine, with your rights.`;
}
