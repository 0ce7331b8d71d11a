import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOldNode } from "./find-old-node.ts";
import { createInstallation, type Installation } from "./installation.ts";

const oldNode = findOldNode();
let installation: Installation;

beforeEach(() => {
  installation = createInstallation();
});

afterEach(async () => {
  await installation.remove();
});

describe("on a recent Node", () => {
  it.each(["--version", "-v"])("answers %s without the program being built (S1-02)", async (flag) => {
    const ended = await installation.run(process.execPath, [flag]);
    expect(ended).toEqual({ code: 0, signal: null, stdout: "7.8.9\n", stderr: "" });
  });

  it("says how to build a checkout that is not built, exit 2", async () => {
    installation.makeCheckout();
    const ended = await installation.run(process.execPath, ["status"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`run \`npm run build\` in ${installation.folder}`);
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  });

  it.each([["status"], ["hook", "stop"]])(
    "tells the user of an installed copy to install it again when a part is missing, exit 2: %s",
    async (...words) => {
      const ended = await installation.run(process.execPath, words);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toMatch(/^ralph cannot start: dist\/\S+ is missing: install ralph again\.\n$/);
    },
  );

  it("runs the program in the same process with its arguments and exit code", async () => {
    installation.writeProgram(`console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3;`);
    const ended = await installation.run(process.execPath, ["run", "-p", "two words"]);
    expect(ended).toEqual({ code: 3, signal: null, stdout: '["run","-p","two words"]\n', stderr: "" });
  });

  it("drops the warning about SQLite and no other", async () => {
    installation.writeProgram(`
      process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
      process.emitWarning("Something else is an experimental feature", "ExperimentalWarning");
      process.emitWarning("SQLite is an experimental feature", "OtherWarning");`);
    const ended = await installation.run(process.execPath, []);
    expect(ended.stderr).not.toContain("might change at any time");
    expect(ended.stderr).toContain("Something else is an experimental feature");
    expect(ended.stderr).toContain("OtherWarning: SQLite is an experimental feature");
  });

  it("shows why a program that breaks while loading cannot start, exit 2", async () => {
    installation.writeProgram(`throw new Error("broken bundle");`);
    const ended = await installation.run(process.execPath, []);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("broken bundle");
  });

  it("answers hook with one sentence and exit 2 when the build has no hooks", async () => {
    const ended = await installation.run(process.execPath, ["hook", "stop"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("dist/hook.cjs");
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
  });

  it("hands hook its own arguments and loads nothing else", async () => {
    installation.writeProgram(`console.log("the program was loaded");`);
    installation.writeHook(`console.log(JSON.stringify(process.argv.slice(2)));`);
    const ended = await installation.run(process.execPath, ["hook", "stop", "--x"]);
    expect(ended.stdout).toBe('["stop","--x"]\n');
  });

  it("is written in syntax that Node 8 can parse", () => {
    const text = readFileSync(join(import.meta.dirname, "../../bin/ralph.js"), "utf8");
    expect(lower(text, "node8")).toBe(lower(text, "esnext"));
    // The comparison can fail: newer syntax is lowered for Node 8.
    expect(lower("a?.b", "node8")).not.toBe(lower("a?.b", "esnext"));
    expect(lower('import("a")', "node8")).not.toBe(lower('import("a")', "esnext"));
  });
});

describe.skipIf(oldNode === null)("on a Node older than 22.18, if one is in PATH", () => {
  const old = oldNode ?? "";

  it("runs the program on the pinned Node and hands back its exit code", async () => {
    installation.pinNode();
    installation.writeProgram(`console.log(process.version, process.env.RALPH_LAUNCHED); process.exitCode = 4;`);
    const ended = await installation.run(old, ["status"]);
    expect(ended).toEqual({ code: 4, signal: null, stdout: `${process.version} undefined\n`, stderr: "" });
  });

  it("says which Node is needed when there is no pinned one, exit 2", async () => {
    installation.writeProgram(`console.log("the program was loaded");`);
    const ended = await installation.run(old, ["status"]);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toMatch(/^[^\n]*Node 22\.18 or newer, and this is v[\d.]+: install a newer Node\.\n$/);
  });

  it("says in a checkout without a pinned one how to get it, exit 2", async () => {
    installation.makeCheckout();
    const ended = await installation.run(old, ["status"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`install a newer Node, or run \`npm ci\` in ${installation.folder}.`);
  });

  it("runs a hook on the Node that was started, without a second process", async () => {
    installation.pinNode();
    installation.writeHook(`console.log(process.version);`);
    const ended = await installation.run(old, ["hook", "stop"]);
    expect(ended.stdout.trim()).not.toBe(process.version);
    expect(ended.code).toBe(0);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
    "forwards a %s sent to it alone, once, and waits for the program (S1-64)",
    async (signal) => {
      installation.pinNode();
      installation.writeProgram(signalCounter);
      const launcher = installation.start(old, []);
      await launcher.waitForOutput("ready");
      launcher.kill(signal);
      const ended = await launcher.ended;
      expect(ended).toMatchObject({ code: 130, stdout: `ready\n${signal} 1\n` });
    },
  );

  it("ends with 128 and the signal's number when a signal ended the program", async () => {
    installation.pinNode();
    installation.writeProgram(`process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);`);
    const ended = await installation.run(old, []);
    expect(ended).toMatchObject({ code: 137, signal: null });
  });

  it("lets the program notice as a SIGHUP that the launcher was killed", async () => {
    installation.pinNode();
    const noted = join(installation.folder, "noted");
    installation.writeProgram(`
      const { writeFileSync } = require("node:fs");
      process.on("SIGHUP", () => { writeFileSync(${JSON.stringify(noted)}, "hangup"); process.exit(0); });
      setTimeout(() => process.exit(0), 30_000);
      console.log("ready");`);
    const launcher = installation.start(old, []);
    await launcher.waitForOutput("ready");
    launcher.kill("SIGKILL");
    // `ended` also waits for the inherited output, which the program holds until it is gone.
    await launcher.ended;
    expect(existsSync(noted)).toBe(true);
  });
});

function lower(text: string, target: string): string {
  return transformSync(text, { target, format: "cjs" }).code;
}

/** Prints each signal with its count and ends a little after the first, so that a second one would be seen. */
const signalCounter = `
  const counts = {};
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {
    counts[signal] = (counts[signal] ?? 0) + 1;
    setTimeout(() => { console.log(signal, counts[signal]); process.exit(130); }, 100);
  });
  setTimeout(() => process.exit(9), 30_000);
  console.log("ready");`;
