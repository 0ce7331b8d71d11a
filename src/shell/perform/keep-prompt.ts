import { join } from "node:path";
import { hideSecrets } from "../../core/text/known-secrets.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { secretsOf } from "../processes/redacting-processes.ts";
import type { RunContext } from "../run-context.ts";

/** Keeps the prompt of an iteration as `.ralph/prompt_001.txt`, for people to look at, without secrets: nothing of ours reads it. */
export async function keepPrompt(context: RunContext, iteration: number, prompt: string): Promise<void> {
  const { projectDir, policy } = context.frozen;
  const { env, adapters } = context;
  // The other kinds of run keep records of their own.
  if (policy.kind !== "run") return;
  const file = `.ralph/prompt_${String(iteration).padStart(3, "0")}.txt`;
  try {
    const shown = hideSecrets(prompt, secretsOf({ settings: context.frozen.settings, env, adapters }));
    await context.disk.writeAtomic(join(projectDir, file), shown, 0o600, "unsynced");
  } catch (error) {
    const reason = thrownText(error);
    await context.note("warning", `The prompt could not be kept as ${file}: ${reason}`);
  }
}
