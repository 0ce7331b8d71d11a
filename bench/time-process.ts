import { spawn } from "node:child_process";

/** What to start and time. */
export type Timed = {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  exitCodes?: readonly number[];
};

/** Milliseconds from start to exit, on the monotonic clock. Rejects when the program does not end as expected. */
export function timeProcess({ argv, cwd, env, exitCodes = [0] }: Timed): Promise<number> {
  const [program = "", ...parameters] = argv;
  const startedAt = performance.now();
  const child = spawn(program, parameters, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const durationMs = performance.now() - startedAt;
      if (code !== null && exitCodes.includes(code)) resolve(durationMs);
      else reject(new Error(`${argv.join(" ")} ended with ${code ?? "a signal"}: ${complaint}`));
    });
  });
}

/** A small environment, the same for every program that is compared. */
export function benchEnvironment(folder: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder, RALPH_STATE_HOME: `${folder}/state`, LANG: "C.UTF-8" };
}
