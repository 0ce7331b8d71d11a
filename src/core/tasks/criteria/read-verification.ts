import { isObject } from "../../text/is-object.ts";
import { closest } from "../../text/closest.ts";
import { parseDuration } from "../../text/duration.ts";
import {
  acceptancePlaceholder,
  type Stage,
  type Verification,
  type VerificationMethod,
  verificationMethods,
} from "./completion-spec.ts";
import { type Fields, nameOf, openFields, type Problem } from "./document-fields.ts";
import { readNegativePattern } from "./negative-pattern.ts";

/** The keys of a method and its configuration: a criterion and a stage name them differently. */
export type VerificationKeys = {
  path: string;
  keys: { method: string; config: string };
  /** 1 for a criterion; one more for each multi_stage around it. */
  depth: number;
  problems: Problem[];
};

/** The deepest nesting of multi_stage (CW-2G). */
const depthMax = 3;
const stagesMax = 50;
const parallelDefault = 4;
const parallelLimit = 16;
const commandCharsMax = 20_000;
const listMax = 100;
const timeoutMsDefault = 300_000;
const timeoutMsMax = 24 * 3_600_000;
/** A custom check gets its configuration as JSON. */
const configCharsMax = 20_000;

/** Reads how a claim is verified; null with at least one problem when it is invalid (S2-01, S2-50). */
export function readVerification(
  given: { method: unknown; config: unknown },
  keys: VerificationKeys,
): Verification | null {
  const method = readMethod(given.method, keys);
  if (method === null) return null;
  const fields = openFields(given.config ?? {}, {
    path: join(keys.path, keys.keys.config),
    known: configKeys[method],
    problems: keys.problems,
  });
  if (fields === null) return null;
  switch (method) {
    case "string_match":
      return { method, promise: fields.text("promise"), isLoose: fields.flag("loose", false) };
    case "semantic":
      return readSemantic(fields);
    case "external":
      return readExternal(fields);
    case "multi_stage":
      return readMultiStage(fields, keys);
    case "custom":
      return readCustom(fields);
  }
}

const configKeys: Record<VerificationMethod, readonly string[]> = {
  string_match: ["promise", "loose"],
  semantic: ["check_for", "negative_patterns", "model"],
  external: ["command", "success_exit_code", "output_contains", "output_not_contains", "timeout", "working_dir"],
  multi_stage: ["stages", "require_all", "parallel", "max_parallel"],
  custom: ["module", "command", "config", "timeout"],
};

function readMethod(value: unknown, { path, keys, problems }: VerificationKeys): VerificationMethod | null {
  if (value === undefined || value === null) return "string_match";
  const method = verificationMethods.find((known) => known === value);
  if (method !== undefined) return method;
  const near = typeof value === "string" ? closest(value, verificationMethods) : null;
  const hint = near === null ? `known are ${verificationMethods.join(", ")}` : `did you mean "${near}"?`;
  problems.push({ path: join(path, keys.method), message: `unknown verification method ${nameOf(value)}; ${hint}` });
  return null;
}

function readSemantic(fields: Fields): Verification {
  const given = fields.value("check_for");
  const items = typeof given === "string" ? [given] : fields.list("check_for", listMax);
  const checkFor = items.flatMap((item, index) => {
    if (typeof item === "string" && item.trim() !== "")
      return [item.trim() === acceptancePlaceholder ? item.trim() : item];
    fields.problem(`check_for[${index}]`, `must be a text that says something, not ${nameOf(item)}`);
    return [];
  });
  const negativePatterns = fields.list("negative_patterns", listMax).flatMap((item, index) => {
    const read = readNegativePattern(item);
    if ("pattern" in read) return [read];
    fields.problem(`negative_patterns[${index}]`, read.problem);
    return [];
  });
  return {
    method: "semantic",
    checkFor: checkFor.length === 0 ? [acceptancePlaceholder] : checkFor,
    negativePatterns,
    model: fields.text("model", 200),
  };
}

