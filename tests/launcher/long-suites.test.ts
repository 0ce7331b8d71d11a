import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratchCheckout, type ScratchCheckout } from "./scratch-checkout.ts";

let checkout: ScratchCheckout;

beforeEach(() => {
  checkout = createScratchCheckout();
  checkout.write("package.json", `{ "type": "module" }`);
  checkout.write("tests/faults/001-a.json", `{ "file": "src/a.ts" }`);
  checkout.write("tests/faults/002-b.json", `{ "file": "src/b/b.ts" }`);
  for (const name of ["test-agents.js", "test.js", "test-faults.js", "test-kills.js"]) script(name, "");
  checkout.write("tests/simulation/main.ts", `console.log("8000 passed, 0 failed, 0 skipped");`);
  checkout.write("bench/fool/main.ts", `console.log("128 passed, 0 failed, 0 skipped");`);
});

afterEach(() => checkout.remove());

/** Puts a suite in the place of the real one: it says how it was called, then runs this code. */
function script(name: string, code: string): void {
  const call = `console.log("${name}", process.argv.slice(2).join(" "), process.env.RALPH_TEST_REPETITIONS ?? "");`;
  checkout.write(`scripts/${name}`, `${call}\n${code}\nconsole.log("2 passed, 0 failed, 1 skipped");\n`);
}

describe("npm run test:long", () => {
  it("runs every suite and ends with the time and the counts of each", async () => {
    const { code, lines } = await checkout.runScript("test-long.js");
    expect(lines).toContain("test.js tests/supervise/nothing-left tests/process/hundred-kills 20");
    expect(lines).toContain("test.js --project tools --shard 1/1 ");
    expect(lines.slice(-10)).toEqual([
      expect.stringMatching(/^agents: 2 passed, 0 failed, 1 skipped in \d+ s of 7 min 0 s$/),
      expect.stringMatching(/^tools: 2 passed, 0 failed, 1 skipped in /),
      expect.stringMatching(/^repetitions: 2 passed, 0 failed, 1 skipped in /),
      expect.stringMatching(/^simulations: 8000 passed, 0 failed, 0 skipped in /),
      expect.stringMatching(/^sessions: 2 passed, 0 failed, 1 skipped in /),
      expect.stringMatching(/^streams: 2 passed, 0 failed, 1 skipped in /),
      expect.stringMatching(/^cheats: 128 passed, 0 failed, 0 skipped in /),
      expect.stringMatching(/^faults: 2 passed, 0 failed, 1 skipped in /),
      expect.stringMatching(/^kills: 2 passed, 0 failed, 1 skipped in /),
      "8142 passed, 0 failed, 7 skipped",
    ]);
    expect(code).toBe(0);
  });

  it("gives every suite its share; one that cannot be divided belongs to the first", async () => {
    const { lines } = await checkout.runScript("test-long.js", ["--share", "3/10"]);
    expect(lines).toContain("test-faults.js --share=3/10 ");
    expect(lines).toContain("repetitions: belongs to another share");
  });

  it("fails a suite that is over its budget, ends it and goes on with the next", async () => {
    script("test-faults.js", "await new Promise((resolve) => setTimeout(resolve, 600_000));");
    const words = ["--only", "faults", "--only", "kills", "--patience", "0.004"];
    const { code, lines } = await checkout.runScript("test-long.js", words);
    expect(lines.at(-3)).toMatch(/^faults: FAILED, over its budget: \d+ s of \d+ s$/);
    expect(lines.at(-2)).toMatch(/^kills: 2 passed/);
    expect(lines.at(-1)).toBe("2 passed, 1 failed, 1 skipped");
    expect(code).toBe(1);
  });

  it("counts a suite that broke off as one failure", async () => {
    script("test-kills.js", "process.exit(3);");
    const { code, lines } = await checkout.runScript("test-long.js", ["--only", "kills"]);
    expect(lines.at(-1)).toBe("0 passed, 1 failed, 0 skipped");
    expect(code).toBe(1);
  });

  it("names the suites there are when it is asked for another", async () => {
    const { code, stderr } = await checkout.runScript("test-long.js", ["--only", "browsers"]);
    expect(stderr).toContain(
      "no such suite: browsers; choose of agents, tools, repetitions, simulations, sessions, streams, cheats, faults, kills",
    );
    expect(code).toBe(2);
  });
});

describe("npm run test:long -- --commit", () => {
  const git = (...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...words], {
      cwd: checkout.folder,
      encoding: "utf8",
    });
  const commit = (): void => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "change");
  };
  const faultsOf = async (): Promise<string> => {
    const { lines } = await checkout.runScript("test-long.js", ["--commit", "--only", "faults"]);
    return lines.find((line) => line.startsWith("test-faults.js")) ?? "";
  };

  it("adds the faults of the folders that changed since the branch left origin/main", async () => {
    git("init", "--quiet", "--initial-branch=main");
    commit();
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    for (const path of ["src/a.ts", "src/b/c.ts"]) {
      checkout.write(path, "");
      commit();
    }
    expect(await faultsOf()).toMatch(/--share=\d+\/10 --also 001-a.json --also 002-b.json $/);
  });

  it("on origin/main itself takes the last commit", async () => {
    git("init", "--quiet", "--initial-branch=main");
    commit();
    checkout.write("src/b/c.ts", "");
    commit();
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    expect(await faultsOf()).toMatch(/--share=\d+\/10 --also 002-b.json $/);
  });

  it("only draws a share when git cannot tell: in a first commit, and without a repository", async () => {
    expect(await faultsOf()).toMatch(/--share=1\/10 $/);
    git("init", "--quiet", "--initial-branch=main");
    commit();
    expect(await faultsOf()).toMatch(/--share=\d+\/10 $/);
  });
});
