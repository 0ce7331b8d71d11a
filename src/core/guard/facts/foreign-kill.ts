import { hasFlag, type Call } from "./rule.ts";

/** Whether a pattern of pkill or pgrep means services, everything, or another user. */
export function isForeignKill(call: Call): boolean {
  if (call.name === "killall5") return true;
  if (hasFlag(call, "-u", "-U", "--euid", "--uid", "--user")) return true;
  return call.operands.some((name) => services.test(name) || /^[.^$*]*$/.test(name) || name.length === 1);
}

const services =
  /^(?:systemd\S*|init|launchd|sshd?|dockerd?|containerd|postgres\S*|mysqld?|mariadbd?|redis-server|mongod|nginx|apache2?|httpd|cron|crond|dbus\S*|networkmanager|windowserver|loginwindow|finder|dock|xorg|gdm\S*|bash|zsh|sh|login|tmux|screen|ralph\S*|kubelet|cupsd|rsyslogd)$/i;
