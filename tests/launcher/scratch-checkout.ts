import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { patient } from "../patience.ts";

/** How a script ended, and its lines on both outputs. */
export type ScriptEnd = { code: number | null; lines: string[]; stderr: string };

/** A small checkout with our real scripts and an `npm` that only notes how it was called. */
export type ScratchCheckout = {
  folder: string;
  write(path: string, text: string): void;
  /** The argument lists `npm` was called with since the last question. */
  takeNpmCalls(): string[];
  /** What `npm` does instead of its work, as shell commands. */
  scriptNpm(commands: string): void;
  runScript(name: string, args?: string[]): Promise<ScriptEnd>;
  remove(): void;
};

/** Creates a checkout with `scripts/` and nothing else. */
export function createScratchCheckout(): ScratchCheckout {
  const scratch = mkdtempSync(join(tmpdir(), "ralph-checkout-"));
  const folder = join(scratch, "checkout");
  const calls = join(scratch, "calls");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const scriptNpm = (commands: string): void => {
    mkdirSync(join(scratch, "bin"), { recursive: true });
    writeFileSync(join(scratch, "bin/npm"), `#!/bin/sh\necho "$@" >> '${calls}'\n${commands}\n`, { mode: 0o755 });
  };
  cpSync(join(import.meta.dirname, "../../scripts"), join(folder, "scripts"), { recursive: true });
  scriptNpm("");
  return {
    folder,
    write,
    scriptNpm,
    takeNpmCalls: () => {
      const lines = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
      rmSync(calls, { force: true });
      return lines;
    },
    runScript: (name, args = []) => {
      const path = [join(scratch, "bin"), "/usr/bin", "/bin"].join(delimiter);
      return run([join(folder, "scripts", name), ...args], folder, { PATH: path, NODE_ENV: "production" });
    },
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

function run(argv: string[], cwd: string, env: Record<string, string>): Promise<ScriptEnd> {
  const child = spawn(process.execPath, argv, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patient(50_000),
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, lines: output.stdout.trim().split("\n"), stderr: output.stderr }));
  });
}
