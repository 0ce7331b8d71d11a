import { dirname, join, relative } from "node:path";
import type { BindPlan } from "./bind-plan.ts";
import { type Bubblewrap, isolationFlags } from "./bubblewrap.ts";

/** A folder or a file of this machine at another place of the namespace. */
export type Mount = { source: string; target: string };

/** What a namespace holds. Everything else of this machine is not there: no store, no project, no HOME. */
export type NamespaceRules = {
  bubblewrap: Bubblewrap;
  /** The work tree of the copy, and which parts of it are read-only. */
  folder: string;
  binds: BindPlan;
  /** Other folders that may be written: home, temporary files, report. */
  writable: readonly string[];
  /** Dependencies and objects: read-only. */
  readOnly: readonly Mount[];
  /** Folders inside of read-only mounts that programs write caches to: empty, in memory. */
  caches: readonly string[];
  /** Folders of programs and toolchains outside of the system's own, see `programFolders`. */
  programs: readonly string[];
  /** `seal.network`. */
  network: "loopback" | "host";
};

/** Folders of the system: programs, libraries, and what they need to know about the machine. */
const systemPaths: readonly string[] = [
  ..."/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /snap /sys/devices/system/cpu".split(" "),
  ...(
    "alternatives ca-certificates ca-certificates.conf crypto-policies debian_version default fonts group gtk-3.0 hostname hosts " +
    "host.conf inputrc java java-11-openjdk java-17-openjdk java-21-openjdk jvm ld.so.cache ld.so.conf ld.so.conf.d locale.alias " +
    "localtime login.defs magic maven gradle mime.types networks nsswitch.conf os-release passwd perl php pki profile protocols " +
    "python3 python3.10 python3.11 python3.12 python3.13 resolv.conf rpc services shells ssl terminfo timezone xdg"
  )
    .split(" ")
    .map((name) => `/etc/${name}`),
];

const freshPaths = "--proc /proc --dev /dev --tmpfs /tmp --tmpfs /var/tmp".split(" ");

/** The command line that starts a program in a namespace; the program's own words follow. Start it with a clean environment. */
export function namespaceArgv(rules: NamespaceRules, directory: string): string[] {
  const { bubblewrap, folder, binds, network } = rules;
  const readOnly = ({ source, target }: Mount): string[] => ["--ro-bind", source, target];
  const inside = (path: string): string => join(folder, path);
  const same = (path: string): Mount => ({ source: path, target: path });
  return [
    bubblewrap.program,
    ...isolationFlags(bubblewrap),
    ...(network === "loopback" ? ["--unshare-net"] : []),
    ...systemPaths.flatMap((path) => ["--ro-bind-try", path, path]),
    ...freshPaths,
    ...rules.programs.flatMap((path) => ["--ro-bind-try", path, path]),
    ...[folder, ...rules.writable].flatMap((path) => ["--bind", path, path]),
    ...binds.pinned.flatMap((path) => ["--bind", inside(path), inside(path)]),
    ...binds.readOnly.flatMap((path) => readOnly(same(inside(path)))),
    ...binds.filled.flatMap((path) => ["--bind", inside(path), inside(path)]),
    ...rules.readOnly.flatMap(readOnly),
    ...rules.caches.flatMap((path) => ["--tmpfs", path]),
    "--remount-ro",
    "/",
    "--chdir",
    directory,
    "--",
  ];
}

/** What must not be seen, and where programs are. */
export type ProgramSearch = {
  /** Entries of the sealed search path, and folders of toolchains. */
  folders: readonly string[];
  /** Real files of programs, which links on the search path lead to. */
  files: readonly string[];
  /** Below it a folder is shown alone: beside its `bin` a toolchain keeps credentials. */
  home: string;
  /** The project and the store: nothing of them is shown, and no folder that holds one of them. */
  hidden: readonly string[];
};

/** The folders to show so that programs outside of the system's own run: each with the libraries beside its `bin`. */
export function programFolders({ folders, files, home, hidden }: ProgramSearch): string[] {
  const isTooMuch = (path: string): boolean =>
    path === "/" ||
    [home, ...hidden].some((each) => isInside(each, path)) ||
    hidden.some((each) => isInside(path, each));
  const isSystem = (path: string): boolean => systemPaths.some((each) => isInside(path, each));
  const found = new Set<string>();
  for (const folder of [...folders, ...files.map((file) => dirname(file))]) {
    const isAlone = isInside(folder, home) || !/\/s?bin$/.test(folder) || isTooMuch(dirname(folder));
    const shown = isAlone ? folder : dirname(folder);
    if (!isSystem(shown) && !isTooMuch(shown)) found.add(shown);
  }
  return [...found];
}

/** Whether a path is a folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../"));
}
