import { isObject } from "../../text/is-object.ts";
import { readJestJson } from "./jest-json.ts";
import { readMochaJson } from "./mocha-json.ts";
import { readPlaywrightJson } from "./playwright-json.ts";
import { unreadable, type ReportContent } from "./test-case.ts";

/** Reads a JSON report of vitest, jest, mocha or playwright; which of them it is shows in its fields. */
export function readJson(text: string): ReportContent {
  const value = parse(text);
  if (!isObject(value)) return unreadable("is not JSON");
  if (Array.isArray(value["testResults"])) return readJestJson(value, value["testResults"]);
  if (isObject(value["stats"]) && Array.isArray(value["tests"])) return readMochaJson(value, value["tests"]);
  if (isObject(value["config"]) && Array.isArray(value["suites"])) return readPlaywrightJson(value, value["suites"]);
  return unreadable("has no tests of a runner that is known");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return null;
  }
}
