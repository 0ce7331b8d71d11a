import { posix, win32 } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { scanJson } from "../../core/settings/scan-json.ts";
import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import type { Disk } from "../ports.ts";

/** Where settings are read from. */
export type SettingsContext = {
  disk: Pick<Disk, "readText">;
  projectDir: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Told the name of each layer that is there, before it is checked (S1-82). */
  onLayer?: (source: string) => void;
};

/** A settings file that is not JSON. */
export type UnreadableFile = { source: string; line: number; sentence: string };

/** The files of user and project, the later ones winning (S1-05, S1-07). A missing file gives no layer. */
export async function readSettingsFiles(context: SettingsContext): Promise<SettingsLayer[]> {
  const { layers, unreadable } = await readEverySettingsFile(context);
  const [bad] = unreadable;
  if (bad === undefined) return layers;
  throw new RalphError("settings", `${bad.source}:${bad.line}: ${bad.sentence}`, "Correct the file and run again.");
}

/** The same, with the files that are not JSON listed separately. */
export async function readEverySettingsFile(
  context: SettingsContext,
): Promise<{ layers: SettingsLayer[]; unreadable: UnreadableFile[] }> {
  const user = userSettingsPath(context.env, process.platform);
  const files = [
    ...(user === null ? [] : [{ source: user, path: user }]),
    ...projectSettingsFiles.map((name) => ({ source: name, path: `${context.projectDir}/${name}` })),
  ];
  const read = await Promise.all(files.map((file) => readFile(context.disk, file)));
  return {
    layers: read.flatMap((each) => (each !== null && "value" in each ? [each] : [])),
    unreadable: read.flatMap((each) => (each !== null && "sentence" in each ? [each] : [])),
  };
}

/** The settings of a project: shared by git, and one's own over them. */
export const projectSettingsFiles = [".ralph/settings.json", ".ralph/settings.local.json"] as const;

/** The settings of a user for all projects; null without a home folder. */
export function userSettingsPath(env: SettingsContext["env"], platform: NodeJS.Platform): string | null {
  const path = platform === "win32" ? win32 : posix;
  // The XDG base directory specification says that a relative path is to be ignored.
  const given = [env["XDG_CONFIG_HOME"], platform === "win32" ? env["APPDATA"] : undefined];
  const folder = given.find((each) => each !== undefined && path.isAbsolute(each));
  if (folder !== undefined) return path.join(folder, "ralph", "settings.json");
  const home = env["HOME"] ?? env["USERPROFILE"] ?? "";
  return path.isAbsolute(home) ? path.join(home, ".config", "ralph", "settings.json") : null;
}

/** Every setting with a page of text each stays far below it. */
const settingsBytesMax = 1024 * 1024;

async function readFile(
  disk: SettingsContext["disk"],
  { source, path }: { source: string; path: string },
): Promise<SettingsLayer | UnreadableFile | null> {
  const text = await disk.readText(path, settingsBytesMax).catch((cause: unknown) => {
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("settings", `${source} cannot be read: ${String(cause)}.`, null, cause);
  });
  if (text === null) return null;
  // Some editors begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, "");
  try {
    return { source, value: JSON.parse(json), text: json };
  } catch (error) {
    const { fault } = scanJson(json);
    const why = fault === null ? String(error) : `column ${fault.column}: ${fault.sentence}`;
    return { source, line: fault?.line ?? 1, sentence: `not valid JSON, ${why}.` };
  }
}
