import type { Call } from "./rule.ts";

/** The value of an option, and the option. */
export type Value = { text: string; flag: string };

/** The values of a program's options: `-x v`, `-xv`, `--long v`, `--long=v`, `-long=v`, and shortened long ones. */
export function valuesAfter(call: Call, table: ReadonlyMap<string, string>): Value[] {
  const [command = ""] = call.operands;
  const known = `${table.get(call.name) ?? ""} ${table.get(`${call.name} ${command}`) ?? ""}`.trim();
  if (known === "") return [];
  const flags = known.split(" ");
  return call.args.flatMap((argument, at) => {
    const word = call.words[at] ?? "";
    const [head = ""] = argument.split("=");
    const long = flags.find(
      (flag) => flag === head || (head.length > 5 && flag.startsWith(head) && head.startsWith("--")),
    );
    if (long !== undefined) {
      return [
        { text: argument.includes("=") ? word.slice(word.indexOf("=") + 1) : (call.words[at + 1] ?? ""), flag: long },
      ];
    }
    const short = flags.find((flag) => /^-\w$/.test(flag) && argument.startsWith(flag) && !argument.startsWith("--"));
    if (short !== undefined) return [{ text: word.slice(2), flag: short }];
    const clustered = flags.find(
      (flag) => /^-\w$/.test(flag) && /^-[a-zA-Z]+$/.test(argument) && argument.endsWith(flag.charAt(1)),
    );
    return clustered === undefined ? [] : [{ text: call.words[at + 1] ?? "", flag: clustered }];
  });
}

/** Options of programs nobody listed, by what their names promise. */
export function commandLikeValues(call: Call): string[] {
  return call.args.flatMap((argument, at) => {
    const word = call.words[at] ?? "";
    if (!commandLike.test(argument.split("=")[0] ?? "")) return [];
    return [argument.includes("=") ? word.slice(word.indexOf("=") + 1) : (call.words[at + 1] ?? "")];
  });
}

/** Options whose value is a command line that a person would write there. */
export const textFlags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    su: "-c --command",
    runuser: "-c --command",
    script: "-c --command",
    flock: "-c --command",
    fish: "-c --command -C --init-command",
    npx: "-c --call",
    npm: "-c --call",
    "nix-shell": "--run --command",
    watchexec: "--exec",
    entr: "-s",
    nodemon: "-x --exec",
    "watchman-make": "--run",
    just: "--shell-arg --command -c",
  }),
);

/** Options whose value names a program that the program starts for its own work. */
export const helperFlags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "git difftool": "-x --extcmd",
    "git grep": "-O --open-files-in-pager",
    "git clone": "-u --upload-pack",
    "git fetch": "--upload-pack",
    "git pull": "--upload-pack",
    "git ls-remote": "--upload-pack --exec",
    "git push": "--receive-pack --exec",
    "git archive": "--exec",
    rsync: "-e --rsh --rsync-path",
    scp: "-S",
    sftp: "-S",
    man: "-P --pager -H --html",
    sort: "--compress-program",
    split: "--filter",
    rg: "--pre --hostname-bin",
    tar: "-I --use-compress-program --to-command --rsh-command --info-script",
    gtar: "-I --use-compress-program --to-command --rsh-command --info-script",
    go: "-toolexec -exec -vettool",
    npm: "--script-shell --shell --editor --viewer --git",
    pnpm: "--script-shell --shell",
    yarn: "--script-shell",
    just: "--shell",
    make: "--shell",
  }),
);

/** Options whose value is a file of code or settings that the program obeys. */
export const fileFlags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    node: "-r --require --import --loader --experimental-loader",
    nodejs: "-r --require --import --loader",
    bun: "-r --preload",
    ruby: "-r",
    git: "--exec-path --template",
    ssh: "-F",
    scp: "-F",
    sftp: "-F",
    cmake: "-P -C --build",
    ninja: "-C -f",
    samu: "-C -f",
    meson: "-C",
    just: "-f --justfile -d --working-directory",
    task: "-t --taskfile -d --dir",
    rake: "-f --rakefile",
    scons: "-f --file -C --directory",
    ant: "-f -file -buildfile",
    gradle: "-p --project-dir -b --build-file -I --init-script",
    mvn: "-f --file -s --settings",
    emacs: "-l --load --script",
    gcc: "-B -fplugin",
    "g++": "-B -fplugin",
    cc: "-B",
    clang: "-B -fplugin",
    gdb: "-x --command",
    vim: "-S -u",
    nvim: "-S -u",
    awk: "-f --file",
    gawk: "-f --file -i --include -l --load -E --exec",
    mawk: "-f --file",
    nawk: "-f",
    sed: "-f --file",
    gsed: "-f --file",
    npm: "--userconfig --globalconfig --init-module",
    pytest: "-c --rootdir --confcutdir",
    "pre-commit": "-c --config",
    "pre-commit try-repo": "try-repo",
  }),
);

const commandLike =
  /^--?(?:[\w-]+-)?(?:cmd|command|exec|execute|exec-batch|run|extcmd|rsh|pager|editor|wrapper|runner|compress-program|hook|shell|shell-command|browser|opener|before-script|after-script|on-[a-z-]+)$/;
