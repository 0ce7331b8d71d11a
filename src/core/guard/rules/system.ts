import { isForeignKill, isHarness, isHarnessProgram } from "../facts/foreign-kill.ts";
import { isWithin } from "../facts/call-context.ts";
import { hasPattern, marks } from "../facts/marks.ts";
import { resolveIn } from "../facts/scope.ts";
import { flagValues, hasFlag, type Call, type Rule } from "../facts/rule.ts";

/** Categories 11, 14 and 15: the machine's configuration, its processes, and what outlives a run. */
export const systemRules: readonly Rule[] = [
  {
    category: 11,
    tier: "block",
    names: ["sysctl"],
    when: (call) => hasFlag(call, "-w", "-p", "--write", "--system") || call.args.some((word) => /\w=/.test(word)),
    reason: "changes the kernel's settings",
  },
  {
    category: 11,
    tier: "block",
    names: ["iptables", "ip6tables", "nft", "ufw", "firewall-cmd", "pfctl", "ebtables"],
    unless: /^(?:-L|-S|--list|status|list|--state|-s[ra]?|--help)$/,
    reason: "changes the firewall",
  },
  {
    category: 11,
    tier: "block",
    names: ["crontab"],
    without: ["-l", "--help"],
    reason: "changes what runs by the clock",
  },
  {
    category: 11,
    tier: "block",
    names: ["systemctl"],
    words: [
      "start|stop|restart|reload|enable|disable|mask|unmask|kill|edit|daemon-reload|set-property|isolate|link|revert",
    ],
    reason: "changes services",
  },
  {
    category: 11,
    tier: "block",
    names: ["service", "rc-service"],
    words: ["*", "start|stop|restart|reload|force-reload"],
    reason: "changes services",
  },
  {
    category: 11,
    tier: "block",
    names: ["launchctl"],
    words: ["load|unload|bootstrap|bootout|enable|disable|kickstart|start|stop|remove|submit|setenv"],
    reason: "changes services",
  },
  { category: 11, tier: "block", names: ["chkconfig", "update-rc.d", "systemd-run"], reason: "changes services" },
  {
    category: 11,
    tier: "block",
    names: [
      "useradd",
      "userdel",
      "usermod",
      "adduser",
      "deluser",
      "groupadd",
      "groupdel",
      "groupmod",
      "gpasswd",
      "passwd",
      "chpasswd",
      "chsh",
      "chfn",
      "vipw",
      "dscl",
      "sysadminctl",
      "pwpolicy",
    ],
    unless: /^--help$/,
    reason: "changes users or passwords",
  },
  {
    category: 11,
    tier: "block",
    names: ["hostnamectl", "timedatectl", "localectl"],
    words: ["set-hostname|hostname|set-time|set-timezone|set-ntp|set-locale"],
    reason: "changes the machine's settings",
  },
  {
    category: 11,
    tier: "block",
    names: ["defaults"],
    words: ["write|delete|import"],
    reason: "changes the machine's settings",
  },
  {
    category: 11,
    tier: "block",
    names: [
      "networksetup",
      "scutil",
      "csrutil",
      "spctl",
      "nvram",
      "systemsetup",
      "setenforce",
      "update-alternatives",
      "dpkg-reconfigure",
      "resolvconf",
    ],
    unless: /^(?:--help|status|--status|-get\w*|--get|-p|--display|--list)$/,
    reason: "changes the machine's settings",
  },
  {
    category: 11,
    tier: "block",
    names: ["ip", "nmcli", "wpa_cli"],
    words: ["*", "add|del|delete|flush|set|change|replace|mod|modify|up|down"],
    reason: "changes the network",
  },
  { category: 11, tier: "block", names: ["ifconfig"], words: ["*", "*"], reason: "changes the network" },
  { category: 11, tier: "block", names: ["date"], flags: ["-s", "--set"], reason: "changes the clock" },
  { category: 14, tier: "block", names: ["kill"], when: isBroadKill, reason: "ends processes that are not its own" },
  {
    category: 14,
    tier: "block",
    names: ["pkill", "killall", "killall5", "skill"],
    when: isForeignKill,
    reason: "ends services, everything, or another user's programs",
  },
  {
    category: 14,
    tier: "block",
    names: ["fuser"],
    flags: ["-k", "--kill"],
    when: (call) => hasFlag(call, "-m", "-M", "--mount") || call.operands.some((path) => isUsedByHarness(call, path)),
    reason: "ends processes that are not its own",
  },
  {
    category: 14,
    tier: "block",
    names: ["tmux", "screen", "zellij"],
    when: isEndingTerminals,
    reason: "ends terminals in which the harness may run",
  },
  {
    category: 14,
    tier: "warn",
    names: ["pkill", "killall"],
    when: (call) => call.operands.length > 0 && !isForeignKill(call),
    reason: "ends every program of that name",
  },
  {
    category: 14,
    tier: "block",
    names: ["shutdown", "reboot", "halt", "poweroff", "kexec"],
    unless: /^--(?:help|version)$/,
    reason: "stops the machine",
  },
  { category: 14, tier: "block", names: ["init", "telinit"], words: ["0|1|6|s|S"], reason: "stops the machine" },
  {
    category: 14,
    tier: "block",
    names: ["systemctl", "loginctl"],
    words: ["poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|terminate-user|kill-user|enable-linger"],
    reason: "stops the machine",
  },
  {
    category: 14,
    tier: "block",
    names: ["insmod", "modprobe", "rmmod", "depmod", "kextload", "kextunload", "kmutil", "dkms"],
    unless: /^--(?:help|version|show\S*)$/,
    reason: "changes the kernel",
  },
  {
    category: 14,
    tier: "block",
    names: ["swapoff", "swapon"],
    unless: /^(?:--show|-s|--help)$/,
    reason: "changes the kernel's memory",
  },
  {
    category: 14,
    tier: "block",
    names: ["gdb", "lldb", "strace", "ltrace", "dtrace", "bpftrace", "perf", "reptyr", "gcore"],
    flags: ["-p", "--pid", "--attach"],
    reason: "attaches to a running process",
  },
  {
    category: 14,
    tier: "block",
    names: ["gcore", "reptyr", "dtrace", "bpftrace"],
    unless: /^--(?:help|version)$/,
    reason: "attaches to a running process",
  },
  {
    category: 15,
    tier: "block",
    names: ["at", "batch"],
    without: ["-l", "-V"],
    reason: "runs something later, when nobody looks",
  },
  {
    category: 15,
    tier: "block",
    names: ["husky"],
    words: ["install|add|init|set"],
    reason: "runs with every git command",
  },
];

