import { describe, expect, it, onTestFinished, vi } from "vitest";
import { buildProgram } from "./build-program.ts";
import { commandTree } from "./tree/command-tree.ts";
import type { CommandSpec, Input } from "./input/command-spec.ts";

/** Every command that does something, with its whole name. */
function leavesOf(specs: readonly CommandSpec[], before = "") {
  return specs.flatMap((spec): { name: string; spec: CommandSpec & { commands?: never } }[] => {
    const name = `${before}${spec.name}`;
    return spec.commands === undefined ? [{ name, spec }] : leavesOf(spec.commands, `${name} `);
  });
}

const leaves = leavesOf(commandTree);

/** Runs the program with every command replaced by one that only tells what it was given. */
async function run(...argv: string[]) {
  const calls: (Input & { name: string })[] = [];
  const printed = { out: "", err: "" };
  const spies = [
    ...leaves.map(({ name, spec }) =>
      vi.spyOn(spec, "load").mockResolvedValue({
        default: (input) => {
          calls.push({ name, ...input });
          return Promise.resolve(7);
        },
      }),
    ),
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((printed.out += String(text)), true)),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => ((printed.err += String(text)), true)),
  ];
  const restore = (): void => spies.forEach((spy) => spy.mockRestore());
  onTestFinished(restore);
  const exitCode = await buildProgram("1.2.3")(argv);
  restore();
  return { exitCode, calls, ...printed };
}

/** The one command called and its options. */
async function check(argv: string[], name: string, options: Record<string, unknown>): Promise<void> {
  const { calls, exitCode } = await run(...argv);
  expect(calls).toEqual([{ name, arguments: [], options }]);
  expect(exitCode).toBe(7);
}

describe("the command line of run", () => {
  it("needs its name (S1-01)", () => check(["run"], "run", {}));

  it("has the letters and names of the document (S1-03, CB-09)", async () => {
    const given = { prompt: "do it", maximumIterations: "3", completionResponse: "OK", verbose: true };
    await check(["run", "-p", "do it", "-m", "3", "-c", "OK", "-V"], "run", given);
    await check(
      ["run", "--prompt", "do it", "--maximum-iterations", "3", "--completion-response", "OK", "--verbose"],
      "run",
      given,
    );
    await check(["run", "-f", "a.md"], "run", { promptFile: "a.md" });
    await check(["run", "--prompt-file=a.md"], "run", { promptFile: "a.md" });
  });

  it("has two names for the limit, each with a space or = (CB-09, R-51)", async () => {
    for (const name of ["--max-iterations", "--maximum-iterations"]) {
      await check(["run", name, "4"], "run", { maximumIterations: "4" });
      await check(["run", `${name}=4`], "run", { maximumIterations: "4" });
    }
    await check(["run", "--max-iterations", "4", "-m", "5"], "run", { maximumIterations: "5" });
  });

  it("knows streaming as on, off and not said (S1-06, S1-03)", async () => {
    await check(["run", "--stream-agent-output"], "run", { streamAgentOutput: true });
    await check(["run", "--no-stream-agent-output"], "run", { streamAgentOutput: false });
    await check(["run"], "run", {});
  });

  it("takes the prompt as its argument, too", async () => {
    const { calls } = await run("run", "do it", "-m", "3");
    expect(calls).toEqual([{ name: "run", arguments: ["do it"], options: { maximumIterations: "3" } }]);
  });

  it("takes a promise of several words as one (R-51)", () =>
    check(["run", "-c", "ALL TESTS $& green"], "run", { completionResponse: "ALL TESTS $& green" }));

  it("takes a prompt that looks like an option when it is written with =", () =>
    check(["run", "--prompt=--- go"], "run", { prompt: "--- go" }));
});

describe("a mistake on the command line", () => {
  it("is exit 2, never help with exit 0: an unknown option, with what was meant (R-51)", async () => {
    const { exitCode, calls, err } = await run("run", "--promt", "x");
    expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] });
    expect(err).toContain("unknown option '--promt'");
    expect(err).toContain("--prompt?");
  });

  it("is exit 2: an unknown command, with what was meant (R-51)", async () => {
    const { exitCode, calls, err } = await run("statsu");
    expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] });
    expect(err).toContain("(Did you mean status?)");
  });

  it.each([[["run", "-m"]], [["run", "do it", "stray"]], [["show", "a", "b"]]])("is exit 2: %j", async (argv) => {
    const { exitCode, calls } = await run(...argv);
    expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] });
  });
});

describe("help and version", () => {
  it("print the version in both forms (S1-02)", async () => {
    expect(await run("--version")).toMatchObject({ exitCode: 0, out: "1.2.3\n", calls: [] });
    expect(await run("-v")).toMatchObject({ exitCode: 0, out: "1.2.3\n", calls: [] });
  });

  it("list every command with its sentence, and an example", async () => {
    const { exitCode, out } = await run("--help");
    expect(exitCode).toBe(0);
    for (const { name } of commandTree) expect(out).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    expect(out).toContain("Example:");
  });

  it.each(leaves.filter(({ spec }) => spec.isPassThrough !== true).map(({ name, spec }) => [name, spec] as const))(
    "show an example and every option of %s",
    async (name, spec) => {
      const { exitCode, out, calls } = await run(...name.split(" "), "--help");
      expect({ exitCode, calls }).toEqual({ exitCode: 0, calls: [] });
      expect(spec.examples.length).toBeGreaterThan(0);
      for (const example of spec.examples) expect(out).toContain(`  ${example}\n`);
      for (const { flags } of spec.options) expect(out).toContain(flags);
      for (const example of spec.examples) expect(example).toMatch(new RegExp(`^ralph ${name}\\b`));
    },
  );
});

describe("a group of commands", () => {
  it("leads to the command it names", async () => {
    await check(["settings", "show", "--explain"], "settings show", { explain: true });
    await check(["settings", "check"], "settings check", {});
  });

  it("lists its commands, and alone is a mistake that does so", async () => {
    expect(await run("settings", "--help")).toMatchObject({ exitCode: 0, calls: [] });
    const { exitCode, calls, err } = await run("settings");
    expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] });
    for (const name of ["show", "schema", "check"]) expect(err).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  });

  it("says what was meant by an unknown one, with exit 2 (R-51)", async () => {
    const { exitCode, calls, err } = await run("settings", "chekc");
    expect({ exitCode, calls }).toEqual({ exitCode: 2, calls: [] });
    expect(err).toContain("(Did you mean check?)");
  });
});

describe("other commands", () => {
  it("get their arguments", async () => {
    const { calls } = await run("show", "20261115", "--json");
    expect(calls).toEqual([{ name: "show", arguments: ["20261115"], options: { json: true } }]);
  });

  it("that read their own options get everything unread", async () => {
    const { calls } = await run("sim", "--script", "x.yaml", "--help", "-p", "run");
    expect(calls).toMatchObject([{ name: "sim", arguments: ["--script", "x.yaml", "--help", "-p", "run"] }]);
  });
});
