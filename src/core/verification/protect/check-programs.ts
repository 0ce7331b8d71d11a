/** Programs whose first operand is a program of the project. */
export const interpreters: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh node nodejs bun deno tsx ts-node python python3 pypy3 ruby perl php lua Rscript java".split(
    " ",
  ),
);

/** Programs that read code to compile, format or look at it: the files they are given are the code under test. */
export const codeTakers: ReadonlySet<string> = new Set(
  (
    "cc gcc g++ clang clang++ c++ tcc ld ar tsc javac kotlinc rustc go cargo swiftc ghc esbuild swc rollup " +
    "eslint biome oxlint prettier oxfmt stylelint ruff black flake8 pylint mypy pyright isort shellcheck rubocop gofmt " +
    "clang-format clang-tidy cppcheck git ls rm mkdir touch echo printf wc head tail stat file " +
    "grep egrep fgrep rg test [ [[ jq xmllint yamllint"
  ).split(" "),
);

/** Programs that run scripts of a manifest, with the verbs that are scripts by themselves; `*`: every verb may be one. */
export const scriptRunners: Readonly<Record<string, readonly string[]>> = {
  npm: ["test", "t", "tst", "start"],
  pnpm: ["*"],
  yarn: ["*"],
  bun: [],
};

/** Programs that compare two files: one is what the project made, the other what it should be. */
export const comparers: ReadonlySet<string> = new Set(["diff", "cmp", "comm"]);

/** What people call the file that something should be equal to. */
export const expectedName = /expect|golden|want|reference|fixture|snap|baseline|should/i;
