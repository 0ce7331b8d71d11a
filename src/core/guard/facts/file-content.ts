import type { Finding } from "./judgement.ts";

/** Findings about a text that is written to an absolute path: settings of package managers that run or fetch something else. */
export function findContentFaults(path: string, text: string): Finding[] {
  if (!packageSettings.test(path) || !(plainHttp.test(text) || otherShell.test(text))) return [];
  return [{ category: 9, tier: "block", reason: "takes packages from elsewhere", subject: [path], path }];
}

const packageSettings = /\/(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|\.pypirc)$/;
/** A blank line is no part of the match: on many of them the search would take long. A patch has a `+` before the line. */
const otherShell = /^\+?[ \t]*(?:script-shell|shell|node-options|git|yarnPath|prefix)[ \t]*[=:]/im;
const plainHttp = /(?:registry|index-url|RegistryServer)\W+"?http:\/\/(?!localhost|127\.)/i;
