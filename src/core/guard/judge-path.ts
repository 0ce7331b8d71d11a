import { isAllowedByRule } from "./facts/allow-list.ts";
import { judgementOf, type Finding, type Judgement } from "./facts/judgement.ts";
import { hasPattern, mayBe, withoutUnknown } from "./facts/marks.ts";
import { isSystemPath, isWithin, resolvePath, type CallContext } from "./facts/call-context.ts";
import { protectedExamples, protectedPaths, secretExamples, secretPaths, type PathRule } from "./protected-paths.ts";

/** What a tool does with a file. */
export type Access = "read" | "write";

/** Judges a file tool. The caller resolves links in the path first, because core cannot read the disk. */
export function judgePath(path: string, access: Access, place: CallContext): Judgement {
  const findings = findPathFaults(resolvePath(expandHome(path, place), place.cwd), access, place);
  return judgementOf(findings.filter((finding) => !isAllowedByRule(finding, place.allow)));
}

/** Some tools read `~` and `$HOME` as a shell does. */
export function expandHome(path: string, place: CallContext): string {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => place.home);
}

/** Findings about reading or writing an absolute path; it may contain marks of a shell word. */
export function findPathFaults(path: string, access: Access, place: CallContext): Finding[] {
  const candidates = hasPattern(path) ? [path, ...examplesOf(path, access, place)] : [path];
  const known = candidates.map((candidate) => withoutUnknown(candidate));
  return known.flatMap((candidate) =>
    access === "read" ? readFaults(candidate, place) : writeFaults(candidate, place),
  );
}

function examplesOf(pattern: string, access: Access, place: CallContext): string[] {
  return (access === "read" ? secretExamples : protectedExamples)
    .map((path) => path.replace(/^~/, place.home).replace(/^\.(?=\/)/, place.workTree))
    .filter((path) => mayBe(pattern, path));
}

function readFaults(path: string, place: CallContext): Finding[] {
  return findingsOf(secretPaths, path, { place, verb: "read" }).slice(0, 1);
}

function writeFaults(path: string, place: CallContext): Finding[] {
  if (isWithin(path, place.store) || isBelowCase(path, place.store)) {
    return [
      {
        category: 18,
        tier: "block",
        reason: `may not write ${path}: it is ralph's store`,
        subject: [path],
        path,
        isFinal: true,
      },
    ];
  }
  const found = findingsOf(protectedPaths, path, { place, verb: "write" });
  if (found.length > 0) return found;
  if (/^\/dev(?:\/|$)/.test(path)) return deviceFaults(path);
  if (/^\/(?:proc|sys)(?:\/|$)/.test(path)) {
    return [
      { category: 14, tier: "block", reason: `may not write ${path}: it is the kernel's`, subject: [path], path },
    ];
  }
  if (isSystemPath(path) && !isOwnOrHome(path, place)) {
    return [
      { category: 1, tier: "block", reason: `may not write ${path}: it is part of the system`, subject: [path], path },
    ];
  }
  return [];
}

function deviceFaults(path: string): Finding[] {
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) {
    return [{ category: 5, tier: "block", reason: `${path} opens a connection`, subject: [path], path }];
  }
  if (/^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/\d+|zero|full|shm\/.+|pts\/\d+)$/.test(path)) return [];
  return [{ category: 2, tier: "block", reason: `may not write the device ${path}`, subject: [path], path }];
}

function isOwnOrHome(path: string, place: CallContext): boolean {
  const folders = [place.home, place.workTree, place.tempFolder, "/tmp", "/var/tmp", "/var/folders"];
  return folders.some((folder) => isWithin(path, folder));
}

function isBelowCase(path: string, folder: string): boolean {
  return isWithin(path.toLowerCase(), folder.toLowerCase());
}

function findingsOf(
  rules: readonly PathRule[],
  path: string,
  { place, verb }: { place: CallContext; verb: string },
): Finding[] {
  const lower = path.toLowerCase();
  const home = place.home.toLowerCase();
  const fromHome = isWithin(lower, home) ? lower.slice(home.length + 1) : null;
  return rules
    .filter((rule) => {
      const subject = rule.from === "home" ? fromHome : lower;
      return subject !== null && rule.path.test(subject) && rule.except?.test(subject) !== true;
    })
    .map(({ category, tier, reason, isFinal }) => ({
      category,
      tier,
      reason: `may not ${verb} ${path}: it ${reason}`,
      subject: [path],
      path,
      ...(isFinal === true ? { isFinal } : {}),
    }));
}
