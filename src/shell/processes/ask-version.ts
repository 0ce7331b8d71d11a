import { tmpdir } from "node:os";
import { captureOutput } from "../lib/captured-output.ts";
import type { Processes } from "../ports.ts";

/** A program that says its version says it at once; one that asks, signs in or looks for updates is not waited for. */
const versionWallMs = 5000;
const versionCharsMax = 200;

/** What a program is asked with. */
export type VersionContext = {
  processes: Pick<Processes, "start">;
  env: Readonly<Record<string, string>>;
  killGraceMs: number;
};

/** The version a program prints and the line that says it, or why there is none, in a few words. Ends everything the program started. */
export async function askVersion(
  program: string,
  { processes, env, killGraceMs }: VersionContext,
): Promise<{ version: string; words: string } | { problem: string }> {
  const output = captureOutput(versionCharsMax, "head");
  // A program of this name is nobody's turn: the turn marker only ties its children to it.
  const turnMarker = `doctor.${process.pid}.${program}`;
  const start = await processes.start({
    purpose: "tool",
    argv: [program, "--version"],
    cwd: tmpdir(),
    env: { ...env, RALPH_TURN: turnMarker },
    stdin: null,
    turnMarker,
    idleMs: null,
    wallMs: versionWallMs,
    killGraceMs,
    onStdout: (chunk) => {
      output.add(chunk);
      return undefined;
    },
    onStderr: () => undefined,
  });
  if (!start.isStarted) return { problem: start.message };
  const end = await start.process.ended;
  if (end.timedOut !== null) return { problem: `--version gave no answer within ${versionWallMs / 1000} s` };
  const [line = ""] = output.text().trim().split("\n");
  if (end.exitCode !== 0) return { problem: `--version exited with code ${end.exitCode ?? "none"}` };
  return { version: /\d+\.\d+[\w.+-]*/.exec(line)?.[0] ?? line, words: line };
}
