import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "./read-case.ts";

/** Does the steps in a project, in their order. A script that fails is an error: a broken case must not look like a refused one. */
export function takeSteps(project: string, steps: readonly Step[], env: NodeJS.ProcessEnv = process.env): void {
  for (const step of steps) {
    if (step.do === "run") runScript(project, step.script, env);
    else if (step.do === "delete") rmSync(join(project, step.path), { recursive: true });
    else {
      const path = join(project, step.path);
      mkdirSync(dirname(path), { recursive: true });
      (step.do === "write" ? writeFileSync : appendFileSync)(path, step.text);
    }
  }
}

function runScript(project: string, script: string, env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync("/bin/sh", ["-eu", "-c", script], {
    cwd: project,
    env,
    stdio: ["ignore", "ignore", "pipe"],
    // A process that the script leaves behind keeps nothing open: scripts send their output away.
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`a script of the case ended with ${status ?? "a signal"}: ${String(stderr)}`);
}
