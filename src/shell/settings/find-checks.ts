import { proposeChecks, type TelltaleFiles, telltaleFiles } from "../../core/settings/propose-checks.ts";
import type { Disk } from "../ports.ts";

/** The checks a project has, read from the files of its root. One that cannot be read tells nothing. */
export async function findChecks(disk: Pick<Disk, "readText">, projectDir: string): Promise<string[]> {
  const read = await Promise.all(
    telltaleFiles.map(async (name) => [name, await disk.readText(`${projectDir}/${name}`).catch(() => null)] as const),
  );
  const files: TelltaleFiles = Object.fromEntries(read.filter(([, text]) => text !== null));
  return proposeChecks(files);
}
