import { withoutUnknown } from "./facts/marks.ts";

/** How a program that runs another one is written: which of its options take a value, how many words come before. */
export type Wrapper = {
  valueFlags?: string;
  skip?: number;
  isText?: boolean;
  isEachText?: boolean;
  after?: readonly string[];
};

/** Programs whose arguments are a command. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries<Wrapper>({
    command: {},
    builtin: {},
    exec: { valueFlags: "-a" },
    nohup: {},
    time: { valueFlags: "-f -o" },
    nice: { valueFlags: "-n" },
    ionice: { valueFlags: "-c -n -p" },
    chrt: { skip: 1 },
    taskset: { skip: 1 },
    timeout: { valueFlags: "-k -s --kill-after --signal", skip: 1 },
    gtimeout: { valueFlags: "-k -s", skip: 1 },
    stdbuf: { valueFlags: "-i -o -e" },
    unbuffer: {},
    setsid: {},
    busybox: {},
    toybox: {},
    caffeinate: { valueFlags: "-t -w" },
    fakeroot: {},
    setarch: { skip: 1 },
    linux32: {},
    linux64: {},
    choom: { valueFlags: "-n" },
    prlimit: {},
    numactl: {},
    valgrind: {},
    eatmydata: {},
    proxychains: { valueFlags: "-f" },
    proxychains4: { valueFlags: "-f" },
    torsocks: {},
    firejail: {},
    chronic: {},
    catchsegv: {},
    "dbus-run-session": {},
    "ld.so": {},
    "ld-linux-x86-64.so.2": {},
    perf: { after: ["stat"] },
    entr: {},
    watchexec: { valueFlags: "-w -e -i -f --watch --exts" },
    doppler: { after: ["run"] },
    op: { after: ["run"] },
    "aws-vault": { after: ["exec"], skip: 1 },
    asdf: { after: ["exec"] },
    hatch: { after: ["run"] },
    tox: { after: ["exec"] },
    nix: { after: ["develop"], valueFlags: "" },
    guix: { after: ["shell"] },
    faketime: { skip: 1 },
    xvfb: {},
    "xvfb-run": { valueFlags: "-n -s -e -f" },
    dbus: {},
    sudo: { valueFlags: "-u -g -h -p -C -D -R -T -U -r -t" },
    doas: { valueFlags: "-u -C" },
    chroot: { skip: 1 },
    strace: { valueFlags: "-o -e -p -s -E -u" },
    ltrace: { valueFlags: "-o -e -p" },
    flock: { valueFlags: "-w -E", skip: 1 },
    watch: { valueFlags: "-n -d", isText: true },
    parallel: { valueFlags: "-j -a -I", isText: true },
    ssh: { valueFlags: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", skip: 1, isText: true },
    poetry: { after: ["run"] },
    pipenv: { after: ["run"] },
    uv: { after: ["run"], valueFlags: "--with --python -p --extra --group --project --directory --env-file" },
    pdm: { after: ["run"] },
    rye: { after: ["run"] },
    conda: { after: ["run"], valueFlags: "-n -p" },
    bundle: { after: ["exec"] },
    pnpm: { after: ["exec|dlx"] },
    npm: { after: ["exec|x"] },
    yarn: { after: ["exec|dlx"] },
    mise: { after: ["exec|x"] },
    direnv: { after: ["exec"], skip: 1 },
    dotenv: {},
    "dotenv-cli": {},
    "cross-env": {},
    npx: { valueFlags: "-p --package -c --call" },
    bunx: {},
    pnpx: {},
    uvx: { valueFlags: "--from --with" },
    concurrently: { valueFlags: "-n -c", isText: true, isEachText: true },
    hyperfine: { valueFlags: "-w -r -m -M", isText: true, isEachText: true },
  }),
);

/** The command inside a wrapper's words, or null. Assignments before the command stay. */
export function unwrap(words: readonly string[], wrapper: Wrapper): readonly string[] | null {
  const valueFlags = (wrapper.valueFlags ?? "").split(" ");
  let at = 1;
  for (const expected of wrapper.after ?? []) {
    if (!expected.split("|").includes(withoutUnknown(words[at] ?? ""))) return null;
    at += 1;
  }
  at = skipFlags(words, at, valueFlags);
  at = skipFlags(words, at + (wrapper.skip ?? 0), wrapper.skip === undefined ? valueFlags : []);
  const rest = words.slice(at);
  return rest.length === 0 ? null : rest;
}

/** Where the options end; `--` is one more word. */
export function skipFlags(words: readonly string[], from: number, valueFlags: readonly string[]): number {
  let at = from;
  while (at < words.length) {
    const word = withoutUnknown(words[at] ?? "");
    if (word === "--") return at + 1;
    if (!/^-./.test(word)) return at;
    at += valueFlags.includes(word) ? 2 : 1;
  }
  return at;
}