function readExternal(fields: Fields): Verification | null {
  const command = fields.needText("command", commandCharsMax);
  const timeoutMs = readTimeout(fields);
  const workingDir = fields.text("working_dir") ?? ".";
  if (leavesTree(workingDir))
    fields.problem("working_dir", `"${workingDir}" leaves the work tree; name a folder inside it`);
  const successExitCode = fields.integer("success_exit_code", { min: 0, max: 255 }) ?? 0;
  const outputContains = fields.text("output_contains");
  const outputNotContains = fields.text("output_not_contains");
  if (command === null) return null;
  return { method: "external", command, successExitCode, outputContains, outputNotContains, timeoutMs, workingDir };
}

/** Seconds, or a duration with its unit. */
function readTimeout(fields: Fields): number {
  const value = fields.value("timeout");
  if (value === undefined || value === null) return timeoutMsDefault;
  const timeoutMs = typeof value === "number" ? value * 1000 : unitDuration(value);
  if (timeoutMs !== null && timeoutMs > 0 && timeoutMs <= timeoutMsMax) return timeoutMs;
  fields.problem("timeout", `must be seconds or a duration such as "90s", at most 24h, not ${nameOf(value)}`);
  return timeoutMsDefault;
}

function unitDuration(value: unknown): number | null {
  return typeof value === "string" && /[a-z]$/.test(value.trim()) ? parseDuration(value) : null;
}

/** Whether a path, taken literally, leads out of its folder. Links are checked when it is used. */
function leavesTree(path: string): boolean {
  if (/^([/\\~]|[a-z]:)/i.test(path)) return true;
  let depth = 0;
  for (const part of path.split(/[/\\]/)) {
    if (part === "..") depth -= 1;
    else if (part !== "" && part !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

function readMultiStage(fields: Fields, keys: VerificationKeys): Verification | null {
  if (keys.depth > depthMax) {
    keys.problems.push({ path: fields.at("stages"), message: `multi_stage may be nested ${depthMax} deep at most` });
    return null;
  }
  const given = fields.value("stages");
  const items = fields.list("stages", stagesMax);
  if (given === undefined || given === null || (Array.isArray(given) && given.length === 0))
    fields.problem("stages", "multi_stage needs at least one stage");
  const stages = items.flatMap((item, index) => {
    const stage = readStage(item, { ...keys, path: fields.at(`stages[${index}]`) });
    return stage === null ? [] : [stage];
  });
  if (items.length > 0 && stages.length === items.length && stages.every((stage) => !stage.isRequired))
    fields.problem("stages", "needs at least one required stage: optional ones alone verify nothing");
  const max = fields.integer("max_parallel", { min: 1, max: parallelLimit });
  const isParallel = fields.flag("parallel", max !== null);
  return {
    method: "multi_stage",
    stages,
    requireAll: fields.flag("require_all", true),
    parallelMax: isParallel ? (max ?? parallelDefault) : 1,
  };
}

function readStage(value: unknown, keys: VerificationKeys): Stage | null {
  const known = ["name", "method", "config", "required", "always"];
  const fields = openFields(value, { path: keys.path, known, problems: keys.problems });
  if (fields === null) return null;
  const verification = readVerification(
    { method: fields.value("method"), config: fields.value("config") },
    { ...keys, keys: { method: "method", config: "config" }, depth: keys.depth + 1 },
  );
  const name = fields.text("name", 200) ?? "unnamed";
  const isRequired = fields.flag("required", true);
  const isAlways = fields.flag("always", false);
  return verification === null ? null : { name, isRequired, isAlways, verification };
}

function readCustom(fields: Fields): Verification {
  const module = fields.text("module");
  const given = fields.value("command");
  const items = typeof given === "string" ? [given] : fields.list("command", listMax);
  const argv = items.filter((item): item is string => typeof item === "string" && item !== "");
  if (argv.length < items.length) fields.problem("command", "must be a list of words: the program and its arguments");
  const command = argv.length === 0 ? null : argv;
  if ((module === null) === (command === null)) fields.problem("module", "custom needs either a module or a command");
  const config = fields.value("config") ?? {};
  if (!isObject(config)) fields.problem("config", `must be an object, not ${nameOf(config)}`);
  else if (JSON.stringify(config).length > configCharsMax)
    fields.problem("config", `is longer than ${configCharsMax} characters as JSON`);
  return { method: "custom", module, command, config: isObject(config) ? config : {}, timeoutMs: readTimeout(fields) };
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
