import { agentPrograms } from "./agent-programs.ts";
import { hasFlag, type Call } from "./rule.ts";

/** Whether a pattern of pkill or pgrep means services, the harness, everything, or another user. */
export function isForeignKill(call: Call): boolean {
  if (call.name === "killall5") return true;
  if (hasFlag(call, "-u", "-U", "--euid", "--uid", "--user")) return true;
  if (call.args.some((word, at) => word === "-P" && /^[01]$/.test(call.args[at + 1] ?? ""))) return true;
  return call.operands.some(
    (name) => services.test(name) || /^[.^$*]*$/.test(name) || name.length === 1 || isHarness(name),
  );
}

/** Whether a pattern finds a program of the harness, as grep and pgrep would. */
export function isHarness(pattern: string): boolean {
  const source = pattern.slice(0, patternCharsMax);
  if (/ralph/i.test(source.replaceAll(/[[\]\\^$]/g, ""))) return true;
  // Repetitions of groups could be slow on purpose.
  if (/[)\]][*+{]|\*\+/.test(source)) return false;
  try {
    const expression = new RegExp(source.replaceAll(String.raw`\|`, "|"), "i");
    return harness.some((line) => expression.test(line)) && !expression.test("npm run dev");
  } catch {
    return false;
  }
}

/** Whether a file is a program of the harness: whoever has it open is the harness. */
export function isHarnessProgram(path: string): boolean {
  const name = (path.split("/").at(-1) ?? "").replace(/\.[cm]?js$/, "");
  return name === "ralph" || name === "node" || agentPrograms.includes(name);
}

/** Programs that may drive this run, as `ps` shows them: ralph and most agents are node. */
const harness = [
  "ralph",
  "ralph run",
  "ralph work",
  "ralph/bin/ralph.js",
  "node",
  "/usr/local/bin/node",
  ...agentPrograms,
];
const patternCharsMax = 100;
const services =
  /^(?:systemd\S*|init|launchd|sshd?|dockerd?|containerd|postgres\S*|mysqld?|mariadbd?|redis-server|mongod|nginx|apache2?|httpd|cron|crond|dbus\S*|networkmanager|windowserver|loginwindow|finder|dock|xorg|gdm\S*|bash|zsh|sh|login|tmux|screen|kubelet|cupsd|rsyslogd)$/i;
