import { RalphError } from "../../core/ralph-error.ts";
import { withIgnoreLines } from "../../core/settings/ignore-lines.ts";
import { settingsJsonSchema } from "../../core/settings/setting-schema.ts";
import { renewOwnIgnoreFile } from "../lib/keep-out-of-git.ts";
import type { Disk } from "../ports.ts";

/** For editors; it lies beside the settings and goes with them into every clone. */
const schemaName = "settings.schema.json";

/** Writes the settings of a project atomically, the schema they name, and what keeps run files out of git. */
export async function writeSettings(disk: Disk, projectDir: string, settings: Record<string, unknown>): Promise<void> {
  await naming(".ralph/settings.json", (path) =>
    disk.writeAtomic(`${projectDir}/${path}`, asFile({ $schema: `./${schemaName}`, ...settings })),
  );
  await naming(`.ralph/${schemaName}`, (path) =>
    disk.writeAtomic(`${projectDir}/${path}`, asFile(settingsJsonSchema())),
  );
  await naming(".ralph/.gitignore", () => renewOwnIgnoreFile(disk, projectDir));
  await naming(".gitignore", async (path) => {
    const ignored = withIgnoreLines((await disk.readText(`${projectDir}/${path}`)) ?? "");
    if (ignored !== null) await disk.writeAtomic(`${projectDir}/${path}`, ignored);
  });
}

async function naming(path: string, write: (path: string) => Promise<void>): Promise<void> {
  await write(path).catch((cause: unknown) => {
    const isOurs = cause instanceof RalphError;
    const reason = isOurs ? cause.message : `${String(cause)}.`;
    throw new RalphError("settings", `${path} could not be written: ${reason}`, isOurs ? cause.hint : null, cause);
  });
}

function asFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
