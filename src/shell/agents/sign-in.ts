import { join } from "node:path";
import type { StartError } from "../../core/agents/turn-report.ts";
import type { Disk } from "../ports.ts";
import type { AgentAdapter } from "./adapter.ts";

/** What an agent needs to start without a person, as far as it can be seen from outside. */
export type SignInContext = {
  adapter: AgentAdapter;
  command: string;
  env: Readonly<Record<string, string | undefined>>;
  disk: Pick<Disk, "readText">;
};

/** Why the agent would only wait for a login, or null. The file is looked for, never judged. */
export async function missingSignIn({ adapter, command, env, disk }: SignInContext): Promise<StartError | null> {
  const { signIn } = adapter;
  if (signIn === null || (env[signIn.variable] ?? "") !== "") return null;
  const file = join(env["HOME"] ?? "", signIn.file);
  if (await isThere(file, disk)) return null;
  const message = `${command} has no login: ${signIn.variable} is not set and there is no ${file}. Set ${signIn.variable}, or log in with ${command} once.`;
  return { kind: "sign-in", message };
}

async function isThere(file: string, disk: SignInContext["disk"]): Promise<boolean> {
  try {
    return (await disk.readText(file)) !== null;
  } catch {
    // There, but not for us to read: the agent will say what it thinks of it.
    return true;
  }
}
