import { findPathFaults } from "./judge-path.ts";
import { marks } from "./facts/marks.ts";
import { resolvePath } from "./facts/call-context.ts";
import type { Call } from "./facts/rule.ts";
import { report, type Scope } from "./facts/scope.ts";

/**
 * Judges a program given on the command line in another language. It is not parsed: the calls by which such programs
 * start shells, remove folders or open connections are found, and their literal arguments judged. Everything else is a
 * warning, except for code of a known kind: a line-by-line edit, a file that was just written.
 */
export function judgeCode(call: Call, code: string, isKnownKind = false): void {
  const { scope } = call;
  const words = [call.name, ...call.words];
  if (code.includes(marks.download)) {
    report(scope, { category: 4, tier: "block", reason: "runs what was just downloaded" }, words);
  }
  for (const text of shellTextsIn(code.slice(0, codeCharsMax), call.name)) scope.walk.runText(text, scope, "");
  for (const { category, pattern, also, reason } of dangers) {
    if (pattern.test(code) && also.test(code)) report(scope, { category, tier: "block", reason }, words);
  }
  judgeLiterals(scope, code);
  if (isKnownKind) return;
  report(scope, { category: 12, tier: "warn", reason: `${call.name} runs code the guard does not understand` }, words);
}

function shellTextsIn(code: string, name: string): string[] {
  const called = [...code.matchAll(shellCall)].map((match) => match[2] ?? "");
  const listed = [...code.matchAll(wordList)].map((match) =>
    literalsIn(`${match[1] ?? ""} ${match[2] ?? ""}`)
      .map(quote)
      .join(" "),
  );
  const executed = [...code.matchAll(executedLiteral)].map(
    (match) => match[2] ?? match[3] ?? match[4] ?? match[5] ?? "",
  );
  const ticked = /^(?:ruby|perl|php|julia)$/.test(name)
    ? [...code.matchAll(/`([^`]*)`/g)].map((match) => match[1] ?? "")
    : [];
  const removed = [...code.matchAll(removal)].map((match) => `rm -rf ${quote(match[2] ?? "")}`);
  const homes =
    /(?:rmtree|rmSync|rm_rf|rmdir|remove_dir|remove_entry|RemoveAll|removeSync|remove_tree|rimraf|unlink)\W+(?:[\w.]{1,30}\W{1,9}){0,3}(?:expanduser|Path\.home|homedir|Dir\.home|HOME\b)/.test(
      code,
    )
      ? ["rm -rf ~"]
      : [];
  const emptied = /\b(?:remove|unlink|unlinkSync|rmdir|rmSync|delete)\s*\(/.test(code)
    ? [...code.matchAll(enumeration)].map((match) => `rm -rf ${quote(match[2] ?? "")}/*`)
    : [];
  return [...emptied, ...called, ...listed, ...executed, ...ticked, ...removed, ...homes].map((text) =>
    text.replaceAll(/\\(["'\\])/g, "$1"),
  );
}

/** Literal paths in the code: treated as read, and as written when the code writes at all. */
function judgeLiterals(scope: Scope, code: string): void {
  const { place, findings } = scope.walk;
  const isWriting = /write|unlink|remove|append|rename|\bopen\([^)]*,\s*["'][wax]|copy|chmod|symlink/i.test(code);
  for (const literal of literalsIn(code).slice(0, literalsMax)) {
    if (!/^(?:~|\/|\.{0,2}\/|\.\w)/.test(literal) || literal.length > 1024) continue;
    const isBelowHome = /HOME|homedir|expanduser|Path\.home|Dir\.home/.test(code) && /^\/?\.\w/.test(literal);
    const spelled = isBelowHome ? `${place.home}/${literal}` : literal;
    const path = resolvePath(spelled.replace(/^~(?=\/|$)/, place.home), scope.cwd);
    findings.push(...findPathFaults(path, "read", place));
    if (isWriting) findings.push(...findPathFaults(path, "write", place).filter((finding) => finding.category !== 1));
  }
}

function literalsIn(code: string): string[] {
  return [...code.matchAll(/(["'])((?:\\.|(?!\1)[^\\])*)\1/g)].map((match) => match[2] ?? "");
}

function quote(text: string): string {
  if (/^~(?:\/|$)/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const shellCall =
  /\b(?:system|popen|execute|exec|execSync|execFile|execFileSync|spawn|spawnSync|run|call|check_output|check_call|Popen|getoutput|shell_exec|passthru|proc_open|qx)\s*[({ ]\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
/** What code that also removes files goes through. */
const enumeration =
  /\b(?:listdir|walk|scandir|glob|rglob|readdirSync|Path|children)\s*\(\s*(["'])((?:\\.|(?!\1)[^\\])*)\1/g;
/** `"x".execute()`, `%x(x)`, `do shell script "x"`, `Sys.command "x"`, `exec x` of Tcl. */
const executedLiteral =
  /(["'])((?:\\.|(?!\1)[^\\])*)\1\s*\.execute\(|(?:%x|qx)[({[]([^)}\]]*)[)}\]]|(?:do shell script|Sys\.command|os:cmd\()\s*"([^"]*)"|^\s*exec\s+(\w[^\n"']*)$/gm;
const wordList =
  /(?:cmd|run|call|check_output|check_call|Popen|spawn|spawnSync|execFile|execFileSync|execvp?|system)\s*\(\s*(["'][^"']*["']\s*,\s*)?\[([^\]]*)\]/g;
const removal =
  /\b(?:rmtree|rmSync|rmdirSync|removeSync|rm_rf|rm_r|remove_dir|remove_entry|remove_entry_secure|RemoveAll|remove_dir_all|deleteRecursively|rimraf|rimrafSync|promises\.rm|remove_tree|rmdir|unlink|removeSync|glob)\s*[( ]\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** Two expressions that must both occur; a single one across the code would be too slow on a hostile text. */
const dangers = [
  {
    category: 5,
    pattern: /socket|fsockopen/i,
    also: /dup2|\/bin\/(?:ba)?sh|spawn|subprocess|exec/i,
    reason: "ties a shell to a connection",
  },
  {
    category: 3,
    pattern: /fork\s{0,9}(?:\(\))?\s{0,9}while|while\W{0,9}(?:1|true|True)?\W{0,9}(?:os\.)?fork/,
    also: /fork/,
    reason: "starts itself again and again",
  },
  {
    category: 6,
    pattern:
      /print\w{0,9}\(?\s{0,9}(?:dict\()?os\.environ\s{0,9}\)|os\.environ\.(?:items|values)\(|console\.\w{1,9}\(\s{0,9}process\.env\s{0,9}\)|(?:stringify|entries|values|inspect)\(\s{0,9}process\.env\s{0,9}[,)]|^\s{0,9}process\.env\s{0,9};?\s{0,9}$|p(?:uts)? ENV\b|keys %ENV|each %ENV|values %ENV/,
    also: /env/i,
    reason: "prints the environment with its secrets",
  },
  {
    category: 14,
    pattern: /\bkill\b/i,
    also: /ppid/i,
    reason: "ends the agent or ralph itself",
  },
  {
    category: 6,
    pattern: /print|console|puts|echo|write\b|^process\.env/i,
    also: /(?:process\.env\.|(?:getenv|environ(?:\.get)?|ENV|env)\W{1,3})\w{0,40}(?:TOKEN|SECRET|PASSWORD|API_?KEY|ACCESS_KEY|PRIVATE_KEY)|print[^;\n]{0,20}[%$]_?ENV\b|print_r\(\s{0,9}getenv\(\s{0,9}\)/,
    reason: "prints secrets of the environment",
  },
  {
    category: 4,
    pattern: /urlopen|requests\.(?:post|put)|fetch\(|https?\.request|axios|Net::HTTP|file_get_contents\(\W{0,2}https?:/,
    also: /["'](?:[^"']{0,99}\/)?(?:\.env|id_rsa|id_ed25519|credentials|\.npmrc|\.netrc)["']|(?:stringify|dict)\((?:process\.env|os\.environ)\)/,
    reason: "sends secrets to another machine",
  },
  {
    category: 3,
    pattern: /\*\s{0,9}10\s{0,9}\*\*\s{0,9}(?:1[0-9]|[2-9]\d)|\*\s{0,9}1e1[0-9]|repeat\(\s{0,9}1e(?:9|1\d)/,
    also: /./,
    reason: "takes all the memory there is",
  },
  {
    category: 12,
    pattern: /\b(?:exec|eval|Function)\s{0,9}\(/,
    also: /b64decode|fromhex|atob\(|fromCharCode|["']base64["']|unhexlify|zlib|marshal|\bpack\(/,
    reason: "runs code that was encoded",
  },
  {
    category: 4,
    pattern: /\b(?:exec|eval)\s{0,9}\(/,
    also: /urlopen|requests\.get|fetch\(|http\.get/,
    reason: "runs code from the network",
  },
] as const;

/** Code on a command line is short; the rest is not searched for calls. */
const codeCharsMax = 65_536;
const literalsMax = 200;
