import { followCommand, type ProjectFiles } from "../reports/follow-command.ts";

/** Commands of checks as people wrote them, and the programs that they start through scripts and recipes. */
export function checkTexts(commands: readonly string[], files: ProjectFiles): string[] {
  const followed = commands.flatMap((command) => followCommand(command, files) ?? []);
  return [...commands, ...followed.map(({ words }) => words.join(" "))];
}
