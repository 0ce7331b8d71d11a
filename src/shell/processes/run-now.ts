import { spawnSync } from "node:child_process";
import type { ProcessOrder } from "../ports.ts";

/** A program that is waited for at once: a hook answers, and a table is read, between two events. */
export type AwaitedProgram = Pick<ProcessOrder, "purpose" | "argv" | "env"> & {
  cwd?: string;
  /** It is killed after this time. */
  timeoutMs: number;
  /** It is killed when it prints more than this. */
  outputBytesMax: number;
};

/** What the program prints; null when it is missing, fails, hangs or prints too much. Must not throw. */
export function runNow({ argv, env, cwd, timeoutMs, outputBytesMax }: AwaitedProgram): string | null {
  const [program = "", ...words] = argv;
  const end = spawnSync(program, words, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    encoding: "utf8",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: outputBytesMax,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return end.error === undefined && end.status === 0 ? end.stdout : null;
}
