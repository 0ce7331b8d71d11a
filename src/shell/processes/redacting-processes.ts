import { knownSecrets, type Secret } from "../../core/text/known-secrets.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { ProcessOrder, Processes, ProcessStart } from "../ports.ts";
import { createSecretFilter } from "./secret-filter.ts";

/** An agent that reads keys from these variables. */
type Keyed = { keyVariables: readonly string[]; sharedKeyVariables?: readonly string[] };

/** What tells the secrets of a run. Runs of an older version have no such setting; theirs are hidden too. */
export type SecretsContext = {
  settings: Partial<Pick<Settings, "redact">>;
  env: Readonly<Record<string, string>>;
  adapters: readonly Keyed[];
};

/** The values of variables that an adapter or the settings name; none when the settings say so. */
export function secretsOf({ settings, env, adapters }: SecretsContext): readonly Secret[] {
  const { enabled, variables } = settings.redact ?? { enabled: true, variables: [] };
  const keys = adapters.flatMap(({ keyVariables, sharedKeyVariables = [] }) => [
    ...keyVariables,
    ...sharedKeyVariables,
  ]);
  return enabled ? knownSecrets([...keys, ...variables], env) : [];
}

/** The processes of a run with these settings: their output comes without secrets. */
export function processesOf(
  { processes, env, agents }: { processes: Processes; env: SecretsContext["env"]; agents: { known: readonly Keyed[] } },
  settings: SecretsContext["settings"],
): Processes {
  return redactingProcesses(processes, secretsOf({ settings, env, adapters: agents.known }));
}

/**
 * Hides secrets in all output where it enters: nobody behind this port sees them, in a claim, a record, a log or on a
 * screen. Without secrets it is the port itself.
 */
export function redactingProcesses(processes: Processes, secrets: readonly Secret[]): Processes {
  if (secrets.length === 0) return processes;
  return { ...processes, start: (order) => start(processes, order, secrets) };
}

async function start(processes: Processes, order: ProcessOrder, secrets: readonly Secret[]): Promise<ProcessStart> {
  const stdout = createSecretFilter(secrets);
  const stderr = createSecretFilter(secrets);
  const pass = (bytes: Uint8Array, take: ProcessOrder["onStdout"]): Promise<void> | undefined =>
    bytes.length === 0 ? undefined : take(bytes);
  const onStdout: ProcessOrder["onStdout"] = (bytes) => order.onStdout(bytes);
  const onStderr: ProcessOrder["onStderr"] = (bytes) => order.onStderr(bytes);
  const started = await processes.start({
    ...order,
    onStdout: (chunk) => pass(stdout.take(chunk), onStdout),
    onStderr: (chunk) => pass(stderr.take(chunk), onStderr),
  });
  if (!started.isStarted) return started;
  const { process } = started;
  const flush = async (): Promise<void> => {
    await Promise.all([pass(stdout.end(), onStdout), pass(stderr.end(), onStderr)]);
  };
  const ended = process.ended.then(async (end) => {
    // A taker must not throw; if it does, the end of the process is still told.
    await flush().catch(() => undefined);
    return end;
  });
  return { isStarted: true, process: { ...process, ended } };
}
