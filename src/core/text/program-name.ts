/** The name of a program in a command or path: without folders, and without the endings of Windows programs. */
export function programName(command: string): string {
  const base = command.split(/[\\/]/).at(-1) ?? command;
  return base.replace(/\.(?:exe|cmd|bat|ps1)$/i, "");
}