/** The programs of the harness, ralph's store, and the work tree in which the agent runs; `3000/tcp` is a port. */
function isUsedByHarness(call: Call, path: string): boolean {
  if (/^\d+\/(?:tcp|udp)$/.test(path)) return false;
  const { store, workTree } = call.scope.walk.place;
  const resolved = resolveIn(call.scope, path);
  return isHarnessProgram(path) || isWithin(store, resolved) || isWithin(workTree, resolved);
}

function isBroadKill(call: Call): boolean {
  const [first = "", ...rest] = call.args;
  const isSignal = /^-(?:\d+|[A-Z]+\d*|s|n)$/i.test(first);
  const targets = isSignal && rest.length > 0 ? rest : call.args;
  const isQuestion = /^-(?:0|l|L)$/.test(first);
  if (isQuestion) return false;
  // A pattern stands for files, and only those of /proc have the names of processes.
  if (call.words.some((word) => hasPattern(word))) return true;
  if (call.words.some((word) => word.includes(marks.harness) || word.includes(marks.processes))) return true;
  return targets.some((target) => /^(?:0*1|-0*1|0)$/.test(target));
}

/** A session by its name may be the agent's own; the current one, all of them, those of people and of the harness are not. */
function isEndingTerminals(call: Call): boolean {
  const [command = ""] = call.operands;
  if (call.operands.includes("kill-server") || /^(?:kill|delete)-all-sessions$/.test(command)) return true;
  const isScreen = call.name === "screen";
  if (isScreen && !(hasFlag(call, "-X") && /^(?:quit|kill)$/.test(call.args.at(-1) ?? ""))) return false;
  const isEnding =
    isScreen || call.args.some((word) => /^(?:kill|delete)-(?:session|window|pane)$|^killp$|^killw$/.test(word));
  if (!isEnding) return false;
  const names = call.name === "zellij" ? call.operands.slice(1) : flagValues(call, isScreen ? "-S" : "-t");
  return names.length === 0 || hasFlag(call, "-a") || names.some(isOfPeople);
}

/** tmux numbers the sessions that a person opens; a name that a pattern of the harness finds is the harness. */
function isOfPeople(target: string): boolean {
  const [session = ""] = target.replace(/^=/, "").split(":");
  return /^\d+$/.test(session) || (session !== "" && isHarness(session));
}
