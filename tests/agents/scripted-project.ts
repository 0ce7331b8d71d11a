import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Turn } from "./model-dialect.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { endLivingIn, runRalph } from "./run-ralph.ts";
import { createScratch, type Scratch } from "./scratch.ts";

/** A scratch project and the scripted model that its agent asks. */
export type ScriptedProject = {
  scratch: Scratch;
  model: ModelServer;
  /** Kills what still lives in it, and removes it. */
  close: () => Promise<void>;
};

/** Opens one. The model reads the script when it is asked, so turns may be added meanwhile. */
export async function openScriptedProject(script: readonly Turn[]): Promise<ScriptedProject> {
  const scratch = createScratch({});
  const model = await startModelServer(script);
  const close = async (): Promise<void> => {
    endLivingIn(scratch);
    await model.close();
    scratch.remove();
  };
  return { scratch, model, close };
}

/** Installs a plugin as a person does. */
export async function installPlugin(scratch: Scratch, ...words: string[]): Promise<void> {
  const order = { scratch, words: ["plugin", "install", ...words], environment: {}, timeoutMs: installMsMax };
  const { exitCode, stderr } = await runRalph(order);
  if (exitCode !== 0) throw new Error(stderr);
}

/** It takes a second; a hundred times that was never seen. */
const installMsMax = 100_000;

/** Writes files of a project, by path. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
