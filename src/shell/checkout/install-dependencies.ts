import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { installCommands } from "../../core/verification/locks/install-command.ts";
import { captureOutput } from "../lib/captured-output.ts";
import type { Processes } from "../ports.ts";

/** Where packages are installed. */
export type InstallOptions = {
  processes: Pick<Processes, "start">;
  env: Readonly<Record<string, string>>;
  killGraceMs: number;
  /** The top of the work tree, and the paths of its files. */
  top: string;
  paths: readonly string[];
  turnMarker: string;
  signal: AbortSignal;
  /** Told before each installation, for people who wait. */
  tell: (line: string) => void;
};

/** A slow line and a large lock file; beyond it the installer hangs. */
const installMs = 15 * 60_000;
const outputCharsMax = 2_000;

/** Installs what the lock files of a work tree pin. Rejects with a `RalphError` that has the end of what an installer printed. */
export async function installDependencies(options: InstallOptions): Promise<void> {
  for (const { folder, argv } of installCommands(options.paths)) {
    const words = argv.join(" ");
    options.tell(`installing: ${words}${folder === "" ? "" : ` in ${folder}`}`);
    const { isGood, output } = await install(options, { cwd: join(options.top, folder), argv });
    options.signal.throwIfAborted();
    if (isGood) continue;
    const place = folder === "" ? "the project" : folder;
    const said = output.trim().split("\n").slice(-5).join("\n");
    throw new RalphError("contract", `The dependencies of ${place} could not be installed with "${words}": ${said}`);
  }
}

async function install(
  { processes, env, killGraceMs, turnMarker, signal }: InstallOptions,
  { cwd, argv }: { cwd: string; argv: readonly string[] },
): Promise<{ isGood: boolean; output: string }> {
  const output = captureOutput(outputCharsMax, "tail");
  const take = (chunk: Uint8Array): undefined => {
    output.add(chunk);
    return undefined;
  };
  const order = { purpose: "tool" as const, argv, cwd, env, stdin: null, turnMarker, idleMs: null, wallMs: installMs };
  const start = await processes.start({ ...order, killGraceMs, onStdout: take, onStderr: take });
  if (!start.isStarted) return { isGood: false, output: start.message };
  const cut = (): void => start.process.cut();
  signal.addEventListener("abort", cut, { once: true });
  const end = await start.process.ended;
  signal.removeEventListener("abort", cut);
  return { isGood: end.exitCode === 0, output: output.text() };
}
