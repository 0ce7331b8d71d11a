import { access, constants, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";

/** Where a program is looked for. */
export type ProgramContext = {
  env: Readonly<Record<string, string | undefined>>;
  /** A command with a slash is a path from here. */
  directory: string;
  platform?: NodeJS.Platform;
};

/** The file a command would start, or null. Nothing is started. */
export async function findProgram(command: string, context: ProgramContext): Promise<string | null> {
  const { env, directory, platform = process.platform } = context;
  const path = platform === "win32" ? win32 : posix;
  const endings = platform === "win32" ? ["", ...(env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";")] : [""];
  const isPath = command.includes("/") || (platform === "win32" && command.includes("\\"));
  const onPath = (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const folders = isPath ? [directory] : onPath;
  const candidates = folders.flatMap((folder) => endings.map((ending) => path.resolve(folder, `${command}${ending}`)));
  const found = await Promise.all(candidates.map(isProgram));
  return candidates.find((_, index) => found[index]) ?? null;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Not there, or not ours to start.
    return false;
  }
}
