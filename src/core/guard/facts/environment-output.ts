import { flagValues, hasFlag, type Call } from "./rule.ts";

/** Whether a call prints all variables with their values. */
export function printsEnvironment(call: Call): boolean {
  if (call.name === "set") return call.args.length === 0;
  if (call.name === "printenv") return call.operands.length === 0;
  if (/^(?:export|declare|typeset|readonly)$/.test(call.name))
    return call.operands.length === 0 && !call.flags.some((flag) => /[fF]/.test(flag));
  if (call.name !== "env") return false;
  return (
    call.operands.every((word) => word.includes("=")) && !call.flags.some((flag) => /^--(?:help|version)$/.test(flag))
  );
}

/** Whether a program shows only names, numbers or chosen variables of the environment that it reads: no secrets. */
export function showsNoSecrets(call: Call): boolean {
  if (call.name === "wc") return true;
  if (/^(?:[ef]?grep|rg)$/.test(call.name)) return isChoosing(call);
  if (call.name === "cut") return flagValues(call, "-f").join() === "1" && flagValues(call, "-d").join() === "=";
  if (call.name === "sed") return call.operands.length === 1 && /^s(.)=\.\*\$?\1\1g?$/.test(call.operands[0] ?? "");
  return (
    /^[gmn]?awk$/.test(call.name) &&
    flagValues(call, "-F").join() === "=" &&
    call.operands.every((program) => /^\{\s*print \$1;?\s*\}$|^=$/.test(program))
  );
}

/** A search that names what it wants, and does not want secrets. */
function isChoosing(call: Call): boolean {
  if (hasFlag(call, "-c", "--count", "-q", "--quiet", "--silent")) return true;
  if (hasFlag(call, "-v", "--invert-match", "-A", "-B", "-C", "-f", "--file")) return false;
  const named = flagValues(call, "-e", "--regexp");
  const patterns = named.length > 0 ? named : call.operands.slice(0, 1);
  return patterns.length > 0 && patterns.every((pattern) => /\w\w/.test(pattern) && !findsSecrets(pattern));
}

function findsSecrets(pattern: string): boolean {
  const source = pattern.slice(0, patternCharsMax);
  // Repetitions of groups could be slow on purpose.
  if (/\)[*+{]/.test(source)) return true;
  try {
    const expression = new RegExp(source.replaceAll(String.raw`\|`, "|"), "i");
    return secrets.some((line) => expression.test(line));
  } catch {
    return true;
  }
}

const patternCharsMax = 100;
/** Lines of an environment that nobody should see. */
const secrets = [
  "GITHUB_TOKEN=x",
  "AWS_SECRET_ACCESS_KEY=x",
  "OPENAI_API_KEY=x",
  "ANTHROPIC_API_KEY=x",
  "DATABASE_PASSWORD=x",
  "SSH_PRIVATE_KEY=x",
  "CLIENT_SECRET=x",
  "CREDENTIALS=x",
];
