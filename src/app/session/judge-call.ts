import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { allowListPath, type AllowRule, readAllowList } from "../../core/guard/facts/allow-list.ts";
import { accessesOf, judgeToolCall } from "../../core/guard/judge-tool-call.ts";
import { expandHome } from "../../core/guard/judge-path.ts";
import type { Judgement } from "../../core/guard/facts/judgement.ts";
import { isHookCall } from "../../core/guard/rules/own-commands.ts";
import type { CallContext } from "../../core/guard/facts/call-context.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { readTextFile } from "../../shell/lib/read-text-file.ts";
import type { HookTools } from "./event/hook-tools.ts";
import type { HostEvent } from "./event/host-event.ts";

type Call = Pick<HostEvent, "cwd" | "projectDir"> & { tool: NonNullable<HostEvent["tool"]> };

/** Judges a call by what it says and, for files, by where its paths really lead. The worst judgement counts. */
export function judgeCall(call: Call, tools: HookTools): Judgement {
  const all = judgementsOf(call, tools);
  const allowed: Judgement = { decision: "allow", category: null, reason: "", findings: [] };
  return all.find(({ decision }) => decision === "block") ?? all.find(({ decision }) => decision === "warn") ?? allowed;
}

/** Whether a call would start a hook of ralph. */
export function callsHook(call: Call, tools: HookTools): boolean {
  return judgementsOf(call, tools).some(isHookCall);
}

function judgementsOf(call: Call, tools: HookTools): Judgement[] {
  const { name, input } = call.tool;
  const place = placeOf(call, tools);
  const led = accessesOf(name, input).map(({ path, access }) =>
    judgeToolCall({ tool: access, input: { path: followLinks(expandHome(path, place), place.cwd) }, place }),
  );
  return [judgeToolCall({ tool: name, input, place }), ...led];
}

function placeOf({ cwd, projectDir }: Call, tools: HookTools): CallContext {
  const workTree = followLinks(projectDir, "/");
  return {
    workTree,
    home: followLinks(homedir(), "/"),
    tempFolder: followLinks(tools.tempFolder, "/"),
    cwd: followLinks(cwd, workTree),
    store: followLinks(tools.stateFolder, "/"),
    allow: allowRules(projectDir, tools),
    readScript,
  };
}

/** What cannot be read as text is a program; the guard judges no programs. */
function readScript(path: string): string | null {
  try {
    return readTextFile(path, { bytesMax: scriptBytesMax, links: "follow" });
  } catch {
    return null;
  }
}

/** As long as the longest command line that the guard judges. */
const scriptBytesMax = 128 * 1024;

/** Where a path leads when every link in it is followed; what does not exist yet stays as it is below what does. */
function followLinks(path: string, cwd: string): string {
  const whole = isAbsolute(path) ? resolve(path) : resolve(cwd, path);
  try {
    return realpathSync(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(followLinks(parent, "/"), basename(whole));
  }
}

/** A list of exceptions is short. */
const allowBytesMax = 1024 * 1024;

function allowRules(projectDir: string, { log }: HookTools): readonly AllowRule[] {
  const text = allowText(projectDir, log);
  if (text === null) return [];
  const { rules, problems } = readAllowList(text);
  for (const problem of problems) log({ level: "warning", text: `[guard] ${problem}`, fields: { projectDir } });
  return rules;
}

/** Null: there is no list, or one that cannot be read and therefore allows nothing. */
function allowText(projectDir: string, log: HookTools["log"]): string | null {
  try {
    return readTextFile(join(projectDir, allowListPath), { bytesMax: allowBytesMax, links: "follow" });
  } catch (error) {
    const text = `[guard] ${thrownText(error)}`;
    log({ level: "warning", text, fields: { projectDir } });
    return null;
  }
}
