import { isForeignKill } from "../facts/foreign-kill.ts";
import { hasFlag, type Call, type Rule } from "../facts/rule.ts";

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
    names: ["ip"],
    words: ["*", "add|del|delete|flush|set|change|replace"],
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
    words: ["poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|terminate-user|kill-user"],
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

function isBroadKill(call: Call): boolean {
  const [first = "", ...rest] = call.args;
  const isSignal = /^-(?:\d+|[A-Z]+\d*|s|n)$/i.test(first);
  const targets = isSignal && rest.length > 0 ? rest : call.args;
  const isQuestion = /^-(?:0|l|L)$/.test(first);
  if (isQuestion) return false;
  return targets.some((target) => /^(?:0*1|-0*1|0)$/.test(target));
}
