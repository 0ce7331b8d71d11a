import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandTree } from "../../src/surfaces/cli/tree/command-tree.ts";
import { launcher } from "../run/scratch-project.ts";
import { patient } from "../patience.ts";

/** Proposes the runs that the real one would, and nothing else. */
const fakeRalph = `#!/bin/sh
[ "$1 $2" = "completions runs" ] || exit 1
for id in 20261115-204355-k7q2 20261116-104355-abcd; do
  case $id in *"$3"*) printf '%s\\trun, completed\\n' "$id";; esac
done
`;

/** A folder with files to complete, and the script of a shell as the built program prints it. */
function openShell(shell: string): { script: string; folder: string; env: Record<string, string> } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-completions-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "here");
  mkdirSync(join(folder, "folder"), { recursive: true });
  writeFileSync(join(folder, "folly.txt"), "");
  writeFileSync(join(folder, "my prompt.md"), "");
  const env = {
    PATH: `${root}/bin:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: root,
    TERM: "xterm",
  };
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "ralph"), fakeRalph, { mode: 0o755 });
  const script = join(root, `ralph.${shell}`);
  writeFileSync(script, execFileSync(process.execPath, [launcher, "completions", shell], { env }));
  return { script, folder, env };
}

const timeout = patient(30_000);

/** What bash offers for the last word of a line. */
function inBash(line: string): string[] {
  const { script, folder, env } = openShell("bash");
  const commands = [
    `source '${script}'`,
    // As readline does: the words, and where the cursor is.
    `COMP_WORDS=(${line
      .split(" ")
      .map((word) => `'${word}'`)
      .join(" ")})`,
    "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))",
    "_ralph",
    ["printf '%s\\n' \"$", '{COMPREPLY[@]}"'].join(""),
  ];
  const options = { cwd: folder, env, encoding: "utf8", timeout } as const;
  return execFileSync("bash", ["--norc", "--noprofile", "-c", commands.join("\n")], options)
    .split("\n")
    .filter(Boolean);
}

/** The same in fish. */
function inFish(line: string): string[] {
  const { script, folder, env } = openShell("fish");
  const options = { cwd: folder, env, encoding: "utf8", timeout } as const;
  const text = execFileSync("fish", ["--no-config", "-c", `source '${script}'; complete -C '${line}'`], options);
  return text
    .split("\n")
    .filter(Boolean)
    .map((each) => each.split("\t")[0] ?? "");
}

/** What a line has become in zsh after Tab. */
function inZsh(line: string): string {
  const { script, folder, env } = openShell("zsh");
  const driver = join(import.meta.dirname, "complete-in-zsh.zsh");
  return execFileSync("zsh", ["-f", driver, script, folder, line], { env, encoding: "utf8", timeout }).trimEnd();
}

const hasShell = (shell: string): boolean => spawnSync(shell, ["--version"], { stdio: "ignore" }).status === 0;

const commandNames = commandTree.map(({ name }) => name);

describe.skipIf(!hasShell("bash"))("completions in bash (S1-81)", () => {
  it.each([
    ["ralph doc", ["doctor"]],
    ["ralph settings ", ["show", "schema", "check"]],
    ["ralph settings show --e", ["--explain"]],
    ["ralph show --e", []],
    ["ralph run --dr", ["--dry-run"]],
    ["ralph run -p show --dr", ["--dry-run"]],
    ["ralph run -f my", ["my prompt.md"]],
    ["ralph run --prompt-file = my", ["my prompt.md"]],
    ["ralph run -C fol", ["folder"]],
    ["ralph run -p my", []],
    ["ralph completions ", ["bash", "zsh", "fish"]],
    ["ralph sim --script fol", ["folder", "folly.txt"]],
    ["ralph show ", ["20261115-204355-k7q2", "20261116-104355-abcd"]],
    ["ralph resume k7", ["20261115-204355-k7q2"]],
    ["ralph logs -f 20261116", ["20261116-104355-abcd"]],
  ])("%j offers %j (S1-81)", (line, expected) => expect(inBash(line).toSorted()).toEqual(expected.toSorted()));

  it("know every command of the tree (S1-81)", () => {
    expect(inBash("ralph ")).toEqual(commandNames);
  });
});

describe.skipIf(!hasShell("fish"))("completions in fish (S1-81)", () => {
  it.each([
    ["ralph doc", ["doctor"]],
    ["ralph settings ", ["show", "schema", "check"]],
    ["ralph settings show --e", ["--explain"]],
    ["ralph show --e", []],
    ["ralph run --dr", ["--dry-run"]],
    ["ralph run -p show --dr", ["--dry-run"]],
    ["ralph run -f my", ["my prompt.md"]],
    ["ralph run -C fol", ["folder/"]],
    ["ralph run -p my", []],
    ["ralph completions ", ["bash", "zsh", "fish"]],
    ["ralph show ", ["20261115-204355-k7q2", "20261116-104355-abcd"]],
    ["ralph resume k7", ["20261115-204355-k7q2"]],
  ])("%j offers %j (S1-81)", (line, expected) => expect(inFish(line).toSorted()).toEqual(expected.toSorted()));

  it("know every command of the tree (S1-81)", () =>
    expect(inFish("ralph ").toSorted()).toEqual(commandNames.toSorted()));
});

describe.skipIf(!hasShell("zsh"))("completions in zsh (S1-81)", () => {
  it.each([
    ["ralph doc", "ralph doctor"],
    ["ralph settings sch", "ralph settings schema"],
    ["ralph settings show --e", "ralph settings show --explain"],
    ["ralph show --e", "ralph show --e"],
    ["ralph run --dr", "ralph run --dry-run"],
    ["ralph run -p show --dr", "ralph run -p show --dry-run"],
    ["ralph run -f my", String.raw`ralph run -f my\ prompt.md`],
    ["ralph run -C fol", "ralph run -C folder/"],
    ["ralph completions f", "ralph completions fish"],
    ["ralph show 20261116", "ralph show 20261116-104355-abcd"],
    ["ralph resume k7", "ralph resume 20261115-204355-k7q2"],
  ])("%j becomes %j (S1-81)", (line, expected) => expect(inZsh(line).trimEnd()).toBe(expected));
});
