/**
 * What makes git's ssh ask nothing: batch mode, added to the command a person has chosen by variable or configuration.
 * A program of another kind is left as it is; without a terminal it cannot ask either.
 */
export function batchSsh(env: Readonly<Record<string, string>>, configured: string | null): Record<string, string> {
  const chosen = env["GIT_SSH_COMMAND"] ?? configured;
  if (chosen === null && env["GIT_SSH"] !== undefined) return {};
  const command = chosen ?? "ssh";
  return /^(?:\S*\/)?ssh(?:\s|$)/.test(command) ? { GIT_SSH_COMMAND: `${command} -o BatchMode=yes` } : {};
}
