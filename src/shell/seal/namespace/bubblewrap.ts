import { captureOutput } from "../../lib/captured-output.ts";
import { findProgram } from "../../lib/find-program.ts";
import type { Processes } from "../../ports.ts";

/** A bwrap that works here. `userFlags`: how much of a user namespace this machine lets it have. */
export type Bubblewrap = { program: string; userFlags: readonly string[] };

/** Whether namespaces can be made here, or a sentence that says why not. */
export type BubblewrapProbe = { bubblewrap: Bubblewrap; problem: null } | { bubblewrap: null; problem: string };

/** Where a probe runs. */
export type ProbeContext = {
  processes: Pick<Processes, "start">;
  env: Readonly<Record<string, string>>;
  directory: string;
};

/** From the most to the least: the first form stops namespaces inside of namespaces. */
const forms: readonly (readonly string[])[] = [["--unshare-user", "--disable-userns"], ["--unshare-user"], []];

/** A start takes 10 ms; a machine that needs longer than this hangs. */
const probeMs = 20_000;

/** Finds bwrap and tries it with everything that a sealed check uses. Must not reject. */
export async function probeBubblewrap(context: ProbeContext): Promise<BubblewrapProbe> {
  const program = await findProgram("bwrap", context);
  if (program === null) return { bubblewrap: null, problem: "bwrap (bubblewrap) is not installed." };
  let said = "";
  for (const userFlags of forms) {
    const bubblewrap = { program, userFlags };
    const words = [
      ...isolationFlags(bubblewrap),
      "--unshare-net",
      "--ro-bind",
      "/",
      "/",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
    ];
    const { isGood, output } = await tryProgram([program, ...words, "--tmpfs", "/tmp", "--", "true"], context);
    if (isGood) return { bubblewrap, problem: null };
    said = output;
  }
  return { bubblewrap: null, problem: `bwrap does not work here: ${said.trim().split("\n").at(-1) ?? ""}` };
}

/** What every namespace of ours has. As root `--cap-drop` is needed: without it a read-only mount can be made writable. */
export function isolationFlags({ userFlags }: Bubblewrap): string[] {
  const flags = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
  return [...userFlags, ...flags, "--cap-drop", "ALL", "--die-with-parent", "--new-session"];
}

/** Runs a program of ours to its end and says whether it ended well. */
export async function tryProgram(
  argv: readonly string[],
  { processes, env, directory }: ProbeContext,
  wallMs: number = probeMs,
): Promise<{ isGood: boolean; output: string }> {
  const output = captureOutput(2_000, "tail");
  const take = (chunk: Uint8Array): undefined => {
    output.add(chunk);
    return undefined;
  };
  const order = { purpose: "tool" as const, argv, cwd: directory, env, stdin: null, turnMarker: "", idleMs: null };
  const start = await processes.start({ ...order, wallMs, killGraceMs: 200, onStdout: take, onStderr: take });
  if (!start.isStarted) return { isGood: false, output: start.message };
  const end = await start.process.ended;
  return { isGood: end.exitCode === 0, output: output.text() };
}
