import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { canonicalJson } from "../../core/text/canonical-json.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import { sessionFileName } from "./session-file-name.ts";

/** What a session is held to, as it was when the session first met it; an edit meanwhile changes nothing. */
export type FrozenChecks = {
  /** The criteria file; null when the project has none. */
  text: string | null;
  /** The project's settings files, by path: guardrails and judge. Null in files of an older version. */
  settings: SettingsTexts | null;
  /** The project it was frozen from; null in files of an older version. */
  projectDir: string | null;
  /** HEAD at that time, or null. */
  startCommit: string | null;
  /** How the tree stood when the loop began; null without a loop, and where nobody could tell. */
  loopMark: string | null;
  /** How the tree stood when the session began, or when its checks were green last; null when nobody knows. */
  verifiedState: string | null;
};

/** The text of each settings file of a project; null for one that is not there. */
export type SettingsTexts = Readonly<Record<string, string | null>>;

/** Criteria and settings are a page or two each. */
const bytesMax = 2 * 1024 * 1024;

/** Where it is kept, beside the state of the session's loop. */
export function frozenChecksPath(sessionsFolder: string, sessionId: string): string {
  return join(sessionsFolder, sessionFileName(sessionId).replace(/^session-/, "criteria-"));
}

/** Null when nothing was frozen. Throws when the file is damaged. */
export function readFrozenChecks(path: string): FrozenChecks | null {
  const kept = readTextFile(path, { bytesMax, links: "refuse" });
  if (kept === null) return null;
  const value: unknown = JSON.parse(kept);
  const fields = new Map<string, unknown>(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const text = fields.get("text");
  if (typeof text !== "string" && text !== null) throw new Error(`${path} is damaged`);
  const textOrNull = (name: string): string | null => {
    const found = fields.get(name);
    return typeof found === "string" ? found : null;
  };
  return {
    text,
    settings: textsOf(fields.get("settings"), path),
    projectDir: textOrNull("projectDir"),
    startCommit: textOrNull("startCommit"),
    loopMark: textOrNull("loopMark"),
    verifiedState: textOrNull("verifiedState"),
  };
}

/** Of all that decides what the checks ask; the same in every folder. */
export function frozenChecksHash({ text, settings, startCommit }: FrozenChecks, projectDir: string): string {
  const texts = Object.entries(settings ?? {}).map(([path, held]) => [relative(projectDir, path), held] as const);
  const held = canonicalJson({ text, settings: Object.fromEntries(texts), startCommit });
  return createHash("sha256").update(held).digest("hex");
}

function textsOf(value: unknown, path: string): SettingsTexts | null {
  if (value === undefined || value === null) return null;
  const entries: [string, unknown][] = typeof value === "object" ? Object.entries(value) : [["", value]];
  const texts = entries.flatMap(([key, text]) =>
    typeof text === "string" || text === null ? [[key, text] as const] : [],
  );
  if (texts.length !== entries.length) throw new Error(`${path} is damaged`);
  return Object.fromEntries(texts);
}
