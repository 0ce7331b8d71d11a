import { isWithin } from "../facts/call-context.ts";
import { flagValues, hasFlag, type Call, type Rule } from "../facts/rule.ts";
import { resolveIn } from "../facts/scope.ts";

/** Categories 7 and 8: more rights than were given, and ways out of a container. */
export const privilegeRules: readonly Rule[] = [
  { category: 7, tier: "warn", names: ["sudo"], words: ["apt|apt-get"], reason: "installs packages as root" },
  {
    category: 7,
    tier: "block",
    names: ["sudo"],
    without: ["--version", "-V", "--help"],
    when: (call) => !/^apt(?:-get)?$/.test(sudoProgram(call)),
    reason: "runs as another user",
  },
  {
    category: 7,
    tier: "block",
    names: [
      "su",
      "run0",
      "doas",
      "pkexec",
      "runuser",
      "gosu",
      "su-exec",
      "visudo",
      "sudoedit",
      "newgrp",
      "setcap",
      "setpriv",
      "capsh",
    ],
    unless: /^--(?:help|version)$/,
    reason: "runs as another user or gives out rights",
  },
  {
    category: 7,
    tier: "block",
    names: ["chmod"],
    argument: /^(?:0?[2467]\d{3}|(?:[^,]+,)*[ugoa]*[+=][rwx]*s[rwx]*(?:,.*)?)$/,
    reason: "lets a program run with its owner's rights",
  },
  {
    category: 7,
    tier: "block",
    names: ["chmod"],
    argument: /^(?:0?777|0?666|\+rwx|(?:[^,]+,)*(?:[ug]*[oa][ugoa]*)[+=][rx]*w[rx]*(?:,.*)?)$/,
    reason: "lets everybody write",
  },
  {
    category: 7,
    tier: "block",
    names: ["install", "mkdir"],
    when: (call) => flagValues(call, "-m", "--mode").some((mode) => /^0?[2467]\d{3}$|^0?777$|[+=][rwx]*s/.test(mode)),
    reason: "gives out rights",
  },
  { category: 7, tier: "block", names: ["umask"], argument: /^0{1,4}$/, reason: "lets everybody write" },
  {
    category: 7,
    tier: "block",
    names: ["chown", "chgrp"],
    argument: /^(?:root|0)(?:[:.]|$)|^:(?:root|wheel|sudo)$/,
    reason: "gives files to root",
  },
  {
    category: 8,
    tier: "block",
    names: ["docker", "podman", "nerdctl"],
    words: ["run|create|exec|container"],
    flags: [
      "--privileged",
      "--cap-add",
      "--device",
      "--pid=host",
      "--net=host",
      "--network=host",
      "--ipc=host",
      "--uts=host",
      "--userns=host",
      "--cgroupns=host",
    ],
    reason: "gives a container the machine",
  },
  {
    category: 8,
    tier: "block",
    names: ["docker", "podman", "nerdctl"],
    when: (call) =>
      flagValues(call, "--pid", "--net", "--network", "--ipc", "--uts", "--userns", "--cgroupns").includes("host"),
    reason: "gives a container the machine",
  },
  {
    category: 8,
    tier: "block",
    names: ["docker", "podman", "nerdctl"],
    argument: /(?:seccomp|apparmor)[=:]unconfined|label[=:]disable/,
    reason: "takes a container's limits away",
  },
  {
    category: 8,
    tier: "block",
    names: ["docker", "podman", "nerdctl", "docker-compose"],
    words: ["run|create|container|compose"],
    when: (call) => mounts(call).some((path) => isForeign(call, path)),
    reason: "mounts a folder of the machine",
  },
  {
    category: 8,
    tier: "block",
    names: ["curl", "socat", "nc", "ncat"],
    argument: /(?:docker|containerd|podman|crio)\.sock/,
    reason: "speaks to the container engine itself",
  },
  {
    category: 8,
    tier: "block",
    names: ["nsenter", "chroot", "unshare", "pivot_root", "mount", "umount", "losetup", "debugfs"],
    when: (call) => call.args.length > 0 && !hasFlag(call, "--help", "--version", "-V", "-l"),
    reason: "changes what a process sees of the machine",
  },
  {
    category: 8,
    tier: "block",
    names: ["kubectl", "oc"],
    words: ["exec|run|attach|debug|cp"],
    reason: "runs inside a cluster",
  },
  {
    category: 8,
    tier: "warn",
    names: ["docker", "podman"],
    words: ["system|volume|image|container|network|builder|buildx", "prune"],
    reason: "removes what others may still need",
  },
];

function sudoProgram(call: Call): string {
  const valueFlags = ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "-r", "-t"];
  const at = call.args.findIndex(
    (word, index) => !/^-|=/.test(word) && !valueFlags.includes(call.args[index - 1] ?? ""),
  );
  return (call.args[at] ?? "").split("/").at(-1) ?? "";
}

function mounts(call: Call): string[] {
  const volumes = flagValues(call, "-v", "--volume").map((value) => value.split(":")[0] ?? "");
  const binds = flagValues(call, "--mount").map((value) => /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? "");
  return [...volumes, ...binds].filter((path) => /^[./~]/.test(path));
}

function isForeign(call: Call, path: string): boolean {
  const { workTree, tempFolder } = call.scope.walk.place;
  const resolved = resolveIn(call.scope, path.replace(/^~(?=\/|$)/, call.scope.walk.place.home));
  return ![workTree, tempFolder, "/tmp"].some((folder) => isWithin(resolved, folder));
}
