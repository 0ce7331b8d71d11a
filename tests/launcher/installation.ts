import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patient } from "../patience.ts";

/** How a launcher ended, and everything it and its program printed. */
export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string };

/** A launcher at work. */
export type Launcher = {
  ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** Rejects when the launcher ends without having printed `text`. */
  waitForOutput(text: string): Promise<void>;
};

/** The launcher in a folder of its own, with whatever program, hook and pinned Node a test gives it. */
export type Installation = {
  folder: string;
  /** The build writes a hash of the code into its first line. */
  writeProgram(code: string, hash?: string): void;
  writeHook(code: string): void;
  pinNode(): void;
  /** Makes it a checkout: only that has scripts to build with. */
  makeCheckout(): void;
  start(node: string, args: string[], env?: Record<string, string>): Launcher;
  run(node: string, args: string[], env?: Record<string, string>): Promise<Ended>;
  /** Ends what is still running. */
  remove(): Promise<void>;
};

/** Creates an installation with nothing but the launcher, version 7.8.9. */
export function createInstallation(): Installation {
  const folder = mkdtempSync(join(tmpdir(), "ralph-launcher-"));
  cpSync(join(import.meta.dirname, "../../bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "type": "module", "version": "7.8.9" }`);
  mkdirSync(join(folder, "dist/cli"), { recursive: true });
  const launchers: Launcher[] = [];
  const start = (node: string, args: string[], env: Record<string, string> = {}): Launcher => {
    const launcher = startLauncher([node, join(folder, "bin/ralph.js"), ...args], folder, env);
    launchers.push(launcher);
    return launcher;
  };
  return {
    folder,
    writeProgram: (code, hash = createHash("sha256").update(code).digest("hex").slice(0, 32)) =>
      writeFileSync(join(folder, "dist/cli/main.cjs"), `//${hash}\n${code}`),
    writeHook: (code) => writeFileSync(join(folder, "dist/hook.cjs"), code),
    pinNode: () => {
      mkdirSync(join(folder, "node_modules/node/bin"), { recursive: true });
      symlinkSync(process.execPath, join(folder, "node_modules/node/bin/node"));
    },
    makeCheckout: () => {
      mkdirSync(join(folder, "scripts"));
      writeFileSync(join(folder, "scripts/setup.js"), "");
    },
    start,
    run: (node, args, env) => start(node, args, env).ended,
    remove: async () => {
      for (const launcher of launchers) launcher.kill("SIGTERM");
      await Promise.all(launchers.map((launcher) => launcher.ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startLauncher(argv: string[], cwd: string, env: Record<string, string>): Launcher {
  const [node = "", ...args] = argv;
  const child = spawn(node, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: patient(40_000) });
  const output = { stdout: "", stderr: "" };
  const seen: (() => void)[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString();
    for (const look of seen) look();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  return {
    ended,
    kill: (signal) => child.kill(signal),
    waitForOutput: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (output.stdout.includes(text)) resolve();
        };
        seen.push(look);
        look();
        ended.then(() => reject(new Error(`ended without printing ${text}: ${output.stderr}`)), reject);
      }),
  };
}
